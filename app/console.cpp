// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/console.h"

#include <cstdio>
#include <QDateTime>
#include <QFile>
#include <QFileInfo>
#include <unistd.h>

namespace muster {

void print(const QByteArray &data)
{
    std::fwrite(data.constData(), 1, static_cast<std::size_t>(data.size()), stdout);
    std::fflush(stdout);
}

void say(const QString &line)
{
    const QByteArray utf8 = line.toUtf8() + '\n';
    std::fwrite(utf8.constData(), 1, static_cast<std::size_t>(utf8.size()), stderr);
}

QString whyUnreadable(const QString &path)
{
    const QFileInfo file(path);
    if (!file.exists())
        return path + QStringLiteral(": there is no such file; look at the path");
    if (file.isDir())
        return path + QStringLiteral(": it is a folder; write the path of a file");
    return path + QStringLiteral(": this account may not read it; change its mode, or copy it");
}

OrStop<QByteArray> contentOf(const std::string &path)
{
    QFile file(path == "-" ? QString() : text(path));
    const bool open = path == "-" ? file.open(stdin, QIODevice::ReadOnly) : file.open(QIODevice::ReadOnly);
    if (!open)
        return stopWith(ExitCode::Unreadable, whyUnreadable(text(path)));
    return file.readAll();
}

QString text(const std::string &s)
{
    return QString::fromStdString(s);
}

QString absolutePath(const std::string &path)
{
    return QFileInfo(text(path)).absoluteFilePath();
}

Utc wallClock()
{
    return utcFromMs(QDateTime::currentMSecsSinceEpoch());
}

void say(const QStringList &lines)
{
    for (const QString &line : lines)
        say(line);
}

void say(const Problems &problems)
{
    for (const Problem &p : problems)
        say((p.severity == Problem::Severity::Error ? QString() : QStringLiteral("warning: ")) + sentence(p));
}

int endWith(const Stop &stop)
{
    say(stop.what);
    return endWith(stop.code);
}

int endWith(ExitCode code)
{
    return static_cast<int>(code);
}

bool errorIsTerminal()
{
    return ::isatty(STDERR_FILENO) == 1;
}

} // namespace muster
