// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/agenda.h"

#include <algorithm>

namespace muster {

void Agenda::after(Nanos delay, std::function<void()> call)
{
    m_due.emplace(m_clock.now().mono + delay, std::move(call));
}

void Agenda::runFor(Nanos span, const std::function<bool()> &until)
{
    const Mono end = m_clock.now().mono + span;
    while (!until || !until()) {
        const Mono due = m_due.empty() ? monoNever : m_due.begin()->first;
        const Mono next = std::min({due, m_clock.armedFor(), end});
        if (next > m_clock.now().mono || m_clock.armedFor() <= m_clock.now().mono)
            m_clock.advance(std::max(Nanos::zero(), next - m_clock.now().mono));
        bool ran = false;
        while (!m_due.empty() && m_due.begin()->first <= m_clock.now().mono) {
            auto call = std::move(m_due.begin()->second);
            m_due.erase(m_due.begin());
            call();
            ran = true;
        }
        if (!ran && m_clock.now().mono >= end && m_clock.armedFor() > end)
            return;
    }
}

} // namespace muster
