// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/control/runfolder.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

namespace muster {

tl::expected<QString, QString> runFolder()
{
    QString folder;
    // A relative path there is to be ignored (XDG base directory specification).
    if (const QString runtime = qEnvironmentVariable("XDG_RUNTIME_DIR"); runtime.startsWith(u'/')) {
        folder = runtime + QStringLiteral("/muster");
    } else {
        QString state = qEnvironmentVariable("XDG_STATE_HOME");
        if (!state.startsWith(u'/'))
            state = QDir::homePath() + QStringLiteral("/.local/state");
        if (!QDir().mkpath(state + QStringLiteral("/muster")))
            return tl::make_unexpected(QStringLiteral("%1/muster cannot be made").arg(state));
        folder = state + QStringLiteral("/muster/run");
    }
    const QByteArray name = QFile::encodeName(folder);
    if (::mkdir(name.constData(), 0700) != 0 && errno != EEXIST)
        return tl::make_unexpected(
            QStringLiteral("%1 cannot be made: %2").arg(folder, QString::fromLocal8Bit(strerror(errno))));
    struct stat s = {};
    if (::lstat(name.constData(), &s) != 0 || !S_ISDIR(s.st_mode) || s.st_uid != ::geteuid())
        return tl::make_unexpected(QStringLiteral("%1 is not a folder of yours").arg(folder));
    if ((s.st_mode & 0077) != 0 && ::chmod(name.constData(), 0700) != 0)
        return tl::make_unexpected(QStringLiteral("%1 is open to others").arg(folder));
    return folder;
}

QString canonicalPath(const QString &path)
{
    const QFileInfo info(path);
    if (const QString canonical = info.canonicalFilePath(); !canonical.isEmpty())
        return canonical;
    const QString folder = QFileInfo(info.absolutePath()).canonicalFilePath();
    return (folder.isEmpty() ? info.absolutePath() : folder) + QLatin1Char('/') + info.fileName();
}

tl::expected<QString, QString> socketPath(const QString &project)
{
    const auto folder = runFolder();
    if (!folder)
        return folder;
    const QByteArray hash =
        QCryptographicHash::hash(QFile::encodeName(canonicalPath(project)), QCryptographicHash::Sha256)
            .left(12)
            .toHex();
    const QString path = *folder + QLatin1Char('/') + QString::fromLatin1(hash) + QStringLiteral(".sock");
    if (QFile::encodeName(path).size() >= static_cast<qsizetype>(sizeof(sockaddr_un::sun_path)))
        return tl::make_unexpected(
            QStringLiteral("%1 is too long for a socket; set XDG_RUNTIME_DIR to a shorter "
                           "folder")
                .arg(path));
    return path;
}

} // namespace muster
