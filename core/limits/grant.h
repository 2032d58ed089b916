// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <QVarLengthArray>

#include "core/limits/freednotice.h"
#include "core/limits/limiterinstance.h"
#include "core/limits/permit.h"

namespace muster {

/// What stands behind a permit: the instances that granted and what each was paid. It shares them, so a
/// permit outlives new rules and the gate itself.
struct Permit::Grant
{
    struct Share
    {
        std::shared_ptr<LimiterInstance> instance;
        LimiterInstance::Receipt receipt;
    };
    QVarLengthArray<Share, 6> shares;
    std::shared_ptr<FreedNotice> freed;
};

} // namespace muster
