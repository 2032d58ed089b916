// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <map>

#include "tests/support/manualclock.h"

namespace muster {

/// What fakes have to do later, in the order of time. Together with the ManualClock it is the event loop of a
/// test: runFor() alternates between the armed wake-up and the next thing due.
class Agenda final
{
public:
    explicit Agenda(ManualClock &clock)
        : m_clock(clock)
    {}
    void after(Nanos delay, std::function<void()> call);
    void runFor(Nanos span, const std::function<bool()> &until = {});
    bool isEmpty() const { return m_due.empty(); }
    Moment now() const { return m_clock.now(); }

private:
    ManualClock &m_clock;
    std::multimap<Mono, std::function<void()>> m_due;
};

} // namespace muster
