// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/inlinerefiner.h"

namespace muster {

void InlineRefiner::submit(std::shared_ptr<const RuleSet> rules, Answer answer, bool accepted,
                           std::function<void(RefineResult)> done)
{
    RefineResult result;
    result.rule = rules->failing(answer);
    if (!result.rule && accepted)
        result.refined = rules->refine(answer);
    ++m_running;
    ++submitted;
    m_agenda.after(latency, [this, result, done] {
        --m_running;
        done(result);
    });
}

} // namespace muster
