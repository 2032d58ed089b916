// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/team/verdict.h"

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

} // namespace

Verdict judge(const FlightResult &result, const StatusMatcher &accept)
{
    Verdict verdict;
    verdict.failure = result.failure;
    verdict.given = result.retryAfterDelay;
    if (result.failure)
        return verdict;
    verdict.isWhole = true;
    const int status = result.answer.status;
    if (accept.matches(status))
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
