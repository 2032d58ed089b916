// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/connection.h"

#include <atomic>
#include <QSqlDriver>

namespace muster {

namespace {

// SQLite's primary result codes (sqlite3.h); Qt hands them on as text.
constexpr int sqliteBusy = 5, sqliteLocked = 6, sqliteReadOnly = 8, sqliteIoErr = 10, sqliteCorrupt = 11,
              sqliteFull = 13, sqliteCantOpen = 14, sqliteNotADb = 26;

QString connectionName()
{
    static std::atomic<quint64> next{0}; // Qt keeps connections by name
    return QStringLiteral("muster-%1").arg(++next);
}

} // namespace

StoreError Connection::error(const QSqlError &from, const QString &path)
{
    const int code = from.nativeErrorCode().toInt() & 0xff;
    const QString said = from.databaseText().isEmpty() ? from.driverText() : from.databaseText();
    using Kind = StoreError::Kind;
    switch (code) {
    case sqliteBusy:
    case sqliteLocked:
        return {Kind::Busy, QStringLiteral("%1 is locked by another program").arg(path)};
    case sqliteFull:
        return {Kind::Full, QStringLiteral("the disk that holds %1 is full").arg(path)};
    case sqliteReadOnly:
        return {Kind::ReadOnly, QStringLiteral("%1 cannot be written: it is read-only").arg(path)};
    case sqliteCorrupt:
    case sqliteNotADb:
        return {Kind::Corrupt, QStringLiteral("%1 is damaged (%2)").arg(path, said)};
    case sqliteIoErr:
    case sqliteCantOpen:
        return {Kind::Gone, QStringLiteral("%1 cannot be reached (%2)").arg(path, said)};
    default:
        return {Kind::Internal, QStringLiteral("%1: %2").arg(path, said)};
    }
}

Connection::Connection(QString path)
    : m_path(std::move(path))
    , m_name(connectionName())
{
    m_db = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), m_name);
}

Connection::~Connection()
{
    m_statements.clear();
    m_db.close();
    m_db = QSqlDatabase();
    QSqlDatabase::removeDatabase(m_name);
}

StoreResult<std::unique_ptr<Connection>> Connection::open(const QString &path, Mode mode)
{
    std::unique_ptr<Connection> c(new Connection(path));
    QString options = QStringLiteral("QSQLITE_BUSY_TIMEOUT=5000");
    if (mode == Mode::Look)
        options += QStringLiteral(";QSQLITE_OPEN_READONLY");
    c->m_db.setConnectOptions(options);
    c->m_db.setDatabaseName(path);
    if (!c->m_db.open())
        return tl::make_unexpected(error(c->m_db.lastError(), path));
    MUSTER_TRY(c->setUp(mode));
    return c;
}

StoreResult<void> Connection::setUp(Mode mode)
{
    static constexpr const char *always[] = {"PRAGMA trusted_schema=OFF", "PRAGMA cell_size_check=ON",
                                             "PRAGMA mmap_size=0", "PRAGMA temp_store=MEMORY",
                                             "PRAGMA foreign_keys=ON"};
    for (const char *sql : always)
        MUSTER_TRY(runOnce(QLatin1String(sql)));
    if (mode == Mode::Read || mode == Mode::Look)
        return runOnce(QStringLiteral("PRAGMA query_only=ON"));
    if (mode == Mode::Write) {
        MUSTER_TAKE(journal, query(QStringLiteral("PRAGMA journal_mode=WAL")));
        if (!journal.next() || journal.value(0).toString() != QLatin1String("wal"))
            return tl::make_unexpected(StoreError{
                StoreError::Kind::ReadOnly, QStringLiteral("%1 cannot keep a write-ahead log").arg(m_path)});
        journal.finish();
        MUSTER_TRY(runOnce(QStringLiteral("PRAGMA wal_autocheckpoint=0")));
        // A log that starts anew is cut on its first commit: its size on disk then is what it holds.
        MUSTER_TRY(runOnce(QStringLiteral("PRAGMA journal_size_limit=0")));
        MUSTER_TRY(runOnce(QStringLiteral("PRAGMA cache_size=-16384")));
    }
    return runOnce(QStringLiteral("PRAGMA synchronous=FULL"));
}

StoreResult<QSqlQuery *> Connection::statement(const char *literal)
{
    std::unique_ptr<QSqlQuery> &kept = m_statements[literal];
    if (!kept) {
        auto made = std::make_unique<QSqlQuery>(m_db);
        made->setForwardOnly(true);
        if (!made->prepare(QString::fromLatin1(literal)))
            return tl::make_unexpected(error(made->lastError(), m_path));
        kept = std::move(made);
    }
    return kept.get();
}

StoreResult<qint64> Connection::run(const char *literal, std::initializer_list<QVariant> values)
{
    MUSTER_TAKE(q, statement(literal));
    int i = 0;
    for (const QVariant &v : values)
        q->bindValue(i++, v);
    if (!q->exec())
        return tl::make_unexpected(error(q->lastError(), m_path));
    const qint64 changed = q->numRowsAffected();
    q->finish();
    return changed;
}

StoreResult<QVariant> Connection::value(const char *literal, std::initializer_list<QVariant> values)
{
    MUSTER_TAKE(q, statement(literal));
    int i = 0;
    for (const QVariant &v : values)
        q->bindValue(i++, v);
    if (!q->exec())
        return tl::make_unexpected(error(q->lastError(), m_path));
    QVariant first;
    if (q->next())
        first = q->value(0);
    else if (q->lastError().isValid())
        return tl::make_unexpected(error(q->lastError(), m_path));
    q->finish();
    return first;
}

StoreResult<QSqlQuery> Connection::query(const QString &sql, const QVariantList &values)
{
    QSqlQuery q(m_db);
    q.setForwardOnly(true);
    if (!q.prepare(sql))
        return tl::make_unexpected(error(q.lastError(), m_path));
    for (int i = 0; i < values.size(); ++i)
        q.bindValue(i, values[i]);
    if (!q.exec())
        return tl::make_unexpected(error(q.lastError(), m_path));
    return q;
}

StoreResult<void> Connection::runOnce(const QString &sql, const QVariantList &values)
{
    MUSTER_TAKE(q, query(sql, values));
    q.finish();
    return {};
}

StoreResult<void> Connection::begin()
{
    MUSTER_TRY(run("BEGIN IMMEDIATE"));
    return {};
}

StoreResult<void> Connection::beginRead()
{
    MUSTER_TRY(run("BEGIN"));
    return {};
}

StoreResult<void> Connection::commit()
{
    MUSTER_TRY(run("COMMIT"));
    return {};
}

void Connection::rollback()
{
    // Where SQLite rolled back by itself (disk full) this fails, and that is as well.
    (void)run("ROLLBACK");
}

} // namespace muster
