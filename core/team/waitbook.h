// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>

#include "core/job/moment.h"
#include "core/job/timings.h"

namespace muster {

/// Nanoseconds by wait reason. Kept fine so that the parts of a member's life add up to the whole.
struct Spent
{
    std::array<Nanos, waitReasonCount> by{};

    Nanos &operator[](WaitReason r) { return by[static_cast<std::size_t>(r)]; }
    Nanos total() const
    {
        Nanos sum{};
        for (const Nanos n : by)
            sum += n;
        return sum;
    }
    Spent &operator+=(const Spent &o)
    {
        for (std::size_t i = 0; i < waitReasonCount; ++i)
            by[i] += o.by[i];
        return *this;
    }
    Spent operator-(const Spent &o) const
    {
        Spent out = *this;
        for (std::size_t i = 0; i < waitReasonCount; ++i)
            out.by[i] -= o.by[i];
        return out;
    }
    /// In milliseconds whose sum is the whole sum rounded down: no reason swallows the others' fractions.
    Waits rounded() const
    {
        Waits out;
        Nanos upTo{};
        qint64 given = 0;
        for (std::size_t i = 0; i < waitReasonCount; ++i) {
            upTo += by[i];
            out.ms[i] = std::chrono::duration_cast<Millis>(upTo).count() - given;
            given += out.ms[i];
        }
        return out;
    }
};

/// A running clock of reasons: all who stand in one line wait for the same thing, so the line keeps one clock
/// and a member takes the difference between entering and leaving. O(1) however long the line.
class ReasonClock final
{
public:
    explicit ReasonClock(Mono since)
        : m_since(since)
    {}
    WaitReason reason() const { return m_reason; }
    void turn(WaitReason to, Mono now)
    {
        m_spent[m_reason] += now - m_since;
        m_since = now;
        m_reason = to;
    }
    Spent spent(Mono now) const
    {
        Spent out = m_spent;
        out[m_reason] += now - m_since;
        return out;
    }

private:
    Spent m_spent;
    WaitReason m_reason = WaitReason::Record;
    Mono m_since;
};

} // namespace muster
