// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/control/writerlock.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <QDateTime>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSysInfo>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/control/runfolder.h"

namespace muster {

namespace {

constexpr qint64 mostLockBytes = 64 * 1024;

QByteArray toJson(const WriterInfo &i)
{
    return QJsonDocument(QJsonObject{{QStringLiteral("program"), i.program},
                                     {QStringLiteral("pid"), i.pid},
                                     {QStringLiteral("host"), i.host},
                                     {QStringLiteral("since"), toMs(i.since)},
                                     {QStringLiteral("socket"), i.socket}})
        .toJson(QJsonDocument::Compact);
}

std::optional<WriterInfo> fromJson(const QByteArray &json)
{
    const QJsonObject o = QJsonDocument::fromJson(json).object();
    if (!o.value(QLatin1String("pid")).isDouble())
        return std::nullopt;
    return WriterInfo{o.value(QLatin1String("program")).toString(), o.value(QLatin1String("pid")).toInteger(),
                      o.value(QLatin1String("host")).toString(),
                      utcFromMs(o.value(QLatin1String("since")).toInteger()),
                      o.value(QLatin1String("socket")).toString()};
}

std::optional<WriterInfo> readHolder(int fd)
{
    QByteArray text(mostLockBytes, Qt::Uninitialized);
    const ssize_t n = ::pread(fd, text.data(), static_cast<size_t>(text.size()), 0);
    text.truncate(std::max<qsizetype>(0, n));
    return fromJson(text);
}

/// The file may have been released, and removed, between opening and locking it.
bool isStillThere(int fd, const QByteArray &path)
{
    struct stat mine = {}, there = {};
    return ::fstat(fd, &mine) == 0 && ::stat(path.constData(), &there) == 0 && mine.st_ino == there.st_ino &&
           mine.st_dev == there.st_dev;
}

LockRefusal impossible(const QString &path)
{
    return {{},
            false,
            QStringLiteral("%1 cannot be locked: %2").arg(path, QString::fromLocal8Bit(strerror(errno)))};
}

} // namespace

QString describe(const WriterInfo &i)
{
    return QStringLiteral("%1 (process %2 on %3, since %4 UTC)")
        .arg(i.program)
        .arg(i.pid)
        .arg(i.host, QDateTime::fromMSecsSinceEpoch(toMs(i.since), Qt::UTC)
                         .toString(QStringLiteral("yyyy-MM-dd HH:mm:ss")));
}

QString WriterLock::lockPath(const QString &project)
{
    const QFileInfo info(canonicalPath(project));
    return QStringLiteral("%1/.%2.lock").arg(info.absolutePath(), info.fileName());
}

WriterLock::WriterLock(int fd, QString path, WriterInfo info)
    : m_fd(fd)
    , m_path(std::move(path))
    , m_info(std::move(info))
{}

WriterLock::~WriterLock()
{
    // While the lock is held: whoever opens the name after this makes a new file.
    ::unlink(QFile::encodeName(m_path).constData());
    ::close(m_fd);
}

tl::expected<std::unique_ptr<WriterLock>, LockRefusal> WriterLock::take(const QString &project,
                                                                        WriterInfo info)
{
    const QString path = lockPath(project);
    const QByteArray name = QFile::encodeName(path);
    for (;;) {
        const int fd = ::open(name.constData(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
        if (fd < 0)
            return tl::make_unexpected(impossible(path));
        if (::flock(fd, LOCK_EX | LOCK_NB) != 0) {
            const bool held = errno == EWOULDBLOCK;
            LockRefusal refusal = impossible(path);
            if (held) {
                refusal.held = true;
                refusal.holder = readHolder(fd);
                refusal.what = QStringLiteral("%1 is in use by %2")
                                   .arg(project, refusal.holder ? describe(*refusal.holder)
                                                                : QStringLiteral("another program"));
            }
            ::close(fd);
            return tl::make_unexpected(refusal);
        }
        if (!isStillThere(fd, name)) {
            ::close(fd);
            continue;
        }
        info.pid = ::getpid();
        info.host = QSysInfo::machineHostName();
        const QByteArray json = toJson(info);
        if (::ftruncate(fd, 0) != 0 ||
            ::pwrite(fd, json.constData(), static_cast<size_t>(json.size()), 0) != json.size()) {
            const LockRefusal refusal = impossible(path);
            ::close(fd);
            return tl::make_unexpected(refusal);
        }
        return std::unique_ptr<WriterLock>(new WriterLock(fd, path, std::move(info)));
    }
}

std::optional<WriterInfo> WriterLock::holder(const QString &project)
{
    const QByteArray name = QFile::encodeName(lockPath(project));
    const int fd = ::open(name.constData(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (fd < 0)
        return std::nullopt;
    // A shared lock is to be had exactly when nobody holds the other one.
    std::optional<WriterInfo> info;
    if (::flock(fd, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        info = readHolder(fd).value_or(WriterInfo{QStringLiteral("another program"), 0, {}, {}, {}});
    ::close(fd);
    return info;
}

} // namespace muster
