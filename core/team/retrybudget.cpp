// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/team/retrybudget.h"

namespace muster {

namespace {

constexpr std::chrono::seconds slotLength{10};
constexpr qint64 window = 60; ///< slots in 10 min
constexpr int alwaysAllowed = 10;

} // namespace

RetryBudget::Slot &RetryBudget::slotAt(Mono now)
{
    const qint64 number = now.time_since_epoch() / slotLength;
    // One slot more than the window is kept, so that any 10 min, however they lie, are covered whole.
    while (!m_slots.empty() && m_slots.front().number < number - window) {
        m_firstTries -= m_slots.front().firstTries;
        m_retries -= m_slots.front().retries;
        m_slots.pop_front();
    }
    if (m_slots.empty() || m_slots.back().number != number)
        m_slots.push_back({number, 0, 0});
    return m_slots.back();
}

void RetryBudget::firstTry(Mono now)
{
    ++slotAt(now).firstTries;
    ++m_firstTries;
}

bool RetryBudget::take(Mono now, double share, bool free)
{
    Slot &slot = slotAt(now);
    if (free || m_retries < alwaysAllowed + static_cast<int>(m_firstTries * share)) {
        ++slot.retries;
        ++m_retries;
        return true;
    }
    if (m_extraSlot >= slot.number)
        return false;
    m_extraSlot = slot.number;
    return true;
}

} // namespace muster
