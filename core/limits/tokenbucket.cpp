// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/limits/tokenbucket.h"

#include <algorithm>

namespace muster {

TokenBucket::TokenBucket(Rate rate, qint64 burst, Start start, Mono now)
    : m_rate(rate)
    , m_burst(std::clamp(burst, qint64{1}, maxBurst))
    , m_level(start == Start::Full ? cap() : Wide{0})
    , m_last(now)
{}

Mono TokenBucket::datedBack(Mono now, Nanos late)
{
    return now - std::clamp(late, Nanos::zero(), maxBack);
}

Wide TokenBucket::levelAt(Mono time) const
{
    const Wide passed = Wide{time.time_since_epoch().count()} - m_last.time_since_epoch().count();
    return passed > 0 ? std::min(cap(), m_level + passed * m_rate.grants) : m_level;
}

void TokenBucket::settle(Mono time)
{
    m_level = levelAt(time);
    m_last = std::max(m_last, time);
}

Wide TokenBucket::due(Wide price, Mono from) const
{
    const Wide missing = price - levelAt(from);
    const Wide start = from.time_since_epoch().count();
    return missing > 0 ? start + (missing + m_rate.grants - 1) / m_rate.grants : start;
}

Mono TokenBucket::readyAt(qint64 cost, Mono earliest, Mono now) const
{
    const Mono from = std::max(m_last, std::min(earliest, now));
    if (levelAt(from) >= Wide{cost} * m_rate.nanos)
        return std::min(from, now); // a clock that went back gives no credit, and takes none away
    const Wide last = monoNever.time_since_epoch().count() - 1;
    return Mono(Nanos(static_cast<qint64>(std::min(due(Wide{cost} * m_rate.nanos, from), last))));
}

TokenBucket::Ticket TokenBucket::take(qint64 cost, Mono earliest, Mono now)
{
    const Wide price = Wide{cost} * m_rate.nanos;
    settle(std::min(earliest, now));
    settle(Mono(Nanos(static_cast<qint64>(due(price, m_last)))));
    const Ticket ticket = m_log.append(cap() - m_level);
    m_level -= price;
    return ticket;
}

void TokenBucket::refund(Ticket ticket, qint64 cost)
{
    // The room met since the take bounds it, so the level stays below the burst; and because it is lifted at
    // its last date, a late grant can still be dated back beyond this call.
    m_level += m_log.redeem(ticket, Wide{cost} * m_rate.nanos);
}

void TokenBucket::charge(qint64 cost, Mono now)
{
    settle(now);
    m_log.note(cap() - m_level);
    m_level = std::max(m_level - Wide{cost} * m_rate.nanos, -Wide{maxDebt} * m_rate.nanos);
}

void TokenBucket::change(Rate rate, qint64 burst, Mono now)
{
    settle(now);
    Wide room = cap() - m_level;
    if (!(rate == m_rate)) {
        room = rescaled(room, m_rate.nanos, rate.nanos);
        m_level = rescaled(m_level, m_rate.nanos, rate.nanos);
        m_log.rescale(m_rate.nanos, rate.nanos);
        m_rate = rate;
    }
    m_burst = std::clamp(burst, qint64{1}, maxBurst);
    m_level = std::min(m_level, cap());
    m_log.note(std::min(room, cap() - m_level));
}

double TokenBucket::tokens(Mono now) const
{
    return static_cast<double>(levelAt(now)) / static_cast<double>(m_rate.nanos);
}

bool TokenBucket::isFull(Mono now) const
{
    return levelAt(now) == cap();
}

} // namespace muster
