// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <QDateTime>

namespace muster {

/// Names the monotonic time line of one run. It has no now(): time is an argument everywhere, only the
/// team's Clock reads the machine's.
struct MonoTag
{
    using rep = qint64;
    using period = std::nano;
    using duration = std::chrono::nanoseconds;
    static constexpr bool is_steady = true;
};

using Nanos = std::chrono::nanoseconds;
using Millis = std::chrono::milliseconds;
using Mono = std::chrono::time_point<MonoTag, Nanos>;                   ///< limits, timers
using Utc = std::chrono::time_point<std::chrono::system_clock, Millis>; ///< what is stored, shown, exported

/// One instant on both time lines: limits use `mono`, what is stored uses `utc`.
struct Moment
{
    Mono mono{};
    Utc utc{};
};

/// "No such time": later than every real one, far enough from the edge to add to.
inline constexpr Mono monoNever{Nanos(std::numeric_limits<qint64>::max() / 4)};

inline qint64 toMs(Utc t)
{
    return t.time_since_epoch().count();
}
inline Utc utcFromMs(qint64 ms)
{
    return Utc(Millis(ms));
}

} // namespace muster
