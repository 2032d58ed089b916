// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <tl/expected.hpp>

#include "core/job/answer.h"
#include "core/job/failure.h"
#include "core/settings/problem.h"
#include "core/settings/settings.h"

namespace muster {

/// What the worker pool made of one answer: the error rule that matched, or the refined fields, or a failure.
struct RefineResult
{
    std::optional<Failure> rule;            ///< an error rule matched
    tl::expected<Refined, Failure> refined; ///< meaningful where no rule matched and the status is accepted
};

/// All rules of a project, compiled: a pure function of answer and rules. Immutable, so any thread may use
/// it.
class RuleSet
{
public:
    RuleSet() = default;
    virtual ~RuleSet() = default;
    Q_DISABLE_COPY_MOVE(RuleSet)

    /// The first error rule that matches, as the failure it stands for (`rate_limited`, `error_rule`, any
    /// kind; detail: which rule); nothing where none matches. Tried on answers of any status. A bound that is
    /// hit is a failure of kind `refine`, detail `limit`, never "no match".
    virtual std::optional<Failure> failing(const Answer &answer) const = 0;
    /// The fields and records of an accepted answer, or kind `refine` (`missing`, `type`, `limit`, `json`).
    virtual tl::expected<Refined, Failure> refine(const Answer &answer) const = 0;
    /// Both at once, so that the answer is decoded and parsed once; fields only where `accepted` and no rule
    /// matched.
    virtual RefineResult judge(const Answer &answer, bool accepted) const
    {
        RefineResult out{failing(answer), Refined{}};
        if (!out.rule && accepted)
            out.refined = refine(answer);
        return out;
    }
    /// Nothing to evaluate: the team then skips the worker pool.
    virtual bool isEmpty() const = 0;
};

/// Compiles `errorRules` and `fields`; the problems name the key ("fields.lat.expr"), reason and mend.
tl::expected<std::shared_ptr<const RuleSet>, Problems> compileRules(const Settings &settings);

} // namespace muster
