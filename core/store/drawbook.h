// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <limits>
#include <QHash>
#include <vector>

#include "core/store/connection.h"
#include "core/store/hosttable.h"
#include "core/store/packing.h"

namespace muster {

/// Hands out queued rows host by host. Keeps, for each host with a queue, how many rows are still to be drawn
/// and where the next one is, so that a draw asks the database for rows that it takes and for no others. Read
/// from the database at the first draw; told of every commit after that. Store thread; owned by the project.
///
/// Order of hosts: those that the team holds least of are filled first (water filling), then in turns.
/// Order in a host: due retries by their time, then new rows by priority and number.
class DrawBook final
{
public:
    StoreResult<Drawn> draw(Connection &c, HostTable &hosts, const DrawOrder &order);
    void giveBack(const QVector<qint64> &rows);
    bool isDrawn(qint64 row) const { return m_drawn.contains(row); }
    const QHash<qint64, std::pair<qint64, qint64>> &drawn() const { return m_drawn; }

    // After a commit. `notBefore` as it stands in the row.
    void queued(qint64 row, qint64 host, qint64 notBefore);
    void unqueued(qint64 row, qint64 host, qint64 notBefore);
    /// It is no longer queued: it stands on no shelf, drawn or not.
    void armed(qint64 row) { m_drawn.remove(row); }
    /// Everything may have changed: read again at the next draw. What is drawn stays drawn.
    void invalidate() { m_loaded = false; }
    /// Rows of an unfinished import are not drawn: it may yet be dropped.
    void setOpenBatch(qint64 batch);

private:
    static constexpr qint64 never = std::numeric_limits<qint64>::max();
    struct Shelf
    {
        qint64 host = 0;
        qint64 nextRetry = never; ///< not-before of the earliest undrawn retry
        qint64 cursorRow = 0;     ///< new rows up to (priority, row) are drawn or gone
        qint64 cursorPriority = never;
        qint32 fresh = 0;   ///< undrawn new rows
        qint32 retries = 0; ///< undrawn rows with a not-before time
        qint64 topPriority = 0;
    };
    struct Pick
    {
        std::size_t shelf = 0;
        int held = 0;
        int cap = 0;
        int take = 0;
        QByteArray name;
        QVector<Job> jobs;
    };

    StoreResult<void> load(Connection &c);
    Shelf &shelf(qint64 host);
    std::vector<Pick> candidates(const QHash<qint64, int> &held, const QHash<qint64, bool> &passed,
                                 const DrawOrder &order) const;
    static void share(std::vector<Pick> &picks, int room);
    StoreResult<void> takeRetries(Connection &c, Shelf &s, Pick &pick, qint64 now);
    StoreResult<void> takeFresh(Connection &c, Shelf &s, Pick &pick);
    StoreResult<void> read(Connection &c, QSqlQuery &q, Pick &pick);
    StoreResult<InputColumns::Names> columns(Connection &c, qint64 batch);
    Drawn finish(std::vector<Pick> &picks, qint64 now) const;

    bool m_loaded = false;
    qint64 m_openBatch = 0;
    std::vector<Shelf> m_shelves;                     ///< by host number
    std::size_t m_turn = 0;                           ///< where the next draw begins
    QHash<qint64, std::pair<qint64, qint64>> m_drawn; ///< row -> host, not-before
    QHash<qint64, InputColumns::Names> m_columns;     ///< of recent batches
};

} // namespace muster
