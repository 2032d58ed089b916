// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <bitset>
#include <optional>
#include <QString>
#include <QVector>
#include <utility>

namespace muster {

/// "404", "200-299", "2xx" as the first and last status it stands for; nothing for what is no such pattern
/// or outside 100 to 599.
std::optional<std::pair<int, int>> parseStatusPattern(const QString &pattern);

/// A set of statuses, made once from patterns (`request.accept`, `retry.statuses`, a rule's `status`) and
/// asked for each answer: one bit look-up. A value; any thread. Patterns that are none match nothing (they
/// never pass `check`).
class StatusMatcher final
{
public:
    StatusMatcher() = default;
    explicit StatusMatcher(const QVector<QString> &patterns);
    bool matches(int status) const { return status >= 100 && status <= 599 && m_set[index(status)]; }
    bool isEmpty() const { return m_set.none(); }

private:
    static std::size_t index(int status) { return static_cast<std::size_t>(status - 100); }
    std::bitset<500> m_set;
};

} // namespace muster
