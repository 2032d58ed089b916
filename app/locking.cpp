// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/locking.h"

#include <QDateTime>

#include "core/control/runfolder.h"

namespace muster {

OrStop<std::unique_ptr<WriterLock>> takeLock(const QString &project, const QString &program, bool listens)
{
    WriterInfo info;
    info.program = program;
    info.since = utcFromMs(QDateTime::currentMSecsSinceEpoch());
    if (listens) {
        const auto socket = socketPath(project);
        if (!socket)
            return stopWith(ExitCode::Unexpected, socket.error());
        info.socket = *socket;
    }
    auto lock = WriterLock::take(project, info);
    if (!lock)
        return stopWith(lock.error().held ? ExitCode::InUse : ExitCode::Unreadable, lock.error().what);
    return std::move(*lock);
}

} // namespace muster
