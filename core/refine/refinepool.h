// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <QtGlobal>

#include "core/refine/ruleset.h"

namespace muster {

/// Runs a RuleSet on a small pool of threads. submit() and the callback are on the owner's thread (the
/// engine's); results come back in batches. On destruction what still runs is waited for and its callbacks
/// dropped.
class RefinePool
{
public:
    RefinePool() = default;
    virtual ~RefinePool() = default;
    Q_DISABLE_COPY_MOVE(RefinePool)
    /// `accepted`: the status is in `request.accept`, so fields are wanted when no error rule matches.
    virtual void submit(std::shared_ptr<const RuleSet> rules, Answer answer, bool accepted,
                        std::function<void(RefineResult)> done) = 0;
    virtual int running() const = 0;
};

/// The real pool: clamp(cores - 1, 1, 4) threads.
std::unique_ptr<RefinePool> makeRefinePool();

} // namespace muster
