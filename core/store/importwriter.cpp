// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/importwriter.h"

#include "core/store/packing.h"

namespace muster {

namespace {
constexpr qsizetype rowsPerTransaction = 5'000;
// Every page of the identity index comes up again and again: 2,500,000 rows have room here.
constexpr const char *importCache = "PRAGMA cache_size=-57344";
constexpr const char *crawlCache = "PRAGMA cache_size=-16384";

/// A commit that is written but not waited for. An import is whole or not at all: until it is finished,
/// nothing of it has to outlive a power cut, and the next full commit takes all before it to the disk.
StoreResult<void> writeRelaxed(Desk &desk, const std::function<StoreResult<void>()> &work)
{
    MUSTER_TRY(desk.connection->runOnce(QStringLiteral("PRAGMA synchronous=NORMAL")));
    StoreResult<void> written = desk.write(work);
    MUSTER_TRY(desk.connection->runOnce(QStringLiteral("PRAGMA synchronous=FULL")));
    return written;
}
} // namespace

StoreResult<void> ImportWriter::checkOpen(qint64 batch) const
{
    if (batch <= 0 || batch != m_batch)
        return tl::make_unexpected(StoreError{StoreError::Kind::Internal,
                                              QStringLiteral("batch %1 is not being imported").arg(batch)});
    return {};
}

StoreResult<qint64> ImportWriter::begin(const BatchInfo &info, Utc at, bool share)
{
    if (m_batch > 0)
        return tl::make_unexpected(
            StoreError{StoreError::Kind::Busy, QStringLiteral("another import is not finished yet")});
    Connection &c = *m_desk.connection;
    qint64 batch = 0;
    MUSTER_TRY(m_desk.write([&]() -> StoreResult<void> {
        MUSTER_TAKE(last, c.value("SELECT max(batch) FROM batch"));
        batch = last.toLongLong() + 1;
        MUSTER_TRY(c.run("INSERT INTO batch VALUES(?, ?, ?, ?, ?, ?, ?, 0, 0, 0, 0, 0)",
                         {batch, toMs(at), notNull(info.source), notNull(info.format), notNull(info.encoding),
                          notNull(info.separator), bytes(packing::pack(info.columns))}));
        return {};
    }));
    m_batch = batch;
    m_share = share;
    m_counts = {};
    m_desk.book.setOpenBatch(batch);
    (void)c.runOnce(QLatin1String(importCache)); // only slower without
    return batch;
}

StoreResult<void> ImportWriter::take(const IntakeRow &row, ImportCounts &counts)
{
    RowWriter writer(m_desk);
    RowDraft d;
    d.batch = m_batch;
    d.line = row.line;
    d.url = row.url;
    d.input = packing::pack(row.cells);
    ++counts.rows;
    if (!row.refused.isEmpty()) {
        d.state = JobState::Refused;
        d.note = row.refused;
        MUSTER_TRY(writer.insert(d));
        ++counts.refused;
        ++counts.taken;
        return {};
    }
    if (m_share)
        d.identity = row.identity;
    MUSTER_TAKE(host, m_desk.hosts.idOf(*m_desk.connection, row.host, m_batch));
    d.host = host;
    MUSTER_TAKE(written, writer.insert(d));
    if (!written.equal) {
        ++counts.taken;
    } else if (written.equal->batch == m_batch) {
        MUSTER_TRY(writer.insertDuplicate(d, written.equal->row));
        ++counts.duplicates;
        ++counts.taken;
    } else {
        ++counts.known;
    }
    return {};
}

StoreResult<void> ImportWriter::add(qint64 batch, const QVector<IntakeRow> &rows,
                                    const std::function<void()> &committed)
{
    MUSTER_TRY(checkOpen(batch));
    for (qsizetype from = 0; from < rows.size(); from += rowsPerTransaction) {
        const qsizetype to = std::min(rows.size(), from + rowsPerTransaction);
        ImportCounts counts = m_counts;
        MUSTER_TRY(writeRelaxed(m_desk, [&]() -> StoreResult<void> {
            for (qsizetype i = from; i < to; ++i)
                MUSTER_TRY(take(rows[i], counts));
            return {};
        }));
        m_counts = counts;
        committed();
    }
    return {};
}

void ImportWriter::close()
{
    m_batch = 0;
    m_desk.book.setOpenBatch(0);
    (void)m_desk.connection->runOnce(QLatin1String(crawlCache));
    (void)m_desk.connection->runOnce(QStringLiteral("PRAGMA shrink_memory"));
}

StoreResult<ImportCounts> ImportWriter::finish(qint64 batch)
{
    MUSTER_TRY(checkOpen(batch));
    MUSTER_TRY(m_desk.write([&]() -> StoreResult<void> {
        ++m_desk.ledger.now.seq;
        MUSTER_TRY(m_desk.connection->run(
            "UPDATE batch SET taken=?, duplicates=?, refused=?, known=?, finished=1 WHERE batch=?",
            {m_counts.taken, m_counts.duplicates, m_counts.refused, m_counts.known, batch}));
        return {};
    }));
    close();
    return m_counts;
}

StoreResult<void> ImportWriter::remove(qint64 batch)
{
    // `count(*) … GROUP BY state` first: the counters go down with the rows.
    Connection &c = *m_desk.connection;
    MUSTER_TAKE(q,
                c.statement("SELECT state, count(*) FROM row WHERE batch=? AND received=0 GROUP BY state"));
    q->bindValue(0, batch);
    if (!q->exec())
        return tl::make_unexpected(Connection::error(q->lastError(), c.path()));
    Ledger &ledger = m_desk.ledger.now.ledger;
    while (q->next()) {
        const qint64 n = q->value(1).toLongLong();
        ledger[*jobStateFromName(q->value(0).toByteArray())] -= n;
        ledger.imported -= n;
    }
    q->finish();
    MUSTER_TRY(c.run("DELETE FROM row WHERE batch=?", {batch}));
    MUSTER_TRY(c.run("UPDATE host SET listed=NULL WHERE listed=?", {batch}));
    MUSTER_TRY(c.run("DELETE FROM batch WHERE batch=?", {batch}));
    m_desk.hosts.forget();
    return {};
}

StoreResult<void> ImportWriter::drop(qint64 batch)
{
    MUSTER_TRY(checkOpen(batch));
    MUSTER_TRY(m_desk.write([&] { return remove(batch); }));
    close();
    return {};
}

StoreResult<int> ImportWriter::dropUnfinished()
{
    MUSTER_TAKE(q, m_desk.connection->query(QStringLiteral("SELECT batch FROM batch WHERE finished=0")));
    QVector<qint64> batches;
    while (q.next())
        batches.append(q.value(0).toLongLong());
    q.finish();
    for (const qint64 batch : batches)
        MUSTER_TRY(m_desk.write([&] { return remove(batch); }));
    return static_cast<int>(batches.size());
}

} // namespace muster
