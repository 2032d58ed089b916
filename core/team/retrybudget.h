// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <deque>

#include "core/job/moment.h"

namespace muster {

/// How many retries a host in trouble gets (spec 6): at most 10 + a share of its first tries of the last
/// 10 min, and one more each 10 s. Counts in slots of 10 s, at most 61 of them, none for a quiet host.
class RetryBudget final
{
public:
    void firstTry(Mono now);
    /// Takes one retry out of the budget; false: over it, nothing taken. `free` counts without a limit: the
    /// host's last answer was good.
    bool take(Mono now, double share, bool free);

private:
    struct Slot
    {
        qint64 number = 0;
        int firstTries = 0;
        int retries = 0;
    };
    Slot &slotAt(Mono now);

    std::deque<Slot> m_slots;
    int m_firstTries = 0;
    int m_retries = 0;
    qint64 m_extraSlot = -1; ///< the 10 s in which the last "one more" was given
};

} // namespace muster
