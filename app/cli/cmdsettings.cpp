// SPDX-License-Identifier: GPL-3.0-or-later
#include <CLI/CLI.hpp>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include "app/cli/commands.h"
#include "app/cli/later.h"
#include "app/cli/remote.h"
#include "app/console.h"
#include "app/orders.h"
#include "core/settings/document.h"
#include "core/store/storereader.h"

namespace muster::cli {

namespace {

OrStop<QByteArray> documentOf(const std::string &project)
{
    const auto reader = StoreReader::open(text(project));
    if (!reader)
        return stopWith(reader.error());
    auto document = (*reader)->settings();
    if (!document)
        return stopWith(document.error());
    return *document;
}

OrStop<void> getSetting(const std::string &project, const std::string &key)
{
    const auto document = documentOf(project);
    if (!document)
        return tl::unexpected(document.error());
    if (key.empty()) {
        const auto parsed = parseSettings(*document);
        print((parsed ? settingsToJson(parsed->settings) : *document).trimmed() + '\n');
        return {};
    }
    auto checked = checkedOrStop(*document);
    const auto value = settingsValue(checked ? settingsToJson(checked->settings) : *document, text(key));
    if (!value)
        return stopWith(ExitCode::Usage, sentence(value.error()));
    print(value->trimmed() + '\n');
    return {};
}

/// Writes a whole new document where nobody else has the project.
OrStop<void> replaceDocument(Project &project, const QByteArray &document, const QString &key,
                             const QByteArray &to)
{
    auto checked = checkedOrStop(document);
    if (!checked)
        return stopWith(ExitCode::Usage, checked.error().what);
    say(checked->problems);
    const QByteArray before = project.settings();
    const QByteArray from = key.isEmpty() ? before : settingsValue(before, key).value_or(QByteArray());
    if (const auto set = project.setSettings(document, key, from, to, wallClock()); !set)
        return stopWith(set.error());
    const auto old = parseSettings(before);
    if (old && sameTemplate(old->settings, checked->settings))
        return {};
    const auto again = project.rerender([&](const Job &job) { return renderedAnew(*checked, job); });
    if (!again)
        return stopWith(again.error());
    say(QStringLiteral("%1 rows have new requests").arg(again->changed));
    return {};
}

OrStop<void> setSetting(const std::string &project, const std::string &key, const std::string &value)
{
    const auto answered =
        askWriter(text(project), "settings",
                  {{QStringLiteral("key"), text(key)}, {QStringLiteral("value"), text(value)}});
    if (!answered)
        return tl::unexpected(answered.error());
    if (*answered)
        return {};
    return withProject(text(project), [&](Project &p) -> OrStop<void> {
        const QByteArray json = QByteArray::fromStdString(value);
        const auto next = settingsWith(p.settings(), text(key), json);
        if (!next)
            return stopWith(ExitCode::Usage, sentence(next.error()));
        return replaceDocument(p, *next, text(key), json);
    });
}

OrStop<void> replaceSettings(const std::string &project, const std::string &file)
{
    const auto document = contentOf(file);
    if (!document)
        return tl::unexpected(document.error());
    return withProject(text(project),
                       [&](Project &p) { return replaceDocument(p, *document, {}, *document); });
}

void addSettings(CLI::App &app, int &code)
{
    auto *command = app.add_subcommand("settings", "read or change a project's settings, also while it runs");
    auto project = std::make_shared<std::string>();
    auto key = std::make_shared<std::string>();
    auto value = std::make_shared<std::string>();
    command->add_option("PROJECT", *project)->required();
    command->require_subcommand(1);
    const auto ended = [&code](const OrStop<void> &done) {
        code = done ? endWith(ExitCode::Ok) : endWith(done.error());
    };
    auto *get = command->add_subcommand("get", "print one value, or the whole document with its defaults");
    get->add_option("KEY", *key, "dotted, such as limiters.maps.rate");
    get->callback([=] { ended(getSetting(*project, *key)); });
    auto *set = command->add_subcommand("set", "change one value; in force within a second");
    set->add_option("KEY", *key)->required();
    set->add_option("JSON", *value, "what is no JSON is taken as text")->required();
    set->callback([=] { ended(setSetting(*project, *key, *value)); });
    auto *replace = command->add_subcommand("replace", "put another document in its place");
    replace->add_option("FILE", *value, "- is standard input")->required();
    replace->callback([=] { ended(replaceSettings(*project, *value)); });
    for (const char *name : {"undo", "history"})
        command->add_subcommand(name, "comes with a later version")->callback([name, &code] {
            say(QStringLiteral("settings %1 comes with a later version").arg(QLatin1String(name)));
            code = endWith(ExitCode::Usage);
        });
}

QByteArray problemsJson(const Problems &problems)
{
    QJsonArray list;
    for (const Problem &p : problems)
        list.append(QJsonObject{{QStringLiteral("severity"), p.severity == Problem::Severity::Error
                                                                 ? QStringLiteral("error")
                                                                 : QStringLiteral("warning")},
                                {QStringLiteral("place"), p.place},
                                {QStringLiteral("reason"), p.reason},
                                {QStringLiteral("mend"), p.mend}});
    return QJsonDocument(
               QJsonObject{{QStringLiteral("ok"), !hasErrors(problems)}, {QStringLiteral("problems"), list}})
        .toJson(QJsonDocument::Compact);
}

OrStop<QByteArray> documentToCheck(const std::string &path)
{
    const bool json = path == "-" ||
                      QFileInfo(text(path)).suffix().compare(QLatin1String("json"), Qt::CaseInsensitive) == 0;
    return json ? contentOf(path) : documentOf(path);
}

OrStop<void> check(const std::string &path, bool asJson)
{
    const auto document = documentToCheck(path);
    if (!document)
        return tl::unexpected(document.error());
    const Checked checked = checkDocument(*document);
    if (asJson)
        print(problemsJson(checked.problems) + '\n');
    else
        say(checked.problems);
    if (!checked.ok())
        return stopWith(ExitCode::Unreadable, QStringLiteral("%1 mistakes").arg(checked.problems.size()));
    if (!asJson)
        say(QStringLiteral("ok"));
    return {};
}

void addCheck(CLI::App &app, int &code)
{
    auto *command =
        app.add_subcommand("check", "say everything that is wrong with a project or a settings document");
    auto path = std::make_shared<std::string>();
    auto json = std::make_shared<bool>(false);
    auto later = std::make_shared<LaterOptions>();
    command->add_option("PROJECT|SETTINGS.json", *path, "- is a document on standard input")->required();
    command->add_flag("--json", *json);
    for (const char *name : {"--answer", "--forecast", "--what-if"})
        later->add(command, name);
    command->callback([=, &code] {
        if (later->used()) {
            code = endWith(ExitCode::Usage);
            return;
        }
        const auto done = check(*path, *json);
        code = done ? endWith(ExitCode::Ok) : endWith(done.error());
    });
}

} // namespace

void addSettingsCommands(CLI::App &app, int &code)
{
    addSettings(app, code);
    addCheck(app, code);
}

} // namespace muster::cli
