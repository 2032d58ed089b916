// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <QString>

#include "core/job/snapshot.h"
#include "core/store/connection.h"

namespace muster {

/// All that the project counts, kept in the table `counter` inside the same transactions as the rows.
struct Counters
{
    Ledger ledger;
    qint64 seq = 0;         ///< commits
    qint64 lastRow = 0;     ///< the highest row number ever given
    qint64 topPriority = 0; ///< the highest ever given by `first`
    Waits waits;            ///< of all tries
    bool operator==(const Counters &) const = default;
};

/// The counters of an open project: `now` inside a transaction, settled by its commit or rollback. Store
/// thread; owned by the project.
class LedgerBook final
{
public:
    Counters now;

    StoreResult<void> load(Connection &c);
    /// One row changes its state; `waits`: it has a not-before time before, after.
    void move(std::optional<JobState> from, bool waitsBefore, std::optional<JobState> to, bool waitsAfter);
    StoreResult<void> write(Connection &c); ///< what changed, in the open transaction
    void committed() { m_kept = now; }
    void rolledBack() { now = m_kept; }
    const Counters &kept() const { return m_kept; }
    /// Compares with the rows and mends; one sentence for each counter that was wrong.
    StoreResult<QStringList> verify(Connection &c);

private:
    StoreResult<void> put(Connection &c, const QString &name, qint64 was, qint64 is);
    Counters m_kept;
};

} // namespace muster
