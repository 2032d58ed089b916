// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>

#include "core/job/moment.h"

namespace muster {

/// Where a job's time goes (spec 3, wait reasons). The names are public.
enum class WaitReason : quint8 {
    Queue,
    Bucket,
    Quota,
    AtOnce,
    HostClosed,
    RetryTime,
    Proxy,
    Connection,
    Connect,
    FirstByte,
    Body,
    Refine,
    Record,
    Held,
    Hours,
    Disk,
    Offline,
};
inline constexpr std::size_t waitReasonCount = 17;
const char *waitReasonName(WaitReason reason);

/// One try as the fetcher saw it. Milliseconds; Qt does not tell DNS, TCP and TLS apart, so `connect` is the
/// time from leaving us to the request on the wire.
struct Timings
{
    Utc startedAt{};
    qint32 connectMs = 0;
    qint32 firstByteMs = 0;
    qint32 bodyMs = 0;
    qint32 totalMs = 0;
    bool operator==(const Timings &) const = default;
};

/// Time waited, by reason, in milliseconds. Sums up over the members of a crawl.
struct Waits
{
    std::array<qint64, waitReasonCount> ms{};

    qint64 &operator[](WaitReason r) { return ms[static_cast<std::size_t>(r)]; }
    qint64 operator[](WaitReason r) const { return ms[static_cast<std::size_t>(r)]; }
    Waits &operator+=(const Waits &o)
    {
        for (std::size_t i = 0; i < waitReasonCount; ++i)
            ms[i] += o.ms[i];
        return *this;
    }
    bool operator==(const Waits &) const = default;
};

} // namespace muster
