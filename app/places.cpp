// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/places.h"

#include <pwd.h>
#include <QDir>
#include <QFile>
#include <unistd.h>

#include "core/store/project.h"

namespace muster {

namespace {

/// Qt takes the root folder for the home of somebody without $HOME; the system's list of people knows better.
QString home()
{
    if (qEnvironmentVariableIsSet("HOME"))
        return QDir::homePath();
    const passwd *person = ::getpwuid(::getuid());
    return person ? QFile::decodeName(person->pw_dir) : QDir::homePath();
}

QString folder(const char *variable, const QString &underHome)
{
    const QString set = qEnvironmentVariable(variable);
    // The XDG rules: a relative path in the variable counts as none.
    const QString base = QDir::isAbsolutePath(set) ? set : home() + QLatin1Char('/') + underHome;
    return base + QStringLiteral("/muster");
}

} // namespace

QString dataFolder()
{
    return folder("XDG_DATA_HOME", QStringLiteral(".local/share"));
}

QString configFolder()
{
    return folder("XDG_CONFIG_HOME", QStringLiteral(".config"));
}

OrStop<QString> untitledProject()
{
    const QString folder = dataFolder() + QStringLiteral("/untitled");
    const QString path = folder + QStringLiteral("/Untitled.muster");
    if (!QDir().mkpath(folder))
        return stopWith(ExitCode::CannotWrite, folder + QStringLiteral(" cannot be made"));
    if (QFile::exists(path))
        return path;
    if (const auto made = Project::create(path, QByteArrayLiteral("{\"version\": 1}")); !made)
        return stopWith(made.error());
    return path;
}

void removeProject(const QString &path)
{
    for (const char *ending : {"-wal", "-shm", ""})
        QFile::remove(path + QLatin1String(ending));
}

} // namespace muster
