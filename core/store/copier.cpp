// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/copier.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <QFile>
#include <QFileInfo>
#include <unistd.h>

#include "core/store/schema.h"

namespace muster {

namespace {

StoreError fileError(const QString &path, int code)
{
    using Kind = StoreError::Kind;
    // Whatever else it is, a file cannot be written there.
    const Kind kind = code == ENOSPC || code == EDQUOT ? Kind::Full : Kind::ReadOnly;
    if (code == EEXIST)
        return {Kind::ReadOnly, QStringLiteral("%1 is there already; choose another name").arg(path)};
    return {kind, QStringLiteral("%1 cannot be made: %2").arg(path, QString::fromLocal8Bit(strerror(code)))};
}

QString hiddenName(const QString &path)
{
    const QFileInfo info(path);
    return QStringLiteral("%1/.%2.new-%3").arg(info.absolutePath(), info.fileName()).arg(::getpid());
}

/// Gives the whole file its name, unless that name is taken.
StoreResult<void> publish(const QString &hidden, const QString &path)
{
    const QByteArray from = QFile::encodeName(hidden);
    const QByteArray to = QFile::encodeName(path);
    const int fd = ::open(from.constData(), O_RDONLY | O_CLOEXEC);
    if (fd < 0 || ::fsync(fd) != 0) {
        const int code = errno;
        if (fd >= 0)
            ::close(fd);
        return tl::make_unexpected(fileError(path, code));
    }
    ::close(fd);
    // Never over another file, and never two names: a log belongs to one of them only.
    if (::renameat2(AT_FDCWD, from.constData(), AT_FDCWD, to.constData(), RENAME_NOREPLACE) != 0)
        return tl::make_unexpected(fileError(path, errno));
    const QByteArray folder = QFile::encodeName(QFileInfo(path).absolutePath());
    if (const int dir = ::open(folder.constData(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); dir >= 0) {
        ::fsync(dir);
        ::close(dir);
    }
    return {};
}

StoreResult<void> makeHidden(const QString &path,
                             const std::function<StoreResult<void>(const QString &)> &fill)
{
    if (QFileInfo::exists(path))
        return tl::make_unexpected(fileError(path, EEXIST));
    const QString hidden = hiddenName(path);
    QFile::remove(hidden);
    const int fd = ::open(QFile::encodeName(hidden).constData(), O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
    if (fd < 0)
        return tl::make_unexpected(fileError(path, errno));
    ::close(fd);
    StoreResult<void> r = schema::checkFileSystem(hidden, path);
    if (r)
        r = fill(hidden);
    if (r)
        r = publish(hidden, path);
    for (const char *end : {"", "-journal", "-wal", "-shm"})
        QFile::remove(hidden + QLatin1String(end));
    return r;
}

} // namespace

StoreResult<void> makeProjectFile(const QString &path,
                                  const std::function<StoreResult<void>(Connection &)> &fill)
{
    return makeHidden(path, [&fill](const QString &hidden) -> StoreResult<void> {
        MUSTER_TAKE(c, Connection::open(hidden, Connection::Mode::Create));
        return fill(*c);
    });
}

StoreResult<void> copyWhole(const QString &from, const QString &path)
{
    return makeHidden(path, [&from](const QString &hidden) -> StoreResult<void> {
        MUSTER_TAKE(c, Connection::open(from, Connection::Mode::Create));
        return c->runOnce(QStringLiteral("VACUUM INTO ?"), {hidden}); // an empty file is taken
    });
}

StoreResult<void> copyRest(const QString &from, const QString &path, const QByteArray &settings)
{
    return makeProjectFile(path, [&](Connection &c) -> StoreResult<void> {
        MUSTER_TRY(schema::create(c, settings));
        MUSTER_TRY(c.runOnce(QStringLiteral("ATTACH ? AS old"), {from}));
        Transaction t(c);
        MUSTER_TRY(t.begin());
        static constexpr const char *steps[] = {
            "INSERT INTO host SELECT host, name, listed, closed_until FROM old.host",
            "INSERT INTO batch SELECT * FROM old.batch WHERE finished=1",
            "INSERT OR IGNORE INTO run SELECT * FROM old.run",
            "INSERT INTO row SELECT a.* FROM old.row a LEFT JOIN old.row o ON o.row=a.duplicate_of WHERE "
            "coalesce(o.state, a.state)<>'done' AND (a.batch IS NULL OR a.batch IN (SELECT batch FROM "
            "batch))",
            // Results and tries stay behind: nothing that points at them goes along.
            "UPDATE row SET attempts=0, waits=NULL, started_at=NULL, seq=0",
            "INSERT INTO failure SELECT kind, coalesce(host, 0), code, count(*) FROM row WHERE "
            "state='failed' "
            "GROUP BY 1, 2, 3",
            "UPDATE counter SET n=(SELECT count(*) FROM row WHERE row.state=counter.state) WHERE state IN "
            "('queued','in_flight','done','failed','skipped','duplicate','refused')",
            "UPDATE counter SET n=(SELECT count(*) FROM row WHERE state='queued' AND not_before>0) WHERE "
            "state='waiting'",
            "UPDATE counter SET n=(SELECT count(*) FROM row WHERE received=0) WHERE state='imported'",
            "UPDATE counter SET n=(SELECT count(*) FROM row WHERE received=1 AND page=0) WHERE state='found'",
            "UPDATE counter SET n=(SELECT count(*) FROM row WHERE received=1 AND page>0) WHERE "
            "state='next_pages'",
            "UPDATE counter SET n=(SELECT o.n FROM old.counter o WHERE o.state=counter.state) WHERE state IN "
            "('last_row','top_priority')"};
        for (const char *sql : steps)
            MUSTER_TRY(c.runOnce(QLatin1String(sql)));
        return t.commit();
    });
}

} // namespace muster
