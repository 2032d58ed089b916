// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/places.h"

#include <QDir>
#include <QFile>

namespace muster {

namespace {

QString folder(const char *variable, const QString &underHome)
{
    const QString set = qEnvironmentVariable(variable);
    // The XDG rules: a relative path in the variable counts as none.
    const QString base = QDir::isAbsolutePath(set) ? set : QDir::homePath() + QLatin1Char('/') + underHome;
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

void removeProject(const QString &path)
{
    for (const char *ending : {"-wal", "-shm", ""})
        QFile::remove(path + QLatin1String(ending));
}

} // namespace muster
