// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <optional>
#include <QByteArray>
#include <QHash>
#include <QString>
#include <QVector>
#include <tl/expected.hpp>

#include "core/job/answer.h"
#include "core/job/failure.h"
#include "core/job/job.h"
#include "core/job/jobstate.h"
#include "core/job/snapshot.h"
#include "core/job/timings.h"

namespace muster {

/// The store could not do it. `full`: the disk is; the call may be repeated once there is room.
struct StoreError
{
    enum class Kind { Busy, Full, ReadOnly, Corrupt, Gone, Internal };
    Kind kind = Kind::Internal;
    QString what; ///< one sentence for a person
};
template <typename T>
using StoreResult = tl::expected<T, StoreError>;

/// Which jobs the team wants next.
struct DrawOrder
{
    int room = 0;    ///< most jobs to hand out in all; every ready host gets one even beyond it
    int perHost = 1; ///< most jobs of one host that the team may hold, counting those in `holding`
    QHash<QByteArray, int> holding; ///< jobs of each host that wait in the team now
    QVector<QByteArray> passOver;   ///< hosts that are closed for long, held or parked
    Utc now{};
};

struct Drawn
{
    QVector<Job> jobs;          ///< host by host in turns; due retries before new jobs of their host
    bool more = false;          ///< undrawn rows that are due remain (also those of hosts passed over)
    std::optional<Utc> nextDue; ///< the earliest not-before of the undrawn rest
    qint64 queuedLeft = 0;      ///< queued rows not drawn, due or not
};

/// Written before the send: state in_flight and the time (spec 2, `arm`). A POST or PUT is armed a second
/// time, with `isWrite`, when it has its permit and is about to leave: only then a crash fails it.
struct Arming
{
    qint64 row = 0;
    Utc at{};
    bool isWrite = false; ///< a row in flight already: after a crash it is `failed`, not sent again
};

/// One try as it is kept. Redirect hops belong to their try.
struct AttemptRecord
{
    Failure failure; ///< None: it went well
    int code = 0;
    QByteArray url; ///< that was asked last, secrets by name
    QByteArray proxy;
    Timings timings;
    Waits waits; ///< of this try, from draw (or the try before) on
    qint64 bytes = 0;
    int sends = 0;
    bool counted = true;                      ///< uses one of the tries
    QVector<std::pair<int, QByteArray>> hops; ///< status and URL of each redirect on the way
};

struct ResultRecord
{
    int code = 0;
    int firstCode = 0; ///< of the first hop, where there were redirects; else equal to code
    int redirects = 0;
    QByteArray finalUrl;
    QByteArray contentType;
    qint64 bytes = 0; ///< decoded body
    bool partial = false;
    bool unverifiedLength = false;
    QByteArray bodyHash; ///< SHA-1 of the decoded body, 20 bytes
    Refined refined;
};

/// A page that an answer brought: a next page or a link. Taken in within the transaction of its parent's
/// result.
struct NewRow
{
    QByteArray url; ///< secrets by name
    QByteArray host;
    QByteArray identity; ///< 16 bytes
    bool nextPage = false;
    qint64 origin = 0;
    int page = 0;
    int depth = 0;
};

/// What becomes of one member when it retires.
struct Retired
{
    Job job; ///< with tries, attempts, refusals, waits and times as they stand after this try
    Move move = Move::Requeue;            ///< Finish, Fail, Requeue or Skip
    std::optional<AttemptRecord> attempt; ///< absent where no try was made (stop before the send)
    std::optional<ResultRecord> result;   ///< with Finish; with Fail where an answer came
    Failure failure;                      ///< with Fail, Skip, and the last one with Requeue
    QVector<NewRow> newRows;
    std::optional<Utc> hostClosedUntil; ///< the answer closed its host: kept over restarts
};

struct RetireReceipt
{
    qint64 seq = 0; ///< number of this commit
    Ledger ledger;  ///< after it
};

/// Port: the project as the team sees it. Calls may come in any number; replies come later on the caller's
/// thread, in order, exactly once, and not before the change is durable. It promises nothing about one
/// process.
class JobStore
{
public:
    template <typename T>
    using Reply = std::function<void(StoreResult<T>)>;

    JobStore() = default;
    virtual ~JobStore() = default;
    Q_DISABLE_COPY_MOVE(JobStore)

    /// Hands out queued rows; on disk they stay `queued`. A row is not handed out twice until it retires or
    /// is given back.
    virtual void draw(DrawOrder order, Reply<Drawn> reply) = 0;
    virtual void giveBack(QVector<qint64> rows) = 0;
    /// In a group commit of its own, as soon as the writer is idle.
    virtual void arm(QVector<Arming> armings, Reply<qint64> reply) = 0;
    /// The whole batch in one transaction.
    virtual void retire(QVector<Retired> batch, Reply<RetireReceipt> reply) = 0;
    /// Hosts that were told to wait in an earlier run, with the time until which they are closed.
    virtual void closedHosts(Reply<QHash<QByteArray, Utc>> reply) = 0;
    /// Whether the list itself named this host (spec 5, allowPrivate `listed`).
    virtual void isListedHost(QByteArray host, Reply<bool> reply) = 0;
};

} // namespace muster
