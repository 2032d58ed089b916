// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <deque>
#include <QByteArray>
#include <QHashFunctions>

#include "core/limits/permit.h"
#include "core/team/member.h"

namespace muster {

struct ByteHash
{
    std::size_t operator()(const QByteArray &bytes) const { return qHash(bytes); }
};

/// The members that wait for one host, in order: on disk first (`armed`), then those on the way to the disk
/// (`arming`), then the rest. Plain data of MemberQueue, which keeps it consistent.
struct HostLine
{
    /// Where the line stands; each line is in one place only.
    enum class Place : quint8 {
        Nowhere,  ///< nobody waits, or nobody is armed yet
        Ring,     ///< its head may ask
        Instance, ///< a limiter instance refused its head
        Blocked,  ///< its host is closed, or reopens slowly
        Turn,     ///< handed out by next()
    };

    HostLine(QByteArray name, Mono now)
        : host(std::move(name))
        , clock(now)
    {}

    const QByteArray host;
    std::deque<Member *> hops;
    std::deque<Member *> jobs;
    int armed = 0;
    int arming = 0;
    int window = 1;   ///< how many to hold armed: doubles when the gate outruns the disk, see MemberQueue
    int heldBack = 0; ///< hosts with a crowd of hops that this line's jobs sent there
    bool hopHadTurn = false;
    bool isShut = false;
    bool asksArming = false;
    Place place = Place::Nowhere;
    InstanceId instance = 0; ///< with Place::Instance, and the one that called it with Place::Turn
    ReasonClock clock;

    bool nextIsHop() const { return !hops.empty() && (!hopHadTurn || armed == 0 || heldBack > 0); }
    Member *head() const
    {
        if (nextIsHop())
            return hops.front();
        return armed > 0 && heldBack == 0 ? jobs.front() : nullptr;
    }
    bool mayArm() const { return !isShut && place != Place::Blocked && heldBack == 0; }
    int drawn() const { return static_cast<int>(jobs.size()) - armed - arming; }
    bool isEmpty() const { return hops.empty() && jobs.empty(); }
};

} // namespace muster
