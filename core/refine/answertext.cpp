// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/refine/answertext.h"

#include "core/refine/charset.h"

namespace muster {

const QByteArray &AnswerText::utf8()
{
    if (!m_utf8)
        m_utf8 = bodyAsUtf8(m_answer.body, m_answer.contentType());
    return *m_utf8;
}

bool AnswerText::isBlank()
{
    const QByteArray &all = utf8();
    return std::all_of(all.begin(), all.end(), [](char c) { return std::strchr(" \t\r\n", c) && c; });
}

const QString &AnswerText::text()
{
    if (!m_text)
        m_text = QString::fromUtf8(utf8());
    return *m_text;
}

const tl::expected<std::shared_ptr<const JsonTree>, JsonError> &AnswerText::json()
{
    if (!m_json)
        m_json.emplace(JsonTree::parse(utf8()));
    return *m_json;
}

} // namespace muster
