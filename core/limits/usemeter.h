// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>

#include "core/job/moment.h"

namespace muster {

/// Grants a second over the last five seconds, for a gauge. Counts in whole seconds, so that an instance of
/// each of many hosts stays small. A value on the engine thread.
class UseMeter final
{
public:
    explicit UseMeter(Mono since)
        : m_since(since)
    {}

    void add(Mono now);
    double perSecond(Mono now) const;
    bool isQuiet(Mono now) const;

private:
    static constexpr qint64 bins = 5;
    static qint64 secondOf(Mono time)
    {
        return std::chrono::floor<std::chrono::seconds>(time.time_since_epoch()).count();
    }

    Mono m_since;
    qint64 m_second = 0; ///< of the newest bin
    std::array<quint32, bins> m_counts{};
};

} // namespace muster
