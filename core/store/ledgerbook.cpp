// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/ledgerbook.h"

#include <QHash>
#include <QStringList>

namespace muster {

namespace {

QString nameOf(JobState s)
{
    return QLatin1String(jobStateName(s));
}
QString waitName(std::size_t i)
{
    return QLatin1String("wait.") + QLatin1String(waitReasonName(static_cast<WaitReason>(i)));
}

} // namespace

StoreResult<void> LedgerBook::load(Connection &c)
{
    MUSTER_TAKE(q, c.statement("SELECT state, n FROM counter"));
    if (!q->exec())
        return tl::make_unexpected(Connection::error(q->lastError(), c.path()));
    QHash<QString, qint64> n;
    while (q->next())
        n.insert(q->value(0).toString(), q->value(1).toLongLong());
    q->finish();
    Counters k;
    for (const JobState s : allJobStates)
        k.ledger[s] = n.value(nameOf(s));
    k.ledger.waiting = n.value(QStringLiteral("waiting"));
    k.ledger.imported = n.value(QStringLiteral("imported"));
    k.ledger.found = n.value(QStringLiteral("found"));
    k.ledger.nextPages = n.value(QStringLiteral("next_pages"));
    k.seq = n.value(QStringLiteral("seq"));
    k.lastRow = n.value(QStringLiteral("last_row"));
    k.topPriority = n.value(QStringLiteral("top_priority"));
    for (std::size_t i = 0; i < waitReasonCount; ++i)
        k.waits.ms[i] = n.value(waitName(i));
    now = m_kept = k;
    return {};
}

void LedgerBook::move(std::optional<JobState> from, bool waitsBefore, std::optional<JobState> to,
                      bool waitsAfter)
{
    if (from) {
        --now.ledger[*from];
        now.ledger.waiting -= *from == JobState::Queued && waitsBefore;
    }
    if (to) {
        ++now.ledger[*to];
        now.ledger.waiting += *to == JobState::Queued && waitsAfter;
    }
}

StoreResult<void> LedgerBook::put(Connection &c, const QString &name, qint64 was, qint64 is)
{
    if (was == is)
        return {};
    MUSTER_TRY(
        c.run("INSERT INTO counter VALUES(?, ?) ON CONFLICT(state) DO UPDATE SET n=excluded.n", {name, is}));
    return {};
}

StoreResult<void> LedgerBook::write(Connection &c)
{
    const Counters &o = m_kept;
    for (const JobState s : allJobStates)
        MUSTER_TRY(put(c, nameOf(s), o.ledger[s], now.ledger[s]));
    MUSTER_TRY(put(c, QStringLiteral("waiting"), o.ledger.waiting, now.ledger.waiting));
    MUSTER_TRY(put(c, QStringLiteral("imported"), o.ledger.imported, now.ledger.imported));
    MUSTER_TRY(put(c, QStringLiteral("found"), o.ledger.found, now.ledger.found));
    MUSTER_TRY(put(c, QStringLiteral("next_pages"), o.ledger.nextPages, now.ledger.nextPages));
    MUSTER_TRY(put(c, QStringLiteral("seq"), o.seq, now.seq));
    MUSTER_TRY(put(c, QStringLiteral("last_row"), o.lastRow, now.lastRow));
    MUSTER_TRY(put(c, QStringLiteral("top_priority"), o.topPriority, now.topPriority));
    for (std::size_t i = 0; i < waitReasonCount; ++i)
        MUSTER_TRY(put(c, waitName(i), o.waits.ms[i], now.waits.ms[i]));
    return {};
}

StoreResult<QStringList> LedgerBook::verify(Connection &c)
{
    MUSTER_TAKE(q, c.statement("SELECT sum(state='queued'), sum(state='in_flight'), sum(state='done'), "
                               "sum(state='failed'), sum(state='skipped'), sum(state='duplicate'), "
                               "sum(state='refused'), sum(state='queued' AND not_before>0), sum(received=0), "
                               "sum(received=1 AND page=0), sum(received=1 AND page>0), max(row) FROM row"));
    if (!q->exec() || !q->next())
        return tl::make_unexpected(Connection::error(q->lastError(), c.path()));
    Ledger real;
    int column = 0;
    for (const JobState s : allJobStates)
        real[s] = q->value(column++).toLongLong();
    real.waiting = q->value(column++).toLongLong();
    real.imported = q->value(column++).toLongLong();
    real.found = q->value(column++).toLongLong();
    real.nextPages = q->value(column++).toLongLong();
    const qint64 lastRow = q->value(column).toLongLong();
    q->finish();

    QStringList wrong;
    const auto compare = [&wrong](const QString &name, qint64 counted, qint64 rows) {
        if (counted != rows)
            wrong << QStringLiteral("the ledger counted %1 as %2, the rows say %3; mended")
                         .arg(name)
                         .arg(counted)
                         .arg(rows);
    };
    const Ledger &l = now.ledger;
    for (const JobState s : allJobStates)
        compare(nameOf(s), l[s], real[s]);
    compare(QStringLiteral("waiting"), l.waiting, real.waiting);
    compare(QStringLiteral("imported"), l.imported, real.imported);
    compare(QStringLiteral("found"), l.found, real.found);
    compare(QStringLiteral("next_pages"), l.nextPages, real.nextPages);
    now.ledger = real;
    now.lastRow = std::max(now.lastRow, lastRow);
    return wrong;
}

} // namespace muster
