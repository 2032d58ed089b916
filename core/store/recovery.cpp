// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/recovery.h"

#include "core/store/retirewriter.h"

namespace muster {

namespace {

StoreResult<void> endWrites(Desk &desk, qint64 &ended)
{
    Connection &c = *desk.connection;
    const int kind = static_cast<int>(FailureKind::ClosedEarly);
    MUSTER_TRY(
        c.run("INSERT INTO attempt SELECT row, run, coalesce((SELECT max(number) FROM attempt a WHERE "
              "a.row=row.row AND a.run=row.run), 0)+1, ?, 0, 'send_uncertain', 'in flight when the "
              "program ended', NULL, NULL, coalesce(armed_at, 0), 0, 0, 0, 0, NULL, 0, 1, 1, NULL FROM row "
              "WHERE state='in_flight' AND is_write=1",
              {kind}));
    MUSTER_TAKE(q, c.query(QStringLiteral("SELECT host, count(*) FROM row WHERE state='in_flight' AND "
                                          "is_write=1 GROUP BY host")));
    QVector<std::pair<qint64, qint64>> groups;
    while (q.next())
        groups.append({q.value(0).toLongLong(), q.value(1).toLongLong()});
    q.finish();
    for (const auto &[host, n] : groups)
        MUSTER_TRY(RetireWriter::countFailure(c, kind, host, 0, n));
    MUSTER_TAKE(changed,
                c.run("UPDATE row SET state='failed', tries=tries+1, attempts=attempts+1, "
                      "started_at=coalesce(started_at, armed_at), kind=?, code=0, detail='send_uncertain', "
                      "note='in flight when the program ended', not_before=0, seq=?, armed_at=NULL "
                      "WHERE state='in_flight' AND is_write=1",
                      {kind, desk.ledger.now.seq}));
    ended = changed;
    return {};
}

StoreResult<void> rebuildFailures(Connection &c)
{
    MUSTER_TRY(c.run("DELETE FROM failure"));
    MUSTER_TRY(c.run("INSERT INTO failure SELECT kind, coalesce(host, 0), code, count(*) FROM row WHERE "
                     "state='failed' GROUP BY 1, 2, 3"));
    return {};
}

} // namespace

StoreResult<QStringList> recover(Desk &desk)
{
    QStringList notes;
    Connection &c = *desk.connection;
    // The comparison first, on the file as it was left; then every move counts itself.
    LedgerBook found = desk.ledger;
    MUSTER_TAKE(wrong, found.verify(c));
    notes += wrong;
    if (!wrong.isEmpty() || found.now.lastRow != desk.ledger.now.lastRow)
        MUSTER_TRY(desk.write([&]() -> StoreResult<void> {
            desk.ledger.now = found.now;
            return rebuildFailures(c);
        }));
    if (desk.ledger.now.ledger[JobState::InFlight] == 0)
        return notes;
    qint64 ended = 0;
    qint64 back = 0;
    MUSTER_TRY(desk.write([&]() -> StoreResult<void> {
        ++desk.ledger.now.seq;
        MUSTER_TRY(endWrites(desk, ended));
        MUSTER_TAKE(waiting, c.value("SELECT count(*) FROM row WHERE state='in_flight' AND not_before>0"));
        MUSTER_TAKE(changed, c.run("UPDATE row SET state='queued', seq=?, armed_at=NULL WHERE "
                                   "state='in_flight'",
                                   {desk.ledger.now.seq}));
        back = changed;
        Ledger &l = desk.ledger.now.ledger;
        l[JobState::InFlight] -= ended + back;
        l[JobState::Failed] += ended;
        l[JobState::Queued] += back;
        l.waiting += waiting.toLongLong();
        return {};
    }));
    if (back > 0)
        notes << QStringLiteral("%1 jobs were in flight when the last run was cut off; they are queued again")
                     .arg(back);
    if (ended > 0)
        notes << QStringLiteral("%1 POST or PUT requests were in flight; outcome unknown, not retried")
                     .arg(ended);
    return notes;
}

} // namespace muster
