// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/retirewriter.h"

#include <zlib.h>

#include "core/job/request.h"
#include "core/store/packing.h"

namespace muster {

struct RetireWriter::Stand
{
    JobState state = JobState::Queued;
    qint64 run = 0, host = 0, notBefore = 0;
    int kind = 0, code = 0;
};

namespace {

QVariant textOrNull(const QByteArray &t)
{
    return t.isEmpty() ? QVariant() : QVariant(t);
}

StoreError illegal(qint64 row, JobState from, const QString &move)
{
    return {
        StoreError::Kind::Internal,
        QStringLiteral("row %1 is %2 and cannot %3").arg(row).arg(QLatin1String(jobStateName(from)), move)};
}

StoreResult<void> execute(Connection &c, QSqlQuery &q)
{
    if (!q.exec())
        return tl::make_unexpected(Connection::error(q.lastError(), c.path()));
    q.finish();
    return {};
}

} // namespace

quint32 RetireWriter::checksum(int code, const QByteArray &finalUrl, const QByteArray &bodyHash,
                               const QByteArray &fields)
{
    uLong crc = crc32(0, reinterpret_cast<const Bytef *>(&code), sizeof code);
    for (const QByteArray *part : {&finalUrl, &bodyHash, &fields})
        crc = crc32(crc, reinterpret_cast<const Bytef *>(part->constData()), static_cast<uInt>(part->size()));
    return static_cast<quint32>(crc);
}

StoreResult<RetireWriter::Stand> RetireWriter::stand(qint64 row)
{
    Connection &c = *m_desk.connection;
    MUSTER_TAKE(q, c.statement("SELECT CAST(state AS BLOB), run, host, not_before, kind, code FROM row "
                               "WHERE row=?"));
    q->bindValue(0, row);
    if (!q->exec())
        return tl::make_unexpected(Connection::error(q->lastError(), c.path()));
    if (!q->next()) {
        q->finish();
        return tl::make_unexpected(
            StoreError{StoreError::Kind::Internal, QStringLiteral("there is no row %1").arg(row)});
    }
    Stand s;
    s.state = *jobStateFromName(q->value(0).toByteArray());
    s.run = q->value(1).toLongLong();
    s.host = q->value(2).toLongLong();
    s.notBefore = q->value(3).toLongLong();
    s.kind = q->value(4).toInt();
    s.code = q->value(5).toInt();
    q->finish();
    return s;
}

StoreResult<void> RetireWriter::countFailure(Connection &c, int kind, qint64 host, int code, qint64 by)
{
    MUSTER_TRY(c.run("INSERT INTO failure VALUES(?, ?, ?, ?) ON CONFLICT(kind, host, code) DO UPDATE SET "
                     "n=n+excluded.n",
                     {kind, host, code, by}));
    if (by < 0)
        MUSTER_TRY(
            c.run("DELETE FROM failure WHERE kind=? AND host=? AND code=? AND n<=0", {kind, host, code}));
    return {};
}

StoreResult<void> RetireWriter::arm(const Arming &a)
{
    MUSTER_TAKE(was, stand(a.row));
    if (a.isWrite && was.state == JobState::InFlight) {
        MUSTER_TRY(m_desk.connection->run("UPDATE row SET is_write=1 WHERE row=?", {a.row}));
        return {};
    }
    if (!moved(was.state, Move::Arm))
        return tl::make_unexpected(illegal(a.row, was.state, QStringLiteral("be sent")));
    // The time of its first try is written when that try retires: a try that a crash ends does not count.
    MUSTER_TRY(
        m_desk.connection->run("UPDATE row SET state='in_flight', run=?, is_write=?, armed_at=? WHERE row=?",
                               {m_desk.run, a.isWrite ? 1 : 0, toMs(a.at), a.row}));
    m_desk.ledger.move(was.state, was.notBefore > 0, JobState::InFlight, false);
    if (!m_desk.book.isDrawn(a.row))
        m_changes.append({a.row, was.host, was.notBefore, false});
    return {};
}

StoreResult<void> RetireWriter::write(const Retired &r)
{
    MUSTER_TAKE(was, stand(r.job.row));
    const std::optional<JobState> to = moved(was.state, r.move);
    if (!to)
        return tl::make_unexpected(
            illegal(r.job.row, was.state, QStringLiteral("take move %1").arg(static_cast<int>(r.move))));
    const qint64 notBefore = *to == JobState::Queued ? std::max<qint64>(0, toMs(r.job.notBefore)) : 0;
    Connection &c = *m_desk.connection;
    if (was.state == JobState::Failed)
        MUSTER_TRY(countFailure(c, was.kind, was.host, was.code, -1));
    MUSTER_TRY(addAttempt(r, was));
    MUSTER_TRY(addResult(r, was, *to));
    MUSTER_TRY(updateRow(r, was, *to, notBefore));
    if (*to == JobState::Failed)
        MUSTER_TRY(countFailure(c, static_cast<int>(r.failure.kind), was.host,
                                r.result ? r.result->code : r.failure.code, 1));
    for (const NewRow &page : r.newRows)
        MUSTER_TRY(addNewRow(r, page));
    if (r.hostClosedUntil)
        MUSTER_TRY(closeHost(r));
    m_desk.ledger.move(was.state, was.notBefore > 0, *to, notBefore > 0);
    if (was.state == JobState::Queued)
        m_changes.append({r.job.row, was.host, was.notBefore, false});
    if (*to == JobState::Queued)
        m_changes.append({r.job.row, was.host, notBefore, true});
    return {};
}

StoreResult<void> RetireWriter::updateRow(const Retired &r, const Stand &was, JobState to, qint64 notBefore)
{
    // A cleaned row has no error; its last try's times stay.
    const bool shows = to == JobState::Failed || to == JobState::Skipped || to == JobState::Refused;
    const Failure f = shows ? r.failure : Failure();
    int code = f.code;
    if (r.result && to != JobState::Queued)
        code = r.result->code;
    Connection &c = *m_desk.connection;
    MUSTER_TAKE(q, c.statement("UPDATE row SET state=CAST(? AS TEXT), tries=?, attempts=?, refusals=?, "
                               "not_before=?, started_at=?, kind=?, code=?, detail=CAST(? AS TEXT), note=?, "
                               "waits=?, seq=?, armed_at=NULL WHERE row=?"));
    int i = 0;
    const Job &j = r.job;
    q->bindValue(i++, QByteArray(jobStateName(to)));
    q->bindValue(i++, j.tries);
    q->bindValue(i++, j.attempts);
    q->bindValue(i++, j.refusals);
    q->bindValue(i++, notBefore);
    q->bindValue(i++, orNull(toMs(j.firstStartedAt)));
    q->bindValue(i++, static_cast<int>(f.kind));
    q->bindValue(i++, code);
    q->bindValue(i++, textOrNull(f.detail));
    q->bindValue(i++, f.note.isEmpty() ? QVariant() : QVariant(f.note));
    q->bindValue(i++, textOrNull(packing::packWaits(j.waits)));
    q->bindValue(i++, m_desk.ledger.now.seq);
    q->bindValue(i++, j.row);
    MUSTER_TRY(execute(c, *q));
    if (!r.attempt)
        return {};
    const AttemptRecord &a = *r.attempt;
    MUSTER_TAKE(t,
                c.statement("UPDATE row SET proxy=CAST(? AS TEXT), connect_ms=?, first_byte_ms=?, body_ms=?, "
                            "total_ms=? WHERE row=?"));
    t->bindValue(0, textOrNull(a.proxy));
    t->bindValue(1, a.timings.connectMs);
    t->bindValue(2, a.timings.firstByteMs);
    t->bindValue(3, a.timings.bodyMs);
    t->bindValue(4, a.timings.totalMs);
    t->bindValue(5, j.row);
    Q_UNUSED(was)
    return execute(c, *t);
}

StoreResult<void> RetireWriter::addAttempt(const Retired &r, const Stand &was)
{
    if (!r.attempt)
        return {};
    const AttemptRecord &a = *r.attempt;
    m_desk.ledger.now.waits += a.waits;
    Connection &c = *m_desk.connection;
    MUSTER_TAKE(q, c.statement("INSERT INTO attempt SELECT ?, ?, coalesce(max(number), 0)+1, ?, ?, CAST(? AS "
                               "TEXT), ?, CAST(? AS TEXT), CAST(? AS TEXT), ?, ?, ?, ?, ?, ?, ?, ?, ?, ? "
                               "FROM attempt WHERE row=? AND run=?"));
    int i = 0;
    q->bindValue(i++, r.job.row);
    q->bindValue(i++, was.run);
    q->bindValue(i++, static_cast<int>(a.failure.kind));
    q->bindValue(i++, a.code);
    q->bindValue(i++, textOrNull(a.failure.detail));
    q->bindValue(i++, a.failure.note.isEmpty() ? QVariant() : QVariant(a.failure.note));
    q->bindValue(i++, textOrNull(a.url));
    q->bindValue(i++, textOrNull(a.proxy));
    q->bindValue(i++, toMs(a.timings.startedAt));
    q->bindValue(i++, a.timings.connectMs);
    q->bindValue(i++, a.timings.firstByteMs);
    q->bindValue(i++, a.timings.bodyMs);
    q->bindValue(i++, a.timings.totalMs);
    q->bindValue(i++, textOrNull(packing::packWaits(a.waits)));
    q->bindValue(i++, a.bytes);
    q->bindValue(i++, a.sends);
    q->bindValue(i++, a.counted ? 1 : 0);
    q->bindValue(i++, textOrNull(packing::packHops(a.hops)));
    q->bindValue(i++, r.job.row);
    q->bindValue(i++, was.run);
    return execute(c, *q);
}

StoreResult<void> RetireWriter::addResult(const Retired &r, const Stand &was, JobState to)
{
    Connection &c = *m_desk.connection;
    const bool good = to == JobState::Done;
    if (good && !r.result)
        return tl::make_unexpected(StoreError{
            StoreError::Kind::Internal, QStringLiteral("row %1 is done without a result").arg(r.job.row)});
    if (!r.result || (!good && to != JobState::Failed))
        return {};
    const ResultRecord &a = *r.result;
    // The two tables have the same columns: a failed answer becomes a result when a person accepts it.
    MUSTER_TAKE(
        q, c.statement(good ? "INSERT OR REPLACE INTO result VALUES(?, ?, ?, ?, ?, ?, ?, CAST(? AS TEXT), "
                              "CAST(? AS TEXT), ?, CAST(? AS TEXT), ?, ?, ?)"
                            : "INSERT OR REPLACE INTO answer VALUES(?, ?, ?, ?, ?, ?, ?, CAST(? AS TEXT), "
                              "CAST(? AS TEXT), ?, CAST(? AS TEXT), ?, ?, ?)"));
    const QVector<QByteArray> &records = a.refined.records;
    int i = 0;
    q->bindValue(i++, r.job.row);
    q->bindValue(i++, was.run);
    q->bindValue(i++, a.code);
    q->bindValue(i++, a.firstCode);
    q->bindValue(i++, a.redirects);
    q->bindValue(i++, a.bytes);
    q->bindValue(i++, (a.partial ? 1 : 0) | (a.unverifiedLength ? 2 : 0));
    q->bindValue(i++, textOrNull(a.finalUrl));
    q->bindValue(i++, textOrNull(a.contentType));
    q->bindValue(i++, textOrNull(a.bodyHash));
    q->bindValue(i++, textOrNull(a.refined.fields));
    q->bindValue(i++, m_desk.ledger.now.seq);
    q->bindValue(i++, records.size());
    q->bindValue(i++, checksum(a.code, a.finalUrl, a.bodyHash, a.refined.fields));
    MUSTER_TRY(execute(c, *q));
    MUSTER_TRY(c.run("DELETE FROM record WHERE row=? AND run=?", {r.job.row, was.run}));
    for (qsizetype n = 0; n < records.size(); ++n)
        MUSTER_TRY(c.run("INSERT INTO record VALUES(?, ?, ?, CAST(? AS TEXT))",
                         {r.job.row, was.run, n + 1, bytes(records[n])}));
    return {};
}

StoreResult<void> RetireWriter::addNewRow(const Retired &r, const NewRow &page)
{
    Connection &c = *m_desk.connection;
    RowDraft d;
    d.received = true;
    d.url = page.url;
    d.identity = page.identity;
    d.parent = r.job.row;
    d.page = page.nextPage ? std::max(1, page.page) : 0;
    d.depth = page.depth;
    if (page.nextPage) {
        // It carries columns, batch and line of the row its chain began with.
        d.origin = page.origin > 0 ? page.origin : r.job.row;
        MUSTER_TAKE(q, c.statement("SELECT batch, line, input FROM row WHERE row=?"));
        q->bindValue(0, d.origin);
        if (!q->exec())
            return tl::make_unexpected(Connection::error(q->lastError(), c.path()));
        if (q->next()) {
            d.batch = q->value(0).toLongLong();
            d.line = q->value(1).toLongLong();
            d.input = q->value(2).toByteArray();
        }
        q->finish();
    }
    MUSTER_TAKE(host, m_desk.hosts.idOf(c, page.host, 0));
    d.host = host;
    MUSTER_TAKE(written, RowWriter(m_desk).insert(d));
    if (written.row > 0)
        m_changes.append({written.row, host, 0, true});
    return {};
}

StoreResult<void> RetireWriter::closeHost(const Retired &r)
{
    // The host that answered: after a redirect not the one the row is filed under.
    QByteArray name = r.attempt ? targetOf(r.attempt->url).host : QByteArray();
    if (name.isEmpty())
        name = r.job.host;
    MUSTER_TAKE(host, m_desk.hosts.idOf(*m_desk.connection, name, 0));
    MUSTER_TRY(m_desk.connection->run("UPDATE host SET closed_until=? WHERE host=?",
                                      {toMs(*r.hostClosedUntil), host}));
    return {};
}

} // namespace muster
