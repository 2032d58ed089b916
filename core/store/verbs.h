// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

#include "core/job/intakerow.h"
#include "core/store/desk.h"
#include "core/store/selector.h"

namespace muster {

struct VerbCounts
{
    qint64 changed = 0;
    qint64 left = 0;
};

/// retry, skip, accept, first (the numbers of Project::Verb) in one transaction.
StoreResult<VerbCounts> applyVerb(Desk &desk, int verb, const Selector &where);

/// A new template: see Project::setSettings. Inside the caller's transaction. `share`: duplicates are looked
/// for.
StoreResult<VerbCounts> rerenderRows(Desk &desk, const std::function<IntakeRow(const Job &)> &render,
                                     bool share);

} // namespace muster
