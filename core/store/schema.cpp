// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/schema.h"

#include <QFile>
#include <QFileInfo>
#include <QHash>
#include <sys/stat.h>
#include <sys/vfs.h>

namespace muster::schema {

namespace {

// Names follow spec 9 and the SQL of the invariants. Times are UTC milliseconds; 0 or NULL: none.
// row.id1, id2: the two halves of the identity; NULL where the row stands for no request of its own.
// answer: what a failed row's last answer was, kept for `accept` and exports, so that `result` holds good
// ones only. failure: groups of failed rows, kept with them.
const QVector<Item> all{
    {"settings", "CREATE TABLE settings(key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID"},
    {"history", "CREATE TABLE history(id INTEGER PRIMARY KEY, at INTEGER NOT NULL, key TEXT NOT NULL, "
                "old TEXT NOT NULL, new TEXT NOT NULL) STRICT"},
    {"counter", "CREATE TABLE counter(state TEXT PRIMARY KEY, n INTEGER NOT NULL) STRICT, WITHOUT ROWID"},
    {"run", "CREATE TABLE run(run INTEGER PRIMARY KEY, started_at INTEGER NOT NULL) STRICT"},
    {"batch", "CREATE TABLE batch(batch INTEGER PRIMARY KEY, at INTEGER NOT NULL, source TEXT NOT NULL, "
              "format TEXT NOT NULL, encoding TEXT NOT NULL, separator TEXT NOT NULL, columns BLOB NOT NULL, "
              "taken INTEGER NOT NULL, duplicates INTEGER NOT NULL, refused INTEGER NOT NULL, "
              "known INTEGER NOT NULL, finished INTEGER NOT NULL) STRICT"},
    {"host", "CREATE TABLE host(host INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, listed INTEGER, "
             "closed_until INTEGER) STRICT"},
    {"row",
     "CREATE TABLE row(row INTEGER PRIMARY KEY, state TEXT NOT NULL CHECK(state IN ('queued','in_flight',"
     "'done','failed','skipped','duplicate','refused')), run INTEGER NOT NULL REFERENCES run, "
     "batch INTEGER REFERENCES batch, line INTEGER, host INTEGER REFERENCES host, id1 INTEGER, id2 INTEGER, "
     "priority INTEGER NOT NULL DEFAULT 0, not_before INTEGER NOT NULL DEFAULT 0, "
     "tries INTEGER NOT NULL DEFAULT 0, attempts INTEGER NOT NULL DEFAULT 0, "
     "refusals INTEGER NOT NULL DEFAULT 0, duplicate_of INTEGER, parent INTEGER, origin INTEGER, "
     "page INTEGER NOT NULL DEFAULT 0, depth INTEGER NOT NULL DEFAULT 0, "
     "received INTEGER NOT NULL DEFAULT 0, is_write INTEGER NOT NULL DEFAULT 0, armed_at INTEGER, "
     "started_at INTEGER, kind INTEGER NOT NULL DEFAULT 0, code INTEGER NOT NULL DEFAULT 0, detail TEXT, "
     "note TEXT, proxy TEXT, connect_ms INTEGER, first_byte_ms INTEGER, body_ms INTEGER, total_ms INTEGER, "
     "waits BLOB, seq INTEGER NOT NULL DEFAULT 0, url TEXT NOT NULL, input BLOB) STRICT"},
    {"row_identity", "CREATE UNIQUE INDEX row_identity ON row(id1) WHERE id1 IS NOT NULL"},
    {"row_new",
     "CREATE INDEX row_new ON row(host, priority DESC, row) WHERE state='queued' AND not_before=0"},
    {"row_retry",
     "CREATE INDEX row_retry ON row(host, not_before, row) WHERE state='queued' AND not_before>0"},
    {"row_flight", "CREATE INDEX row_flight ON row(row) WHERE state='in_flight'"},
    {"attempt", "CREATE TABLE attempt(row INTEGER NOT NULL REFERENCES row, run INTEGER NOT NULL, number "
                "INTEGER NOT NULL, "
                "kind INTEGER NOT NULL, code INTEGER NOT NULL, detail TEXT, note TEXT, url TEXT, proxy TEXT, "
                "started_at INTEGER NOT NULL, connect_ms INTEGER NOT NULL, first_byte_ms INTEGER NOT NULL, "
                "body_ms INTEGER NOT NULL, total_ms INTEGER NOT NULL, waits BLOB, bytes INTEGER NOT NULL, "
                "sends INTEGER NOT NULL, counted INTEGER NOT NULL, hops BLOB, PRIMARY KEY(row, run, number)) "
                "STRICT, WITHOUT ROWID"},
    {"result",
     "CREATE TABLE result(row INTEGER NOT NULL REFERENCES row, run INTEGER NOT NULL, code INTEGER NOT NULL, "
     "first_code INTEGER NOT NULL, redirects INTEGER NOT NULL, bytes INTEGER NOT NULL, flags INTEGER NOT "
     "NULL, "
     "final_url TEXT, content_type TEXT, body_hash BLOB, fields TEXT, seq INTEGER NOT NULL, "
     "records INTEGER NOT NULL, crc INTEGER NOT NULL, PRIMARY KEY(row, run)) STRICT, WITHOUT ROWID"},
    {"answer", "CREATE TABLE answer(row INTEGER PRIMARY KEY REFERENCES row, run INTEGER NOT NULL, code "
               "INTEGER NOT NULL, "
               "first_code INTEGER NOT NULL, redirects INTEGER NOT NULL, bytes INTEGER NOT NULL, flags "
               "INTEGER NOT NULL, "
               "final_url TEXT, content_type TEXT, body_hash BLOB, fields TEXT, seq INTEGER NOT NULL, "
               "records INTEGER NOT NULL, crc INTEGER NOT NULL) STRICT"},
    {"record", "CREATE TABLE record(row INTEGER NOT NULL REFERENCES row, run INTEGER NOT NULL, "
               "n INTEGER NOT NULL, fields TEXT NOT NULL, PRIMARY KEY(row, run, n)) STRICT, WITHOUT ROWID"},
    {"link",
     "CREATE TABLE link(row INTEGER NOT NULL REFERENCES row, run INTEGER NOT NULL, n INTEGER NOT NULL, "
     "target INTEGER, url TEXT NOT NULL, PRIMARY KEY(row, run, n)) STRICT, WITHOUT ROWID"},
    {"limiter_use",
     "CREATE TABLE limiter_use(name TEXT NOT NULL, instance TEXT NOT NULL, quota TEXT NOT NULL, "
     "period INTEGER NOT NULL, used INTEGER NOT NULL, last_at INTEGER NOT NULL, "
     "PRIMARY KEY(name, instance, quota)) STRICT, WITHOUT ROWID"},
    {"failure", "CREATE TABLE failure(kind INTEGER NOT NULL, host INTEGER NOT NULL, code INTEGER NOT NULL, "
                "n INTEGER NOT NULL, PRIMARY KEY(kind, host, code)) STRICT, WITHOUT ROWID"},
};

StoreError refuse(StoreError::Kind kind, const QString &what)
{
    return {kind, what};
}

} // namespace

const QVector<Item> &items()
{
    return all;
}

StoreResult<void> create(Connection &c, const QByteArray &settings)
{
    MUSTER_TRY(c.runOnce(QStringLiteral("PRAGMA page_size=4096")));
    MUSTER_TRY(c.runOnce(QStringLiteral("PRAGMA application_id=%1").arg(applicationId)));
    Transaction t(c);
    MUSTER_TRY(t.begin());
    for (const Item &i : all)
        MUSTER_TRY(c.runOnce(QLatin1String(i.sql)));
    MUSTER_TRY(c.runOnce(QStringLiteral("PRAGMA user_version=%1").arg(version)));
    MUSTER_TRY(c.run("INSERT INTO settings VALUES('document', CAST(? AS TEXT))", {bytes(settings)}));
    MUSTER_TRY(c.run("INSERT INTO run VALUES(1, 0)"));
    for (const char *name : {"queued", "in_flight", "done", "failed", "skipped", "duplicate", "refused",
                             "waiting", "imported", "found", "next_pages", "seq", "last_row", "top_priority"})
        MUSTER_TRY(c.run("INSERT INTO counter VALUES(?, 0)", {QString::fromLatin1(name)}));
    return t.commit();
}

bool isNetworkFileSystem(quint64 magic)
{
    switch (magic & 0xffffffffu) {
    case 0x6969:     // NFS
    case 0x517b:     // SMB
    case 0xff534d42: // CIFS
    case 0xfe534d42: // SMB2
    case 0x5346414f: // AFS
    case 0x73757245: // Coda
    case 0x564c:     // NCP
    case 0x00c36400: // Ceph
        return true;
    default:
        return false;
    }
}

StoreResult<void> checkFileSystem(const QString &path, const QString &shown)
{
    struct statfs fs = {};
    if (statfs(QFile::encodeName(path).constData(), &fs) == 0 &&
        isNetworkFileSystem(static_cast<quint64>(fs.f_type)))
        return tl::make_unexpected(refuse(
            StoreError::Kind::ReadOnly,
            QStringLiteral("%1 lies on a network file system, where a project cannot be kept safe; use a "
                           "disk of this machine")
                .arg(shown)));
    return {};
}

StoreResult<void> checkFile(const QString &path)
{
    using Kind = StoreError::Kind;
    const QFileInfo info(path);
    if (!info.exists())
        return tl::make_unexpected(refuse(Kind::Gone, QStringLiteral("there is no %1").arg(path)));
    if (!info.isFile())
        return tl::make_unexpected(
            refuse(Kind::Corrupt, QStringLiteral("%1 is not a file but a folder or device").arg(path)));
    MUSTER_TRY(checkFileSystem(path, path));
    struct stat s = {};
    if (::stat(QFile::encodeName(path).constData(), &s) == 0 && s.st_nlink > 1)
        return tl::make_unexpected(
            refuse(Kind::ReadOnly,
                   QStringLiteral("%1 has a second name (a hard link), under which its log would not be "
                                  "found; copy it and use the copy")
                       .arg(path)));
    if (info.size() == 0)
        return tl::make_unexpected(
            refuse(Kind::Corrupt, QStringLiteral("%1 is empty, not a project").arg(path)));
    if (!info.isReadable())
        return tl::make_unexpected(
            refuse(Kind::ReadOnly, QStringLiteral("%1 cannot be read: permission denied").arg(path)));
    return {};
}

StoreResult<void> checkSchema(Connection &c)
{
    using Kind = StoreError::Kind;
    MUSTER_TAKE(id, c.value("PRAGMA application_id"));
    if (id.toLongLong() != applicationId)
        return tl::make_unexpected(
            refuse(Kind::Corrupt, QStringLiteral("%1 belongs to another program").arg(c.path())));
    MUSTER_TAKE(found, c.value("PRAGMA user_version"));
    if (found.toInt() > version)
        return tl::make_unexpected(refuse(
            Kind::ReadOnly, QStringLiteral("%1 was written by a newer Muster (project version %2, this one "
                                           "reads up to %3); it is left untouched")
                                .arg(c.path(), found.toString())
                                .arg(version)));
    if (found.toInt() != version)
        return tl::make_unexpected(
            refuse(Kind::Corrupt, QStringLiteral("%1 has no known project version").arg(c.path())));
    QHash<QString, QString> wanted;
    for (const Item &i : all)
        wanted.insert(QLatin1String(i.name), QLatin1String(i.sql));
    MUSTER_TAKE(q, c.query(QStringLiteral("SELECT name, sql FROM sqlite_schema")));
    while (q.next()) {
        const QString name = q.value(0).toString();
        const QString sql = q.value(1).toString();
        if (sql.isEmpty() && name.startsWith(QLatin1String("sqlite_autoindex_")))
            continue;
        if (const auto it = wanted.constFind(name); it == wanted.constEnd() || *it != sql)
            return tl::make_unexpected(refuse(
                StoreError::Kind::Corrupt,
                QStringLiteral("%1 holds something that no Muster project has: %2").arg(c.path(), name)));
        wanted.remove(name);
    }
    if (q.lastError().isValid())
        return tl::make_unexpected(Connection::error(q.lastError(), c.path()));
    if (!wanted.isEmpty())
        return tl::make_unexpected(
            refuse(StoreError::Kind::Corrupt, QStringLiteral("%1 lacks a part of a Muster project: %2")
                                                  .arg(c.path(), wanted.constBegin().key())));
    return {};
}

} // namespace muster::schema
