// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/team/retrypolicy.h"

#include <algorithm>
#include <cmath>

namespace muster {

RetryPolicy::RetryPolicy(const Settings &settings)
    : m_retry(settings.retry)
    , m_statuses(settings.retry.statuses)
    , m_maxRetries(settings.team.maxRetries)
{}

RetryPolicy::Chance RetryPolicy::chance(const Failure &failure) const
{
    switch (failure.kind) {
    case FailureKind::RateLimited:
        return Chance::Free;
    case FailureKind::Dns:
        return failure.detail == "nxdomain" ? Chance::Never : Chance::Often;
    case FailureKind::ClosedEarly:
        return failure.detail == "send_uncertain" ? Chance::Never : Chance::Often;
    case FailureKind::Connect:
    case FailureKind::ConnectTimeout:
    case FailureKind::FirstByteTimeout:
    case FailureKind::Stalled:
    case FailureKind::TotalTimeout:
    case FailureKind::Truncated:
    case FailureKind::Proxy:
        return Chance::Often;
    case FailureKind::Malformed:
        // A 1xx taken for the answer and a broken chunk come from a bad moment; the other malformed answers
        // (status, lengths, framing) are how that server is, and reliability 2.2 never repeats them.
        return failure.detail == "1xx" || failure.detail == "chunk" ? Chance::Once : Chance::Never;
    case FailureKind::Decode:
        return failure.detail == "unsupported" ? Chance::Never : Chance::Once;
    case FailureKind::ErrorRule:
        return Chance::Once;
    case FailureKind::Http4xx:
    case FailureKind::Http5xx:
    case FailureKind::UnexpectedStatus:
        return m_statuses.matches(failure.code) ? Chance::Often : Chance::Never;
    default:
        return Chance::Never;
    }
}

bool RetryPolicy::triesAgain(const Failure &failure, int tries) const
{
    switch (chance(failure)) {
    case Chance::Never:
        return false;
    case Chance::Once:
        return tries <= std::min(1, m_maxRetries);
    case Chance::Often:
        return tries <= m_maxRetries;
    case Chance::Free:
        break;
    }
    return true;
}

Millis RetryPolicy::delay(int tries, double u) const
{
    const double seconds = std::min(m_retry.max, m_retry.base * std::pow(m_retry.factor, tries - 1));
    return Millis(static_cast<qint64>(
        std::llround(seconds * (m_retry.jitter == QLatin1String("full") ? u : 1.0) * 1000)));
}

bool RetryPolicy::isTrouble(const Failure &failure) const
{
    const bool answered = failure.kind == FailureKind::Http4xx || failure.kind == FailureKind::Http5xx ||
                          failure.kind == FailureKind::UnexpectedStatus;
    return isNoAnswer(failure) || (answered && m_statuses.matches(failure.code));
}

} // namespace muster
