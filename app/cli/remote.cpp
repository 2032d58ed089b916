// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/remote.h"

#include "app/locking.h"
#include "core/control/controlclient.h"

namespace muster::cli {

OrStop<Answered> askWriter(const QString &project, const QByteArray &verb, const QJsonObject &arguments)
{
    const auto holder = WriterLock::holder(project);
    if (!holder || holder->socket.isEmpty())
        return Answered();
    Command command;
    command.verb = *controlVerbFromName(verb);
    command.args = arguments;
    const auto reply = muster::askWriter(holder->socket, command);
    if (!reply) {
        if (reply.error().kind == ControlFailure::Kind::NobodyThere)
            return Answered();
        return stopWith(ExitCode::InUse, reply.error().what);
    }
    if (!reply->ok) {
        const int code =
            reply->data.value(QStringLiteral("code")).toInt(static_cast<int>(ExitCode::Unexpected));
        return stopWith(static_cast<ExitCode>(code), reply->error);
    }
    return Answered(reply->data);
}

OrStop<void> withProject(const QString &project, const std::function<OrStop<void>(Project &)> &work)
{
    const auto lock = takeLock(project, QStringLiteral("muster-cli"), false);
    if (!lock)
        return tl::unexpected(lock.error());
    auto opened = Project::open(project);
    if (!opened)
        return stopWith(opened.error());
    return work(**opened);
}

} // namespace muster::cli
