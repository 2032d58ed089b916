// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/storereader.h"

#include "core/store/connection.h"
#include "core/store/ledgerbook.h"
#include "core/store/packing.h"
#include "core/store/rowquery.h"
#include "core/store/schema.h"

namespace muster {

struct StoreReader::Private
{
    std::unique_ptr<Connection> connection;
    std::unique_ptr<RowQuery> rows;
};

namespace {

/// One snapshot for several statements.
class ReadSpan
{
public:
    explicit ReadSpan(Connection &c)
        : m_connection(c)
        , m_begun(c.beginRead())
    {}
    ~ReadSpan()
    {
        if (m_begun)
            m_connection.rollback();
    }
    Q_DISABLE_COPY_MOVE(ReadSpan)
    const StoreResult<void> &begun() const { return m_begun; }

private:
    Connection &m_connection;
    StoreResult<void> m_begun;
};

} // namespace

StoreReader::StoreReader()
    : d(std::make_unique<Private>())
{}

StoreReader::~StoreReader() = default;

StoreResult<std::unique_ptr<StoreReader>> StoreReader::open(const QString &path)
{
    MUSTER_TRY(schema::checkFile(path));
    std::unique_ptr<StoreReader> reader(new StoreReader);
    MUSTER_TAKE(look, Connection::open(path, Connection::Mode::Look));
    MUSTER_TRY(schema::checkSchema(*look));
    MUSTER_TAKE(c, Connection::open(path, Connection::Mode::Read));
    reader->d->rows = std::make_unique<RowQuery>(*c);
    reader->d->connection = std::move(c);
    return reader;
}

StoreResult<QByteArray> StoreReader::settings() const
{
    MUSTER_TAKE(v, d->connection->value("SELECT CAST(value AS BLOB) FROM settings WHERE key='document'"));
    return v.toByteArray();
}

StoreResult<Ledger> StoreReader::ledger() const
{
    LedgerBook book;
    MUSTER_TRY(book.load(*d->connection));
    return book.kept().ledger;
}

StoreResult<qint64> StoreReader::seq() const
{
    MUSTER_TAKE(v, d->connection->value("SELECT n FROM counter WHERE state='seq'"));
    return v.toLongLong();
}

StoreResult<QVector<QString>> StoreReader::batchSources() const
{
    MUSTER_TAKE(
        q, d->connection->query(QStringLiteral("SELECT source FROM batch WHERE finished=1 ORDER BY batch")));
    QVector<QString> sources;
    while (q.next())
        sources += q.value(0).toString();
    return sources;
}

StoreResult<Waits> StoreReader::waits() const
{
    LedgerBook book;
    MUSTER_TRY(book.load(*d->connection));
    return book.kept().waits;
}

StoreResult<QVector<FailureGroup>> StoreReader::failures(int most) const
{
    MUSTER_TAKE(q,
                d->connection->query(QStringLiteral("SELECT f.kind, CAST(h.name AS BLOB), f.code, f.n FROM "
                                                    "failure f LEFT JOIN host h USING(host) "
                                                    "ORDER BY f.n DESC, f.kind, f.host, f.code LIMIT ?"),
                                     {most}));
    QVector<FailureGroup> groups;
    while (q.next())
        groups.append({static_cast<FailureKind>(q.value(0).toInt()), q.value(1).toByteArray(),
                       q.value(2).toInt(), q.value(3).toLongLong()});
    return groups;
}

StoreResult<QVector<HostView>> StoreReader::hosts(int most, Utc now) const
{
    // Closed ones first; then some of those with a queue.
    QVector<HostView> hosts;
    Connection &c = *d->connection;
    const auto counts = [&c](qint64 id, HostView &v) -> StoreResult<void> {
        MUSTER_TAKE(
            fresh,
            c.value("SELECT count(*) FROM row WHERE state='queued' AND not_before=0 AND host=?", {id}));
        MUSTER_TAKE(
            retries,
            c.value("SELECT count(*) FROM row WHERE state='queued' AND not_before>0 AND host=?", {id}));
        v.waiting = fresh.toLongLong() + retries.toLongLong();
        return {};
    };
    MUSTER_TAKE(q, c.query(QStringLiteral("SELECT host, CAST(name AS BLOB), closed_until FROM host WHERE "
                                          "closed_until>? ORDER BY closed_until DESC LIMIT ?"),
                           {toMs(now), most}));
    while (q.next()) {
        HostView v;
        v.host = q.value(1).toByteArray();
        v.state = HostState::Closed;
        v.until = utcFromMs(q.value(2).toLongLong());
        v.reason = QStringLiteral("told to wait");
        MUSTER_TRY(counts(q.value(0).toLongLong(), v));
        hosts.append(v);
    }
    q.finish();
    qint64 after = 0;
    while (hosts.size() < most) {
        MUSTER_TAKE(next,
                    c.value("SELECT min(m) FROM (SELECT min(host) AS m FROM row WHERE state='queued' AND "
                            "not_before=0 AND host>? UNION ALL SELECT min(host) FROM row WHERE "
                            "state='queued' AND not_before>0 AND host>?)",
                            {after, after}));
        if (next.isNull())
            break;
        after = next.toLongLong();
        MUSTER_TAKE(name, c.value("SELECT CAST(name AS BLOB) FROM host WHERE host=? AND "
                                  "coalesce(closed_until, 0)<=?",
                                  {after, toMs(now)}));
        if (name.isNull())
            continue;
        HostView v;
        v.host = name.toByteArray();
        MUSTER_TRY(counts(after, v));
        hosts.append(v);
    }
    return hosts;
}

StoreResult<QVector<QByteArray>> StoreReader::inputColumns() const
{
    MUSTER_TAKE(
        q, d->connection->query(QStringLiteral("SELECT columns FROM batch WHERE finished=1 ORDER BY batch")));
    QVector<QByteArray> names;
    while (q.next())
        for (const QByteArray &name : packing::unpack(q.value(0).toByteArray()))
            if (!names.contains(name))
                names.append(name);
    return names;
}

StoreResult<qint64> StoreReader::count(const Selector &where) const
{
    if (where.terms.isEmpty()) {
        MUSTER_TAKE(l, ledger());
        return l.total();
    }
    return d->rows->count(where);
}

StoreResult<QVector<RowView>> StoreReader::page(const Selector &where, qint64 after, int most) const
{
    ReadSpan snapshot(*d->connection);
    MUSTER_TRY(snapshot.begun());
    QVector<RowView> rows;
    MUSTER_TRY(d->rows->each(where, after, most, [&rows](const RowView &v) {
        rows.append(v);
        return true;
    }));
    return rows;
}

StoreResult<QVector<qint64>> StoreReader::anchors(const Selector &where, int stride) const
{
    return d->rows->anchors(where, std::max(1, stride));
}

StoreResult<QVector<AttemptView>> StoreReader::attempts(qint64 row) const
{
    return d->rows->attempts(row);
}

StoreResult<void> StoreReader::forEach(const Selector &where,
                                       const std::function<bool(const RowView &)> &each) const
{
    ReadSpan snapshot(*d->connection);
    MUSTER_TRY(snapshot.begun());
    return d->rows->each(where, 0, -1, each);
}

StoreResult<void>
StoreReader::forEachAttempt(const Selector &where,
                            const std::function<bool(const RowView &, const AttemptView &)> &each) const
{
    ReadSpan snapshot(*d->connection);
    MUSTER_TRY(snapshot.begun());
    StoreResult<void> inner;
    MUSTER_TRY(d->rows->each(where, 0, -1, [&](const RowView &row) {
        if (row.state == JobState::Duplicate)
            return true; // its tries are its first row's
        StoreResult<QVector<AttemptView>> tries = d->rows->attempts(row.row);
        if (!tries) {
            inner = tl::make_unexpected(tries.error());
            return false;
        }
        for (const AttemptView &a : *tries)
            if (!each(row, a))
                return false;
        return true;
    }));
    return inner;
}

} // namespace muster
