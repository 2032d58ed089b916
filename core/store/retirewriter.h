// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/desk.h"

namespace muster {

/// Writes what becomes of members: row, attempt, result, new rows, host, counters. Inside the transaction of
/// the caller; `changes` tells afterwards which rows entered or left the queue. Store thread.
class RetireWriter final
{
public:
    explicit RetireWriter(Desk &desk)
        : m_desk(desk)
    {}

    struct QueueChange
    {
        qint64 row = 0, host = 0, notBefore = 0;
        bool entered = false;
    };
    StoreResult<void> arm(const Arming &arming);
    StoreResult<void> write(const Retired &retired);
    const QVector<QueueChange> &changes() const { return m_changes; }

    /// Failure groups of one row: +1 or -1.
    static StoreResult<void> countFailure(Connection &c, int kind, qint64 host, int code, qint64 by);
    static quint32 checksum(int code, const QByteArray &finalUrl, const QByteArray &bodyHash,
                            const QByteArray &fields);

private:
    struct Stand; ///< the row as it is before
    StoreResult<Stand> stand(qint64 row);
    StoreResult<void> updateRow(const Retired &r, const Stand &was, JobState to, qint64 notBefore);
    StoreResult<void> addAttempt(const Retired &r, const Stand &was);
    StoreResult<void> addResult(const Retired &r, const Stand &was, JobState to);
    StoreResult<void> addNewRow(const Retired &r, const NewRow &page);
    StoreResult<void> closeHost(const Retired &r);

    Desk &m_desk;
    QVector<QueueChange> m_changes;
};

} // namespace muster
