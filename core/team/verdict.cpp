// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/team/verdict.h"

#include <algorithm>

#include "core/team/retryafter.h"

namespace muster {

namespace {

FailureKind kindOf(int status, bool toldToWait)
{
    if (toldToWait)
        return FailureKind::RateLimited;
    if (status >= 500)
        return FailureKind::Http5xx;
    return status >= 400 ? FailureKind::Http4xx : FailureKind::UnexpectedStatus;
}

bool isOne(const QString &entry, int status)
{
    if (entry.size() == 3 && entry.endsWith(QLatin1String("xx")))
        return entry.at(0).digitValue() == status / 100;
    const qsizetype dash = entry.indexOf(QLatin1Char('-'));
    const int low = entry.left(dash < 0 ? entry.size() : dash).toInt();
    const int high = dash < 0 ? low : entry.mid(dash + 1).toInt();
    return status >= low && status <= high;
}

} // namespace

bool hasStatus(const QVector<QString> &list, int status)
{
    return std::any_of(list.begin(), list.end(), [status](const QString &e) { return isOne(e, status); });
}

Verdict judge(const FlightResult &result, const RequestSettings &settings, Utc now)
{
    Verdict verdict;
    verdict.failure = result.failure;
    if (!result.retryAfter.isNull())
        verdict.given = parseRetryAfter(result.retryAfter, result.serverDate, now);
    if (result.failure)
        return verdict;
    verdict.isWhole = true;
    const int status = result.answer.status;
    if (hasStatus(settings.accept, status))
        return verdict;
    const bool toldToWait = status == 429 || (status == 503 && verdict.given);
    verdict.failure = {kindOf(status, toldToWait), {}, status, {}};
    return verdict;
}

Failure sealedWrite(const Failure &was)
{
    return {FailureKind::ClosedEarly, "send_uncertain", was.code,
            QStringLiteral("outcome unknown, not retried (it ended as %1)")
                .arg(QLatin1String(failureKindName(was.kind)))};
}

} // namespace muster
