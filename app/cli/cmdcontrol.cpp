// SPDX-License-Identifier: GPL-3.0-or-later
#include <CLI/CLI.hpp>
#include <QJsonDocument>

#include "app/cli/commands.h"
#include "app/cli/remote.h"
#include "app/console.h"
#include "app/filesnapshot.h"
#include "core/report/statusjson.h"

namespace muster::cli {

namespace {

OrStop<void> status(const QString &project, bool json)
{
    const auto answered = askWriter(project, "status");
    if (!answered)
        return tl::unexpected(answered.error());
    if (*answered) {
        const QJsonObject live = (*answered)->value(QStringLiteral("status")).toObject();
        print(json ? QJsonDocument(live).toJson(QJsonDocument::Compact) + '\n'
                   : (*answered)->value(QStringLiteral("text")).toString().toUtf8());
        return {};
    }
    const auto snapshot = snapshotOfFile(project, wallClock());
    if (!snapshot)
        return tl::unexpected(snapshot.error());
    print(json ? statusJson(*snapshot, {}) + '\n' : statusText(*snapshot, {}).toUtf8());
    return {};
}

OrStop<void> tell(const QString &project, const char *verb)
{
    const auto answered = askWriter(project, verb);
    if (!answered)
        return tl::unexpected(answered.error());
    if (!*answered)
        return stopWith(
            ExitCode::Unreadable,
            QStringLiteral("nobody works on %1; there is nothing to %2").arg(project, QLatin1String(verb)));
    return {};
}

} // namespace

void addControl(CLI::App &app, int &code)
{
    const auto ended = [&code](const OrStop<void> &done) {
        code = done ? endWith(ExitCode::Ok) : endWith(done.error());
    };
    auto *command = app.add_subcommand("status", "where a project stands, also while it runs");
    auto project = std::make_shared<std::string>();
    auto json = std::make_shared<bool>(false);
    command->add_option("PROJECT", *project)->required();
    command->add_flag("--json", *json);
    command->callback([=] { ended(status(text(*project), *json)); });
    static constexpr std::pair<const char *, const char *> verbs[] = {
        {"pause", "send nothing more; what is in flight lands"},
        {"resume", "go on after a pause"},
        {"stop", "end the run in good order; the queue is kept"}};
    for (const auto &[name, help] : verbs) {
        auto *verb = app.add_subcommand(name, help);
        verb->add_option("PROJECT", *project)->required();
        verb->callback([=, word = name] { ended(tell(text(*project), word)); });
    }
}

} // namespace muster::cli
