// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/job/snapshot.h"

#include <numeric>

namespace muster {

qint64 Ledger::total() const
{
    return std::accumulate(states.begin(), states.end(), qint64{0});
}

const char *crawlStateName(CrawlState state)
{
    switch (state) {
    case CrawlState::Idle:
        return "idle";
    case CrawlState::Running:
    case CrawlState::Draining:
        return "running"; // spec 10 has no word of its own for draining
    case CrawlState::Paused:
        return "paused";
    case CrawlState::Offline:
        return "offline";
    case CrawlState::Finished:
        return "finished";
    }
    return "";
}

const char *hostStateName(HostState state)
{
    switch (state) {
    case HostState::Open:
        return "open";
    case HostState::Closed:
        return "closed";
    case HostState::Held:
        return "held";
    case HostState::Parked:
        return "parked";
    }
    return "";
}

} // namespace muster
