// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>
#include <vector>

#include "core/limits/wide.h"

namespace muster {

/// What a bucket must remember to give a take back as if it had never been asked for. For each take since
/// the oldest one still open it keeps the room that was left below the burst just before it. A refund of
/// `amount` lifts every later level by min(amount, least room met since): what would have run over the brim
/// without the take is lost for good (Skorokhod's reflection at the burst). Units are the bucket's. Owned by
/// one TokenBucket; a value; engine thread.
class TakeLog final
{
public:
    using Ticket = quint64;

    /// A take that may still be given back; `room` is burst - level just before it.
    Ticket append(Wide room);
    /// A point of the path that is no such take: a resend, a change of the burst.
    void note(Wide room);
    /// The take stays spent. Nothing for a ticket that is not open.
    void close(Ticket ticket);
    /// How much of `amount` the take of this ticket still holds back; later rooms shrink by it and the ticket
    /// is closed. 0 for a ticket that is not open.
    Wide redeem(Ticket ticket, Wide amount);
    /// The bucket's unit changes: `from` old ones are `to` new ones. Rounds down.
    void rescale(qint64 from, qint64 to);
    bool isEmpty() const { return m_head == m_points.size(); }

private:
    struct Point
    {
        Wide room = 0;
        bool open = false;
    };
    bool isOpen(Ticket ticket) const;
    void trim();

    std::vector<Point> m_points; ///< from m_head on; what lies before is spent room
    std::size_t m_head = 0;
    Ticket m_first = 1; ///< ticket of m_points[m_head]
};

/// level × to / from, rounded down, without a product that could overflow.
Wide rescaled(Wide level, qint64 from, qint64 to);

} // namespace muster
