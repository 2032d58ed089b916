// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/verbs.h"

#include "core/store/project.h"
#include "core/store/retirewriter.h"
#include "core/store/selectorsql.h"

namespace muster {

namespace {

using Verb = Project::Verb;

constexpr const char *outcome = "JOIN row o ON o.row=coalesce(a.duplicate_of, a.row)";

/// Puts the rows that the selector names into the table `picked`.
StoreResult<void> pick(Connection &c, const Selector &where)
{
    MUSTER_TRY(
        c.run("CREATE TEMP TABLE IF NOT EXISTS picked(row INTEGER PRIMARY KEY, state TEXT, kind INTEGER, "
              "host INTEGER, code INTEGER, not_before INTEGER)"));
    MUSTER_TRY(c.run("DELETE FROM picked"));
    const SelectorSql sql = toSql(where);
    return c.runOnce(QStringLiteral("INSERT INTO picked SELECT a.row, a.state, a.kind, coalesce(a.host, 0), "
                                    "a.code, a.not_before FROM row a %1 WHERE %2")
                         .arg(QLatin1String(outcome), sql.condition),
                     sql.values);
}

/// Removes from `picked` what the verb does not touch. Held members are about to be sent: skip leaves them.
StoreResult<void> narrow(Desk &desk, Verb verb)
{
    Connection &c = *desk.connection;
    switch (verb) {
    case Verb::Retry:
        MUSTER_TRY(c.run("DELETE FROM picked WHERE state NOT IN ('failed', 'skipped')"));
        return {};
    case Verb::Accept:
        MUSTER_TRY(c.run("DELETE FROM picked WHERE state<>'failed' OR row NOT IN (SELECT row FROM answer)"));
        return {};
    case Verb::First:
        MUSTER_TRY(c.run("DELETE FROM picked WHERE state<>'queued'"));
        return {};
    case Verb::Skip:
        MUSTER_TRY(c.run("DELETE FROM picked WHERE state NOT IN ('queued', 'failed')"));
        for (auto it = desk.book.drawn().cbegin(); it != desk.book.drawn().cend(); ++it)
            MUSTER_TRY(c.run("DELETE FROM picked WHERE row=?", {it.key()}));
        return {};
    }
    return {};
}

/// Counters and failure groups of the picked rows, before they move.
StoreResult<void> countOut(Desk &desk, Move move)
{
    Connection &c = *desk.connection;
    MUSTER_TAKE(q,
                c.query(QStringLiteral("SELECT CAST(state AS BLOB), count(*), sum(not_before>0) FROM picked "
                                       "GROUP BY state")));
    Ledger &ledger = desk.ledger.now.ledger;
    while (q.next()) {
        const JobState from = *jobStateFromName(q.value(0).toByteArray());
        const std::optional<JobState> to = moved(from, move);
        if (!to)
            return tl::make_unexpected(StoreError{
                StoreError::Kind::Internal,
                QStringLiteral("%1 rows cannot be moved so").arg(QLatin1String(jobStateName(from)))});
        const qint64 n = q.value(1).toLongLong();
        ledger[from] -= n;
        ledger[*to] += n;
        if (from == JobState::Queued)
            ledger.waiting -= q.value(2).toLongLong();
    }
    q.finish();
    MUSTER_TAKE(f,
                c.query(QStringLiteral("SELECT kind, host, code, count(*) FROM picked WHERE state='failed' "
                                       "GROUP BY 1, 2, 3")));
    while (f.next())
        MUSTER_TRY(RetireWriter::countFailure(c, f.value(0).toInt(), f.value(1).toLongLong(),
                                              f.value(2).toInt(), -f.value(3).toLongLong()));
    return {};
}

StoreResult<void> carryOut(Desk &desk, Verb verb)
{
    Connection &c = *desk.connection;
    const qint64 seq = desk.ledger.now.seq;
    switch (verb) {
    case Verb::Retry:
        MUSTER_TRY(countOut(desk, Move::Again));
        MUSTER_TRY(c.run("DELETE FROM record WHERE (row, run) IN (SELECT row, run FROM answer WHERE row IN "
                         "(SELECT row FROM picked))"));
        MUSTER_TRY(c.run("DELETE FROM answer WHERE row IN (SELECT row FROM picked)"));
        MUSTER_TRY(
            c.run("UPDATE row SET state='queued', run=?, tries=0, refusals=0, not_before=0, kind=0, code=0, "
                  "detail=NULL, note=NULL, seq=? WHERE row IN (SELECT row FROM picked)",
                  {desk.run, seq}));
        return {};
    case Verb::Skip:
        MUSTER_TRY(countOut(desk, Move::Skip));
        MUSTER_TRY(
            c.run("UPDATE row SET state='skipped', not_before=0, kind=0, detail=NULL, note='skipped by a "
                  "person', seq=? WHERE row IN (SELECT row FROM picked)",
                  {seq}));
        return {};
    case Verb::Accept:
        MUSTER_TRY(countOut(desk, Move::Accept));
        MUSTER_TRY(c.run("INSERT OR REPLACE INTO result SELECT * FROM answer WHERE row IN (SELECT row FROM "
                         "picked)"));
        MUSTER_TRY(c.run("UPDATE result SET seq=? WHERE row IN (SELECT row FROM picked)", {seq}));
        MUSTER_TRY(c.run("DELETE FROM answer WHERE row IN (SELECT row FROM picked)"));
        MUSTER_TRY(c.run("UPDATE row SET state='done', kind=0, detail=NULL, note=NULL, seq=? WHERE row IN "
                         "(SELECT row FROM picked)",
                         {seq}));
        return {};
    case Verb::First:
        ++desk.ledger.now.topPriority;
        MUSTER_TRY(c.run("UPDATE row SET priority=? WHERE row IN (SELECT row FROM picked)",
                         {desk.ledger.now.topPriority}));
        return {};
    }
    return {};
}

} // namespace

StoreResult<VerbCounts> applyVerb(Desk &desk, int number, const Selector &where)
{
    const auto verb = static_cast<Verb>(number);
    Connection &c = *desk.connection;
    VerbCounts counts;
    MUSTER_TRY(desk.write([&]() -> StoreResult<void> {
        ++desk.ledger.now.seq;
        MUSTER_TRY(pick(c, where));
        MUSTER_TAKE(named, c.value("SELECT count(*) FROM picked"));
        MUSTER_TRY(narrow(desk, verb));
        MUSTER_TAKE(fit, c.value("SELECT count(*) FROM picked"));
        counts.changed = fit.toLongLong();
        counts.left = named.toLongLong() - counts.changed;
        return carryOut(desk, verb);
    }));
    desk.book.invalidate();
    return counts;
}

} // namespace muster
