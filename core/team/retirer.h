// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "core/store/jobstore.h"
#include "core/team/retrypolicy.h"

namespace muster {

/// A member that waits for retire(): all that the decision needs, and nothing that is alive.
struct Landing
{
    enum class End {
        Tried,      ///< a request went out and something came of it
        Unsent,     ///< given back before it was sent: stop, budget, a closed host
        Impossible, ///< no request can be made of it: `refused`
    };
    End end = End::Tried;
    Job job;         ///< as it was drawn, `refusals` and `attempts` already counted
    Failure failure; ///< None: it went well
    std::optional<AttemptRecord> attempt;
    std::optional<ResultRecord> result;
    std::optional<Utc> notBefore; ///< not again before: Retry-After, the host's closing, the budget
    std::optional<Utc> hostClosedUntil;
    bool hopeless = false;     ///< told to wait too often
    bool isFinalWrite = false; ///< a write that the server answered: sending it again could do it twice
};

/// The branches of retire(), one log line each.
enum class RetireBranch {
    Fine,      ///< done
    Dismissed, ///< failed, and the team is dismissed: it stays failed
    UsedUp,    ///< failed, and no retry is left or none would help
    Again,     ///< cleaned and queued again
    Returned,  ///< never sent, or cut off by a stop: queued again, uncounted
    Refused,   ///< no request can be made of it
};

/// What the team is up to while it retires.
struct RetireMood
{
    bool dismissed = false;
    bool stopping = false;
    Utc now{};
};

struct Decision
{
    RetireBranch branch = RetireBranch::Fine;
    Retired retired;
};

/// The whole decision of retire() for one member. Pure: `u`, from 0 to 1, is the jitter of its delay.
Decision decide(Landing landing, const RetryPolicy &policy, const RetireMood &mood, double u);

/// The branch as a line of the log.
QString describeDecision(const Decision &decision);

} // namespace muster
