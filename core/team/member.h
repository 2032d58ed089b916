// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <QSet>
#include <QVector>

#include "core/job/job.h"
#include "core/job/request.h"
#include "core/limits/permit.h"
#include "core/net/fetcher.h"
#include "core/team/waitbook.h"

namespace muster {

/// Where a member stands on its way through the team (README, "Route of one job").
enum class MemberState : quint8 {
    Drawn,     ///< in the line of its host; on disk still `queued`
    Arming,    ///< its `in_flight` is on the way to the disk
    Armed,     ///< on disk; may be sent as soon as the gate grants it
    Flying,    ///< its request is out
    Hopping,   ///< a redirect or fallback waits for its own permit; counts for no cap
    Refining,  ///< the answer is with the worker pool
    Landed,    ///< waits for retire()
    Recording, ///< in the batch that the store is writing
};

/// One job in the team: its request, its permit, the hops of its try and where its time went. Engine thread,
/// owned by Overwatch from draw to commit.
class Member final
{
public:
    Member(Job drawn, Mono now);
    Q_DISABLE_COPY_MOVE(Member)

    MemberState state() const { return m_state; }
    /// The one place where a member changes its state. A step that the route does not have is a programming
    /// error.
    void become(MemberState next);
    /// Fired and not yet retired: what `team.memberCap` counts.
    bool isFired() const { return m_isFired; }
    bool isFirstHop() const { return hops.isEmpty(); }

    /// Books the time since the last booking on `reason`.
    void spend(WaitReason reason, Mono now);
    /// Books the time since the last booking as `parts` say; what they leave over goes to `rest`.
    void spend(const Spent &parts, WaitReason rest, Mono now);
    const Spent &spent() const { return m_spent; }

    Job job;
    Request request;     ///< of the hop that is next or out
    Target target;       ///< of that request
    QByteArray lineHost; ///< the host in whose line it waits: where it was filed, of a hop its target
    Permit permit;
    FlightId flight = 0;

    // The try so far; redirect hops belong to it.
    bool withCredentials = true;
    bool received = false;
    bool privateAllowed = true;
    bool hasFallenBack = false;
    bool maySent = false;     ///< the server may have seen the request
    bool wasWrite = false;    ///< a POST or PUT went out in this try
    bool isSealing = false;   ///< that it goes out is being written
    bool abortWanted = false; ///< while it was
    int sends = 0;
    int code = 0;
    int firstCode = 0;
    qint64 bytes = 0;
    Timings timings;
    Mono sentAt{};
    Utc startedAt{};
    QVector<std::pair<int, QByteArray>> hops;
    QSet<QByteArray> visited; ///< method and URL of each hop: a second visit is a loop
    Spent lineAtEntry;        ///< its line's clock when it took its place

private:
    MemberState m_state = MemberState::Drawn;
    bool m_isFired = false;
    Mono m_bookedUpTo;
    Spent m_spent;
};

} // namespace muster
