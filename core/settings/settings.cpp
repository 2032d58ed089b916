// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/settings/settings.h"

namespace muster {

RetrySettings::RetrySettings()
    : statuses{QStringLiteral("408"), QStringLiteral("425"), QStringLiteral("429"), QStringLiteral("500"),
               QStringLiteral("502"), QStringLiteral("503"), QStringLiteral("504"), QStringLiteral("520-524")}
{}

bool RetrySettings::covers(int status) const
{
    for (const QString &s : statuses) {
        const qsizetype dash = s.indexOf(QLatin1Char('-'));
        const int low = s.left(dash < 0 ? s.size() : dash).toInt();
        const int high = dash < 0 ? low : s.mid(dash + 1).toInt();
        if (status >= low && status <= high)
            return true;
    }
    return false;
}

Settings::Settings()
{
    LimiterSettings everything;
    everything.name = QStringLiteral("everything");
    everything.atOnce = 64;
    LimiterSettings host;
    host.name = QStringLiteral("each-host");
    host.scope = QStringLiteral("host");
    host.rate = QStringLiteral("1/s");
    host.atOnce = 2;
    limiters = {everything, host};
}

} // namespace muster
