// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/settings/statusmatcher.h"

namespace muster {

namespace {

/// Exactly three ASCII digits, 100 to 599; 0 for anything else.
int plainStatus(QStringView text)
{
    if (text.size() != 3)
        return 0;
    int status = 0;
    for (const QChar c : text) {
        if (c < u'0' || c > u'9')
            return 0;
        status = 10 * status + (c.unicode() - u'0');
    }
    return status >= 100 && status <= 599 ? status : 0;
}

} // namespace

std::optional<std::pair<int, int>> parseStatusPattern(const QString &pattern)
{
    const QStringView text = QStringView(pattern).trimmed();
    if (text.size() == 3 && text.sliced(1).compare(u"xx", Qt::CaseInsensitive) == 0) {
        const int hundred = (text[0].unicode() - u'0') * 100;
        if (hundred < 100 || hundred > 500)
            return std::nullopt;
        return std::pair(hundred, hundred + 99);
    }
    const qsizetype dash = text.indexOf(u'-');
    const int low = plainStatus(dash < 0 ? text : text.first(dash).trimmed());
    const int high = dash < 0 ? low : plainStatus(text.sliced(dash + 1).trimmed());
    if (low == 0 || high < low)
        return std::nullopt;
    return std::pair(low, high);
}

StatusMatcher::StatusMatcher(const QVector<QString> &patterns)
{
    for (const QString &pattern : patterns) {
        if (const auto range = parseStatusPattern(pattern)) {
            for (int status = range->first; status <= range->second; ++status)
                m_set.set(index(status));
        }
    }
}

} // namespace muster
