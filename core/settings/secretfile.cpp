// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/settings/secretfile.h"

#include <cerrno>
#include <fcntl.h>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLockFile>
#include <QSaveFile>
#include <QSet>
#include <sys/stat.h>
#include <unistd.h>

#include "core/settings/secretlookup.h"

namespace muster {

namespace {

constexpr qint64 largest = 1024 * 1024;

Problem problem(const QString &place, const QString &reason, const QString &mend)
{
    return {Problem::Severity::Error, place, reason, mend};
}

QString systemReason(int error)
{
    return QStringLiteral("it cannot be opened: ") + qt_error_string(error);
}

/// The open file's whole content, or why it may not be used.
tl::expected<QByteArray, Problem> contentOf(QFile &file, const QString &path, SecretFileMode mode)
{
    struct stat st = {};
    if (::fstat(file.handle(), &st) != 0 || !S_ISREG(st.st_mode))
        return tl::unexpected(problem(path, QStringLiteral("it is no plain file"),
                                      QStringLiteral("name a file with lines NAME=value")));
    if (mode == SecretFileMode::OwnerOnly && (st.st_mode & 077) != 0)
        return tl::unexpected(problem(path,
                                      QStringLiteral("others may read or write it (mode %1)")
                                          .arg(st.st_mode & 0777, 4, 8, QLatin1Char('0')),
                                      QStringLiteral("run `chmod 600` on it")));
    const QByteArray content = file.read(largest + 1);
    if (content.size() > largest)
        return tl::unexpected(problem(path, QStringLiteral("it is larger than 1 MiB"),
                                      QStringLiteral("name a file with lines NAME=value")));
    return content;
}

/// Opened without waiting, should it be a pipe without a writer.
tl::expected<QByteArray, Problem> readWhole(const QString &path, SecretFileMode mode, bool optional)
{
    const int fd = ::open(QFile::encodeName(path).constData(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) {
        if (optional && (errno == ENOENT || errno == ENOTDIR))
            return QByteArray();
        return tl::unexpected(problem(path, systemReason(errno), QStringLiteral("check its path and owner")));
    }
    QFile file;
    if (!file.open(fd, QIODevice::ReadOnly, QFileDevice::AutoCloseHandle)) {
        ::close(fd);
        return tl::unexpected(
            problem(path, QStringLiteral("it cannot be read"), QStringLiteral("name a plain file")));
    }
    return contentOf(file, path, mode);
}

/// The name before `=`, in lower case; empty for blank and # lines; nothing for a line that is none of these.
std::optional<QByteArray> nameOf(const QByteArray &line)
{
    const QByteArray trimmed = line.trimmed();
    if (trimmed.isEmpty() || trimmed.startsWith('#'))
        return QByteArray();
    const QByteArray name = line.left(std::max<qsizetype>(line.indexOf('='), 0)).trimmed().toLower();
    return isSecretName(name) ? std::optional(name) : std::nullopt;
}

QByteArray withoutReturn(QByteArray line)
{
    if (line.endsWith('\r'))
        line.chop(1);
    return line;
}

std::optional<Problem> writeFile(const QString &path, const QByteArray &content)
{
    QSaveFile file(path);
    // The mode comes before the content, so that no moment shows it to others.
    const bool written = file.open(QIODevice::WriteOnly) &&
                         file.setPermissions(QFileDevice::ReadOwner | QFileDevice::WriteOwner) &&
                         file.write(content) == content.size() && file.commit();
    if (written)
        return std::nullopt;
    return problem(path, QStringLiteral("it cannot be written: ") + file.errorString(),
                   QStringLiteral("check the folder's owner and the room on the disk"));
}

std::optional<Problem> makeFolder(const QString &folder)
{
    const QByteArray name = QFile::encodeName(folder);
    if (::access(name.constData(), F_OK) == 0)
        return std::nullopt;
    QDir().mkpath(QFileInfo(folder).path());
    if (::mkdir(name.constData(), 0700) == 0 || errno == EEXIST)
        return std::nullopt;
    return problem(folder, QStringLiteral("it cannot be made: ") + qt_error_string(errno),
                   QStringLiteral("check the owner of the folder above it"));
}

QByteArray withLine(const QByteArray &content, const QByteArray &name, const QByteArray &value)
{
    QByteArray out;
    bool placed = false;
    const QByteArray line = name + '=' + value + '\n';
    for (const QByteArray &old : content.split('\n')) {
        if (nameOf(old) == name) {
            out += placed ? QByteArray() : line;
            placed = true;
        } else if (!old.isEmpty() || !out.isEmpty()) {
            out += old + '\n';
        }
    }
    while (out.endsWith("\n\n"))
        out.chop(1);
    return placed ? out : out + line;
}

} // namespace

tl::expected<SecretBook, Problems> readSecretFile(const QString &path, SecretFileMode mode, bool optional)
{
    const auto content = readWhole(path, mode, optional);
    if (!content)
        return tl::unexpected(Problems{content.error()});
    SecretBook book;
    Problems problems;
    int number = 0;
    for (const QByteArray &raw : content->split('\n')) {
        ++number;
        const QByteArray line = withoutReturn(raw);
        const auto name = nameOf(line);
        const QString place = QStringLiteral("%1, line %2").arg(path).arg(number);
        if (!name)
            problems.append(problem(place, QStringLiteral("this is no line NAME=value"),
                                    QStringLiteral("write a name of a-z, 0-9 and _, then = and the value")));
        else if (!name->isEmpty() && book.contains(*name))
            problems.append(problem(place,
                                    QStringLiteral("%1 is there twice").arg(QString::fromLatin1(*name)),
                                    QStringLiteral("keep one of them")));
        else if (!name->isEmpty())
            book.emplace(*name, Secret(line.mid(line.indexOf('=') + 1)));
    }
    if (!problems.isEmpty())
        return tl::unexpected(problems);
    return book;
}

std::optional<Problem> storeSecret(const QString &path, const QByteArray &name, const Secret &value)
{
    const QString place = QStringLiteral("{secret:%1}").arg(QString::fromUtf8(name.left(64)));
    if (!isSecretName(name))
        return problem(place, QStringLiteral("this is no name of a secret"),
                       QStringLiteral("write a-z, 0-9 and _, for example maps"));
    QByteArray bytes = value.use();
    if (bytes.endsWith('\n'))
        bytes = withoutReturn(bytes.chopped(1));
    if (bytes.isEmpty())
        return problem(place, QStringLiteral("its value is empty"),
                       QStringLiteral("give the value on standard input"));
    if (bytes.contains('\n') || bytes.contains('\r') || bytes.contains('\0'))
        return problem(place, QStringLiteral("its value has more than one line"),
                       QStringLiteral("give one line on standard input"));
    if (auto failed = makeFolder(QFileInfo(path).path()))
        return failed;
    QLockFile lock(path + QStringLiteral(".lock"));
    if (!lock.tryLock(5000))
        return problem(path, QStringLiteral("another program is writing it"), QStringLiteral("try again"));
    // A file that others can read is not silently mended: what it held is known to them.
    const auto content = readWhole(path, SecretFileMode::OwnerOnly, true);
    if (!content)
        return content.error();
    return writeFile(path, withLine(*content, name, bytes));
}

} // namespace muster
