// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/remote.h"

#include <QDateTime>

#include "app/locking.h"
#include "core/control/controlclient.h"

namespace muster::cli {

namespace {

constexpr std::chrono::milliseconds patienceForWords{5'000};
constexpr std::chrono::milliseconds patienceForWork{std::chrono::hours(12)}; // a long list, a large copy

} // namespace

OrStop<Answered> askWriter(const QString &project, const QByteArray &verb, const QJsonObject &arguments)
{
    const auto holder = WriterLock::holder(project);
    if (!holder || holder->socket.isEmpty())
        return Answered();
    const bool isWork = verb == "import" || verb == "copy";
    const auto patience = isWork ? patienceForWork : patienceForWords;
    Command command;
    command.verb = *controlVerbFromName(verb);
    command.args = arguments;
    // What is not taken up in time was not carried out: this side has said so by then (exit 7).
    command.args.insert(QStringLiteral("until"), QDateTime::currentMSecsSinceEpoch() + patience.count());
    const auto reply = muster::askWriter(holder->socket, command, patience);
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
