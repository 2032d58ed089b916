// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/job/intakerow.h"
#include "core/store/connection.h"
#include "core/store/drawbook.h"
#include "core/store/hosttable.h"
#include "core/store/ledgerbook.h"

namespace muster {

/// What those who write to an open project share: the one connection and what is remembered beside it. Store
/// thread; owned by Project.
struct Desk
{
    std::unique_ptr<Connection> connection;
    LedgerBook ledger;
    HostTable hosts;
    DrawBook book;
    qint64 run = 1;

    /// One transaction around `work`, counters included; after a failure nothing has changed, on disk or
    /// here.
    template <typename Work>
    StoreResult<void> write(Work &&work)
    {
        Transaction t(*connection);
        StoreResult<void> r = t.begin();
        if (r)
            r = work();
        if (r)
            r = ledger.write(*connection);
        if (r)
            r = t.commit();
        if (r) {
            ledger.committed();
        } else {
            ledger.rolledBack();
            hosts.forget();
        }
        return r;
    }
};

/// A row to be written: made by the importer or brought by an answer.
struct RowDraft
{
    JobState state = JobState::Queued;
    qint64 batch = 0, line = 0, host = 0, parent = 0, origin = 0;
    int page = 0, depth = 0;
    bool received = false;
    QByteArray url, input;
    QByteArray identity; ///< empty: equal to no other
    QString note;
};

/// The row that already stands for a request.
struct Holder
{
    qint64 row = 0;
    qint64 batch = 0;
};

/// Writes rows and decides by identity whether their request is there already. The first 8 bytes are the
/// place in a unique index, the second 8 are compared on a hit; a true collision goes one place further.
class RowWriter final
{
public:
    explicit RowWriter(Desk &desk)
        : m_desk(desk)
    {}
    struct Written
    {
        qint64 row = 0; ///< 0: not written
        std::optional<Holder> equal;
    };
    /// Writes it unless its request is there.
    StoreResult<Written> insert(const RowDraft &draft);
    /// As a duplicate of `first`.
    StoreResult<qint64> insertDuplicate(RowDraft draft, qint64 first);
    /// Who has this identity; `place`: the first 8 bytes to write for one that is free.
    StoreResult<std::optional<Holder>> holder(const QByteArray &identity, qint64 &place);

    static qint64 half(const QByteArray &identity, int which);

private:
    StoreResult<QSqlQuery *> filled(const RowDraft &draft, std::optional<qint64> place, qint64 first);
    StoreResult<bool> put(const RowDraft &draft, std::optional<qint64> place, qint64 first);
    Desk &m_desk;
};

} // namespace muster
