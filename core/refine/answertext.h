// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <tl/expected.hpp>

#include "core/job/answer.h"
#include "core/job/jsontree.h"

namespace muster {

/// One answer as rules look at it: decoded and parsed at most once, and only when a rule asks. Lives for one
/// evaluation on one thread; the answer outlives it.
class AnswerText final
{
public:
    explicit AnswerText(const Answer &answer)
        : m_answer(answer)
    {}
    Q_DISABLE_COPY_MOVE(AnswerText)

    const Answer &answer() const { return m_answer; }
    /// A body was asked for: not after HEAD, nor where reading stopped behind the headers.
    bool hasBody() const { return !m_answer.isHead && !(m_answer.partial && m_answer.body.isEmpty()); }
    bool isBlank();
    const QString &text();
    const tl::expected<std::shared_ptr<const JsonTree>, JsonError> &json();

private:
    const QByteArray &utf8();

    const Answer &m_answer;
    std::optional<QByteArray> m_utf8;
    std::optional<QString> m_text;
    std::optional<tl::expected<std::shared_ptr<const JsonTree>, JsonError>> m_json;
};

} // namespace muster
