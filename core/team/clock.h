// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <QtGlobal>

#include "core/job/moment.h"

namespace muster {

/// Port: the team's one clock and its one timer. Engine thread.
class Clock
{
public:
    Clock() = default;
    virtual ~Clock() = default;
    Q_DISABLE_COPY_MOVE(Clock)

    virtual Moment now() const = 0;
    /// Calls `due` once at `when` (not before), replacing an earlier request; monoNever disarms.
    virtual void wakeAt(Mono when, std::function<void()> due) = 0;
};

} // namespace muster
