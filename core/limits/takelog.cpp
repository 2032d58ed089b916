// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/limits/takelog.h"

#include <algorithm>

namespace muster {

Wide rescaled(Wide level, qint64 from, qint64 to)
{
    Wide whole = level / from;
    if (whole * from > level)
        --whole; // a debt rounds down too: a change never gives
    return whole * to + (level - whole * from) * to / from;
}

TakeLog::Ticket TakeLog::append(Wide room)
{
    m_points.push_back({room, true});
    return m_first + (m_points.size() - m_head) - 1;
}

void TakeLog::note(Wide room)
{
    if (!isEmpty())
        m_points.push_back({room, false});
}

bool TakeLog::isOpen(Ticket ticket) const
{
    return ticket >= m_first && ticket - m_first < m_points.size() - m_head &&
           m_points[m_head + (ticket - m_first)].open;
}

void TakeLog::close(Ticket ticket)
{
    if (!isOpen(ticket))
        return;
    m_points[m_head + (ticket - m_first)].open = false;
    trim();
}

Wide TakeLog::redeem(Ticket ticket, Wide amount)
{
    if (!isOpen(ticket))
        return 0;
    for (std::size_t i = m_head + (ticket - m_first) + 1; i < m_points.size() && amount > 0; ++i) {
        amount = std::min(amount, m_points[i].room);
        m_points[i].room -= amount;
    }
    close(ticket);
    return amount;
}

void TakeLog::rescale(qint64 from, qint64 to)
{
    for (std::size_t i = m_head; i < m_points.size(); ++i)
        m_points[i].room = rescaled(m_points[i].room, from, to);
}

void TakeLog::trim()
{
    while (m_head < m_points.size() && !m_points[m_head].open) {
        ++m_head;
        ++m_first;
    }
    if (m_head * 2 >= m_points.size()) { // each point is moved at most once for each that is dropped
        m_points.erase(m_points.begin(), m_points.begin() + static_cast<std::ptrdiff_t>(m_head));
        m_head = 0;
    }
}

} // namespace muster
