// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/job/failure.h"
#include "core/job/moment.h"
#include "core/settings/settings.h"
#include "core/settings/statusmatcher.h"

namespace muster {

/// Which failures are tried again, how often and after how long (spec 6). A value made of the settings; it
/// holds no state of any job, so every answer is a pure function.
class RetryPolicy final
{
public:
    explicit RetryPolicy(const Settings &settings);

    enum class Chance {
        Never, ///< final at the first failure
        Once,  ///< worth a second try, not a third
        Often, ///< up to `team.maxRetries`
        Free,  ///< told to wait: uses none of the tries
    };
    Chance chance(const Failure &failure) const;
    /// Whether a job whose `tries` counted tries have failed, the last one so, gets another.
    bool triesAgain(const Failure &failure, int tries) const;
    /// min(max, base × factorⁿ) × u with n = tries − 1 and u from 0 to 1 (full jitter).
    Millis delay(int tries, double u) const;
    /// A host whose last try ended so pays its retries from a budget.
    bool isTrouble(const Failure &failure) const;
    /// Share of first tries that retries may add, from 0 to 1.
    double budgetShare() const { return m_retry.budgetPercent / 100.0; }

private:
    RetrySettings m_retry;
    StatusMatcher m_statuses;
    int m_maxRetries;
};

} // namespace muster
