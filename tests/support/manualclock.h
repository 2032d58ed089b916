// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/team/clock.h"

namespace muster {

/// A clock that a test moves by hand. advanceTo() runs the armed wake-ups on its way, in order.
class ManualClock final : public Clock
{
public:
    Moment now() const override { return m_now; }
    void wakeAt(Mono when, std::function<void()> due) override;
    /// Moves both time lines by `by`, stopping at every armed wake-up on the way.
    void advance(Nanos by);
    /// Moves the wall clock alone: a person or NTP set it.
    void setUtc(Utc utc) { m_now.utc = utc; }
    Mono armedFor() const { return m_when; }
    int wakeUps() const { return m_wakeUps; } ///< how often an armed wake-up was due

private:
    Moment m_now{Mono(Nanos(1'000'000'000)), utcFromMs(1'800'000'000'000)};
    Nanos m_carry{};
    Mono m_when = monoNever;
    int m_wakeUps = 0;
    std::function<void()> m_due;
};

} // namespace muster
