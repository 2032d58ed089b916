// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/team/retirer.h"

#include <algorithm>

namespace muster {

namespace {

Decision requeue(RetireBranch branch, Retired retired, std::optional<Utc> notBefore)
{
    // Cleaned: the next try starts without a result; what went wrong stays in the attempt alone.
    retired.move = Move::Requeue;
    retired.result.reset();
    retired.job.notBefore = notBefore.value_or(Utc{});
    return {branch, std::move(retired)};
}

Decision fail(RetireBranch branch, Retired retired)
{
    retired.move = Move::Fail;
    return {branch, std::move(retired)};
}

/// A try that uses none of the job's tries, whatever comes of it.
bool isUncounted(const Failure &failure, bool again, const RetireMood &mood)
{
    return failure.kind == FailureKind::RateLimited || failure.kind == FailureKind::Cancelled ||
           (again && mood.stopping);
}

} // namespace

Decision decide(Landing landing, const RetryPolicy &policy, const RetireMood &mood, double u)
{
    Retired retired;
    retired.job = std::move(landing.job);
    retired.failure = landing.failure;
    retired.attempt = std::move(landing.attempt);
    retired.result = std::move(landing.result);
    retired.hostClosedUntil = landing.hostClosedUntil;

    if (landing.end == Landing::End::Impossible) {
        retired.move = Move::Refuse;
        return {RetireBranch::Refused, std::move(retired)};
    }
    if (landing.end == Landing::End::Unsent) {
        const Utc earlier = retired.job.notBefore;
        return requeue(RetireBranch::Returned, std::move(retired), landing.notBefore.value_or(earlier));
    }
    const Failure failure = landing.failure;
    if (!failure) {
        ++retired.job.tries;
        retired.move = Move::Finish;
        return {RetireBranch::Fine, std::move(retired)};
    }
    const bool isCancelled = failure.kind == FailureKind::Cancelled;
    const bool again = isCancelled || (!landing.hopeless && !landing.isFinalWrite &&
                                       policy.triesAgain(failure, retired.job.tries + 1));
    const bool counted = !isUncounted(failure, again, mood);
    retired.job.tries += counted ? 1 : 0;
    if (retired.attempt)
        retired.attempt->counted = counted;
    if (isCancelled)
        return requeue(RetireBranch::Returned, std::move(retired), std::nullopt);
    if (!again)
        return fail(RetireBranch::UsedUp, std::move(retired));
    if (mood.stopping)
        return requeue(RetireBranch::Returned, std::move(retired), landing.notBefore);
    if (mood.dismissed)
        return fail(RetireBranch::Dismissed, std::move(retired));
    const Millis delay = counted ? policy.delay(retired.job.tries, u) : Millis(0);
    const Utc due = std::max(mood.now + delay, landing.notBefore.value_or(Utc{}));
    return requeue(RetireBranch::Again, std::move(retired), due);
}

QString describeDecision(const Decision &decision)
{
    const Retired &r = decision.retired;
    QString why = QLatin1String(failureKindName(r.failure.kind));
    if (!r.failure.detail.isEmpty())
        why += QLatin1Char(':') + QString::fromUtf8(r.failure.detail);
    if (r.failure.code != 0)
        why += QStringLiteral(" (%1)").arg(r.failure.code);
    const QString row = QStringLiteral("row %1 ").arg(r.job.row);
    switch (decision.branch) {
    case RetireBranch::Fine:
        return row + QStringLiteral("done");
    case RetireBranch::Dismissed:
        return row + QStringLiteral("failed: %1; no retry, the team is dismissed").arg(why);
    case RetireBranch::UsedUp:
        return row + QStringLiteral("failed: %1; tries: %2").arg(why).arg(r.job.tries);
    case RetireBranch::Again:
        return row + QStringLiteral("queued again after %1; tries: %2").arg(why).arg(r.job.tries);
    case RetireBranch::Returned:
        return row + QStringLiteral("queued again, uncounted");
    case RetireBranch::Refused:
        break;
    }
    return row + QStringLiteral("refused: %1").arg(r.failure.note);
}

} // namespace muster
