// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/job/jobstate.h"

namespace muster {

namespace {

constexpr std::array<const char *, jobStateCount> names{"queued",  "in_flight", "done",   "failed",
                                                        "skipped", "duplicate", "refused"};

struct Legal
{
    JobState from;
    Move move;
    JobState to;
};

using enum JobState;

// `Queued, Fail`: a host found dead fails its queue with nothing sent. `InFlight, Requeue`: retry, stop,
// crash. `Failed, Requeue`: an outage takes its tries back. `Refused, Again` and `Duplicate, Again`: a new
// template.
constexpr Legal table[] = {
    {Queued, Move::Arm, InFlight},    {Queued, Move::Fail, Failed},      {Queued, Move::Skip, Skipped},
    {Queued, Move::Merge, Duplicate}, {Queued, Move::Refuse, Refused},   {Queued, Move::Requeue, Queued},
    {InFlight, Move::Finish, Done},   {InFlight, Move::Fail, Failed},    {InFlight, Move::Requeue, Queued},
    {InFlight, Move::Skip, Skipped},  {Done, Move::Again, Queued},       {Failed, Move::Again, Queued},
    {Failed, Move::Requeue, Queued},  {Failed, Move::Accept, Done},      {Failed, Move::Skip, Skipped},
    {Skipped, Move::Again, Queued},   {Duplicate, Move::Again, Queued},  {Duplicate, Move::Refuse, Refused},
    {Refused, Move::Again, Queued},   {InFlight, Move::Refuse, Refused},
};

} // namespace

const char *jobStateName(JobState state)
{
    return names[static_cast<std::size_t>(state)];
}

std::optional<JobState> jobStateFromName(QByteArrayView name)
{
    for (const JobState s : allJobStates)
        if (name == QByteArrayView(jobStateName(s)))
            return s;
    return std::nullopt;
}

std::optional<JobState> moved(JobState from, Move move)
{
    for (const Legal &l : table)
        if (l.from == from && l.move == move)
            return l.to;
    return std::nullopt;
}

} // namespace muster
