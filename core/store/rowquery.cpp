// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/rowquery.h"

#include "core/store/packing.h"
#include "core/store/retirewriter.h"
#include "core/store/selectorsql.h"

namespace muster {

namespace {

// `a`: the row; `o`: the row whose outcome it shows; `r`: the newest good result; `w`: a failed one's answer.
// Columns in the order in which view() reads them. CAST AS BLOB: text comes as bytes, not by way of UTF-16.
constexpr const char *select =
    "SELECT a.row, CAST(a.state AS BLOB), a.batch, a.line, a.parent, a.depth, CAST(a.url AS BLOB), a.input, "
    "a.duplicate_of, o.host, o.not_before, a.note, "
    "o.run, o.seq, o.attempts, o.kind, o.code, CAST(o.detail AS BLOB), o.note, CAST(o.proxy AS BLOB), "
    "o.started_at, o.connect_ms, o.first_byte_ms, o.body_ms, o.total_ms, o.waits, "
    "coalesce(r.run, w.run), coalesce(r.code, w.code), coalesce(r.first_code, w.first_code), "
    "coalesce(r.redirects, w.redirects), coalesce(r.bytes, w.bytes), coalesce(r.flags, w.flags), "
    "CAST(coalesce(r.final_url, w.final_url) AS BLOB), CAST(coalesce(r.content_type, w.content_type) AS "
    "BLOB), "
    "coalesce(r.body_hash, w.body_hash), CAST(coalesce(r.fields, w.fields) AS BLOB), "
    "coalesce(r.records, w.records), coalesce(r.crc, w.crc), r.run IS NOT NULL, r.seq, CAST(o.state AS "
    "BLOB) ";
constexpr int resultAt = 26;

QString from(bool duplicates, bool severalRuns, const SelectorSql &sql)
{
    // Without duplicates every row shows its own outcome: no second look-up.
    QString text = QStringLiteral("FROM row a ");
    if (duplicates)
        text += QStringLiteral("JOIN row o ON o.row=coalesce(a.duplicate_of, a.row) ");
    text += severalRuns
                ? QStringLiteral("LEFT JOIN result r ON r.row=o.row AND r.run=(SELECT max(x.run) FROM "
                                 "result x WHERE x.row=o.row) ")
                : QStringLiteral("LEFT JOIN result r ON r.row=o.row AND r.run=o.run ");
    text += QStringLiteral("LEFT JOIN answer w ON o.state='failed' AND r.row IS NULL AND w.row=o.row ");
    return text + QStringLiteral("WHERE a.row>? AND %1").arg(sql.condition);
}

QString own(QString text, bool duplicates)
{
    return duplicates ? text : text.replace(QLatin1String("o."), QLatin1String("a."));
}

} // namespace

StoreResult<QByteArray> RowQuery::hostName(qint64 id)
{
    if (id == 0)
        return QByteArray();
    if (const auto it = m_hosts.constFind(id); it != m_hosts.constEnd())
        return *it;
    MUSTER_TAKE(name, m_connection.value("SELECT CAST(name AS BLOB) FROM host WHERE host=?", {id}));
    if (m_hosts.size() > 10'000)
        m_hosts.clear();
    m_hosts.insert(id, name.toByteArray());
    return name.toByteArray();
}

StoreResult<InputColumns::Names> RowQuery::columns(qint64 batch)
{
    if (const auto it = m_columns.constFind(batch); it != m_columns.constEnd())
        return *it;
    MUSTER_TAKE(packed, m_connection.value("SELECT columns FROM batch WHERE batch=?", {batch}));
    InputColumns::Names names =
        std::make_shared<const QVector<QByteArray>>(packing::unpack(packed.toByteArray()));
    if (m_columns.size() > 1'000)
        m_columns.clear();
    m_columns.insert(batch, names);
    return names;
}

StoreResult<void> RowQuery::addResult(const QSqlQuery &q, int i, RowView &v)
{
    if (q.value(i).isNull())
        return {};
    const qint64 run = q.value(i++).toLongLong();
    v.code = q.value(i++).toInt();
    v.firstCode = q.value(i++).toInt();
    v.redirects = q.value(i++).toInt();
    v.bytes = q.value(i++).toLongLong();
    const int flags = q.value(i++).toInt();
    v.partial = flags & 1;
    v.unverifiedLength = flags & 2;
    v.finalUrl = q.value(i++).toByteArray();
    v.contentType = q.value(i++).toByteArray();
    const QByteArray hash = q.value(i++).toByteArray();
    v.fields = q.value(i++).toByteArray();
    const int records = q.value(i++).toInt();
    const quint32 crc = q.value(i++).toUInt();
    if (crc != RetireWriter::checksum(v.code, v.finalUrl, hash, v.fields))
        return tl::make_unexpected(
            StoreError{StoreError::Kind::Corrupt,
                       QStringLiteral("%1 is damaged: the result of row %2 does not fit its checksum")
                           .arg(m_connection.path())
                           .arg(v.row)});
    if (q.value(i++).toBool()) { // a good result, perhaps of an earlier run
        v.old = run != v.run || q.value(i + 1).toByteArray() != "done";
        v.run = run;
        v.seq = std::max(v.seq, q.value(i).toLongLong());
    }
    if (records == 0)
        return {};
    MUSTER_TAKE(list,
                m_connection.statement("SELECT CAST(fields AS BLOB) FROM record WHERE row=? AND run=? ORDER "
                                       "BY n"));
    list->bindValue(0, v.duplicateOf > 0 ? v.duplicateOf : v.row);
    list->bindValue(1, run);
    if (!list->exec())
        return tl::make_unexpected(Connection::error(list->lastError(), m_connection.path()));
    while (list->next())
        v.records.append(list->value(0).toByteArray());
    list->finish();
    return {};
}

StoreResult<RowView> RowQuery::view(const QSqlQuery &q)
{
    RowView v;
    int i = 0;
    v.row = q.value(i++).toLongLong();
    v.state = jobStateFromName(q.value(i++).toByteArray()).value_or(JobState::Queued);
    v.batch = q.value(i++).toLongLong();
    v.line = q.value(i++).toLongLong();
    v.foundOn = q.value(i++).toLongLong();
    v.depth = q.value(i++).toInt();
    v.url = q.value(i++).toByteArray();
    if (const QByteArray input = q.value(i++).toByteArray(); !input.isEmpty()) {
        MUSTER_TAKE(names, columns(v.batch));
        v.input = InputColumns(names, packing::unpack(input));
    }
    v.duplicateOf = q.value(i++).toLongLong();
    MUSTER_TAKE(host, hostName(q.value(i++).toLongLong()));
    v.host = host;
    v.notBefore = utcFromMs(q.value(i++).toLongLong());
    const QString ownNote = q.value(i++).toString();
    v.run = q.value(i++).toLongLong();
    v.seq = q.value(i++).toLongLong();
    v.attempts = q.value(i++).toInt();
    v.failure.kind = static_cast<FailureKind>(q.value(i++).toInt());
    v.code = v.firstCode = v.failure.code = q.value(i++).toInt();
    v.failure.detail = q.value(i++).toByteArray();
    v.failure.note = q.value(i++).toString();
    if (v.state == JobState::Refused)
        v.failure.note = ownNote;
    v.proxy = q.value(i++).toByteArray();
    v.timings.startedAt = utcFromMs(q.value(i++).toLongLong());
    v.timings.connectMs = q.value(i++).toInt();
    v.timings.firstByteMs = q.value(i++).toInt();
    v.timings.bodyMs = q.value(i++).toInt();
    v.timings.totalMs = q.value(i++).toInt();
    if (const QByteArray waits = q.value(i++).toByteArray(); !waits.isEmpty())
        v.waits = packing::unpackWaits(waits);
    MUSTER_TRY(addResult(q, resultAt, v));
    return v;
}

StoreResult<void> RowQuery::each(const Selector &where, qint64 after, int most,
                                 const std::function<bool(const RowView &)> &each)
{
    MUSTER_TAKE(duplicates, m_connection.value("SELECT n FROM counter WHERE state='duplicate'"));
    MUSTER_TAKE(run, m_connection.value("SELECT max(run) FROM run"));
    const bool shares = duplicates.toLongLong() > 0;
    const SelectorSql sql = toSql(where);
    const QString text = own(QLatin1String(select) + from(shares, run.toLongLong() > 1, sql), shares) +
                         QStringLiteral(" ORDER BY a.row LIMIT ?");
    QVariantList values{after};
    values << sql.values << most;
    MUSTER_TAKE(q, m_connection.query(text, values));
    while (q.next()) {
        MUSTER_TAKE(v, view(q));
        if (!each(v))
            return {};
    }
    if (q.lastError().isValid())
        return tl::make_unexpected(Connection::error(q.lastError(), m_connection.path()));
    return {};
}

StoreResult<qint64> RowQuery::count(const Selector &where)
{
    const SelectorSql sql = toSql(where);
    MUSTER_TAKE(q, m_connection.query(QStringLiteral("SELECT count(*) FROM row a JOIN row o ON "
                                                     "o.row=coalesce(a.duplicate_of, a.row) WHERE ") +
                                          sql.condition,
                                      sql.values));
    if (!q.next())
        return tl::make_unexpected(Connection::error(q.lastError(), m_connection.path()));
    return q.value(0).toLongLong();
}

StoreResult<QVector<qint64>> RowQuery::anchors(const Selector &where, int stride)
{
    const SelectorSql sql = toSql(where);
    const bool all = where.terms.isEmpty();
    MUSTER_TAKE(q, m_connection.query((all ? QStringLiteral("SELECT a.row FROM row a WHERE ")
                                           : QStringLiteral("SELECT a.row FROM row a JOIN row o ON "
                                                            "o.row=coalesce(a.duplicate_of, a.row) WHERE ")) +
                                          sql.condition + QStringLiteral(" ORDER BY a.row"),
                                      sql.values));
    QVector<qint64> rows;
    for (qint64 n = 0; q.next(); ++n)
        if (n % stride == 0)
            rows.append(q.value(0).toLongLong());
    if (q.lastError().isValid())
        return tl::make_unexpected(Connection::error(q.lastError(), m_connection.path()));
    return rows;
}

StoreResult<QVector<AttemptView>> RowQuery::attempts(qint64 row)
{
    MUSTER_TAKE(q,
                m_connection.statement(
                    "SELECT number, kind, code, CAST(detail AS BLOB), note, CAST(url AS BLOB), CAST(proxy AS "
                    "BLOB), started_at, connect_ms, first_byte_ms, body_ms, total_ms, waits, bytes, sends, "
                    "counted, hops FROM attempt WHERE row=? ORDER BY run, number"));
    q->bindValue(0, row);
    if (!q->exec())
        return tl::make_unexpected(Connection::error(q->lastError(), m_connection.path()));
    QVector<AttemptView> all;
    while (q->next()) {
        AttemptView v;
        AttemptRecord &a = v.record;
        v.row = row;
        int i = 0;
        v.number = q->value(i++).toInt();
        a.failure.kind = static_cast<FailureKind>(q->value(i++).toInt());
        a.code = a.failure.code = q->value(i++).toInt();
        a.failure.detail = q->value(i++).toByteArray();
        a.failure.note = q->value(i++).toString();
        a.url = q->value(i++).toByteArray();
        a.proxy = q->value(i++).toByteArray();
        a.timings.startedAt = utcFromMs(q->value(i++).toLongLong());
        a.timings.connectMs = q->value(i++).toInt();
        a.timings.firstByteMs = q->value(i++).toInt();
        a.timings.bodyMs = q->value(i++).toInt();
        a.timings.totalMs = q->value(i++).toInt();
        a.waits = packing::unpackWaits(q->value(i++).toByteArray());
        a.bytes = q->value(i++).toLongLong();
        a.sends = q->value(i++).toInt();
        a.counted = q->value(i++).toInt() != 0;
        a.hops = packing::unpackHops(q->value(i++).toByteArray());
        all.append(v);
    }
    q->finish();
    return all;
}

} // namespace muster
