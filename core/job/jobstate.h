// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <optional>
#include <QByteArrayView>

namespace muster {

/// Where a row stands (spec 2): exactly one of these, always. The numbers are stored: never renumber.
enum class JobState : quint8 { Queued, InFlight, Done, Failed, Skipped, Duplicate, Refused };
inline constexpr std::size_t jobStateCount = 7;
inline constexpr std::array<JobState, jobStateCount> allJobStates{
    JobState::Queued,  JobState::InFlight,  JobState::Done,   JobState::Failed,
    JobState::Skipped, JobState::Duplicate, JobState::Refused};

/// The public name: `queued`, `in_flight` and so on.
const char *jobStateName(JobState state);
std::optional<JobState> jobStateFromName(QByteArrayView name);

/// What makes a row change its state. A move that the table does not have is a programming error.
enum class Move : quint8 {
    Arm,     ///< written before the send
    Finish,  ///< answered and refined
    Fail,    ///< final failure
    Requeue, ///< retry, stop, abort: back to the store
    Skip,    ///< robots, scope, policy, a person
    Again,   ///< a person or a new run asks for it once more
    Accept,  ///< a person takes a failed answer as good
    Merge,   ///< its request turned out to equal an earlier row's
    Refuse,  ///< no request can be made of it any more
};

/// The one table of legal moves: the new state, or nothing where the move is not allowed.
std::optional<JobState> moved(JobState from, Move move);

} // namespace muster
