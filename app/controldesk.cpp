// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/controldesk.h"

#include <limits>
#include <QDateTime>
#include <QJsonDocument>

#include "app/engine.h"

namespace muster {

namespace {

QString argument(const Command &command, const char *name)
{
    return command.args.value(QLatin1String(name)).toString();
}

Reply failed(const Stop &stop)
{
    Reply reply = Reply::failed(stop.what);
    reply.data.insert(QStringLiteral("code"), static_cast<int>(stop.code));
    return reply;
}

/// Answers with `data(value)` or with why it could not be done.
template <typename T, typename F>
Engine::Done<T> answering(const ControlServer::ReplyTo &replyTo, F &&data)
{
    return [replyTo, data = std::forward<F>(data)](const OrStop<T> &result) {
        if (!result) {
            replyTo(failed(result.error()));
            return;
        }
        if constexpr (std::is_void_v<T>)
            replyTo(Reply{true, data(), {}});
        else
            replyTo(Reply{true, data(*result), {}});
    };
}

QJsonObject nothing()
{
    return {};
}

QJsonObject changedData(const Project::Changed &changed)
{
    return {{QStringLiteral("changed"), changed.changed}, {QStringLiteral("left"), changed.left}};
}

QJsonObject importData(const ImportReport &r)
{
    const QStringList lines = saidOf(r.read, r.counts.duplicates, r.counts.known);
    return {{QStringLiteral("said"), lines.join(QLatin1Char('\n'))}};
}

std::optional<Project::Verb> rowVerb(ControlVerb verb)
{
    switch (verb) {
    case ControlVerb::Retry:
        return Project::Verb::Retry;
    case ControlVerb::Skip:
        return Project::Verb::Skip;
    case ControlVerb::Accept:
        return Project::Verb::Accept;
    case ControlVerb::First:
        return Project::Verb::First;
    default:
        return std::nullopt;
    }
}

Project::What whatOf(const QString &name)
{
    if (name == QLatin1String("settings"))
        return Project::What::Settings;
    return name == QLatin1String("todo") ? Project::What::Todo : Project::What::All;
}

} // namespace

ControlDesk::ControlDesk(Engine &engine)
    : m_engine(engine)
    , m_server(
          [this](const Command &command, const ControlServer::ReplyTo &replyTo) { handle(command, replyTo); })
{}

ControlDesk::~ControlDesk() = default;

OrStop<void> ControlDesk::listen(const WriterLock &lock)
{
    if (const auto listening = m_server.listen(lock); !listening)
        return stopWith(ExitCode::Unexpected, listening.error());
    return {};
}

void ControlDesk::handle(const Command &command, const ControlServer::ReplyTo &replyTo)
{
    const qint64 until =
        command.args.value(QStringLiteral("until")).toInteger(std::numeric_limits<qint64>::max());
    if (QDateTime::currentMSecsSinceEpoch() > until) {
        replyTo(
            failed({ExitCode::InUse, QStringLiteral("the command came too late and was not carried out")}));
        return;
    }
    if (const auto verb = rowVerb(command.verb)) {
        m_engine.apply(*verb, argument(command, "where"), answering<Project::Changed>(replyTo, changedData));
        return;
    }
    switch (command.verb) {
    case ControlVerb::Status: {
        const Snapshot snapshot = m_engine.snapshot();
        const QByteArray json = statusJson(snapshot, m_engine.writer());
        replyTo(Reply{true,
                      {{QStringLiteral("status"), QJsonDocument::fromJson(json).object()},
                       {QStringLiteral("text"), statusText(snapshot, m_engine.writer())}},
                      {}});
        return;
    }
    case ControlVerb::Settings:
        m_engine.set(argument(command, "key"), argument(command, "value").toUtf8(),
                     answering<void>(replyTo, nothing));
        return;
    case ControlVerb::Import:
        m_engine.importFile(argument(command, "path"), answering<ImportReport>(replyTo, importData));
        return;
    case ControlVerb::Copy:
        m_engine.copyTo(argument(command, "to"), whatOf(argument(command, "what")),
                        answering<void>(replyTo, nothing));
        return;
    case ControlVerb::Pause:
        m_engine.pause();
        break;
    case ControlVerb::Resume:
        m_engine.resume();
        break;
    case ControlVerb::Stop:
        m_engine.stop();
        break;
    default:
        replyTo(Reply::failed(QStringLiteral("%1 comes with a later version")
                                  .arg(QLatin1String(controlVerbName(command.verb)))));
        return;
    }
    replyTo(Reply{});
}

} // namespace muster
