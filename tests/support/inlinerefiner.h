// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/refine/refinepool.h"
#include "tests/support/agenda.h"

namespace muster {

/// A RefinePool without threads: the rules run at once, the result comes `latency` later.
class InlineRefiner final : public RefinePool
{
public:
    explicit InlineRefiner(Agenda &agenda)
        : m_agenda(agenda)
    {}
    void submit(std::shared_ptr<const RuleSet> rules, Answer answer, bool accepted,
                std::function<void(RefineResult)> done) override;
    int running() const override { return m_running; }

    Nanos latency = Millis(1);
    int submitted = 0;

private:
    Agenda &m_agenda;
    int m_running = 0;
};

} // namespace muster
