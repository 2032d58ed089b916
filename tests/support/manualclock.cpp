// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/manualclock.h"

#include <utility>

namespace muster {

void ManualClock::wakeAt(Mono when, std::function<void()> due)
{
    m_when = when;
    m_due = std::move(due);
}

void ManualClock::advance(Nanos by)
{
    const Mono end = m_now.mono + by;
    const auto moveTo = [this](Mono to) {
        m_carry += to - m_now.mono;
        const auto whole = std::chrono::duration_cast<Millis>(m_carry);
        m_carry -= whole;
        m_now.utc += whole;
        m_now.mono = to;
    };
    while (m_when <= end && m_due) {
        if (m_when > m_now.mono)
            moveTo(m_when);
        m_when = monoNever;
        ++m_wakeUps;
        std::exchange(m_due, nullptr)();
    }
    moveTo(end);
}

} // namespace muster
