// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
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
#include "app/secretsource.h"
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
OrStop<void> replaceDocument(const std::string &path, Project &project, const QByteArray &document,
                             const QString &key, const QByteArray &to)
{
    auto checked = checkedFor(text(path), document);
    if (!checked)
        return stopWith(ExitCode::Usage, checked.error().what);
    say(checked->problems);
    const QByteArray before = project.settings();
    const QByteArray from = key.isEmpty() ? before : settingsValue(before, key).value_or(QByteArray());
    const auto old = parseSettings(before);
    Project::Rerender render;
    if (!old || !sameTemplate(old->settings, checked->settings))
        render = [&](const Job &job) { return renderedAnew(*checked, job); };
    const auto set = project.setSettings(document, key, from, to, wallClock(), render);
    if (!set)
        return stopWith(set.error());
    if (render)
        say(QStringLiteral("%1 rendered anew").arg(counted(set->changed, "row")));
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
        return replaceDocument(project, p, *next, text(key), json);
    });
}

OrStop<void> replaceSettings(const std::string &project, const std::string &file)
{
    const auto document = contentOf(file);
    if (!document)
        return tl::unexpected(document.error());
    return withProject(text(project),
                       [&](Project &p) { return replaceDocument(project, p, *document, {}, *document); });
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

/// A document by itself, or a project's with the columns of its rows.
struct ToCheck
{
    QByteArray document;
    std::optional<QVector<QByteArray>> columns;
};

OrStop<ToCheck> readToCheck(const std::string &path)
{
    const bool json = path == "-" ||
                      QFileInfo(text(path)).suffix().compare(QLatin1String("json"), Qt::CaseInsensitive) == 0;
    if (json) {
        auto document = contentOf(path);
        if (!document)
            return tl::unexpected(document.error());
        return ToCheck{*document, {}};
    }
    const auto reader = StoreReader::open(text(path));
    if (!reader)
        return stopWith(reader.error());
    const auto document = (*reader)->settings();
    const auto ledger = (*reader)->ledger();
    const auto columns = (*reader)->inputColumns();
    if (!document || !ledger || !columns)
        return stopWith(ExitCode::Unreadable, text(path) + QStringLiteral(" cannot be read"));
    return ToCheck{*document, ledger->imported > 0 ? std::optional(*columns) : std::nullopt};
}

Problems allProblems(const ToCheck &subject)
{
    const Checked checked = checkDocument(subject.document);
    Problems problems = checked.problems;
    if (!checked.requestTemplate)
        return problems;
    if (subject.columns)
        problems = checkBeside(checked, *subject.columns) + problems;
    return lookUpSecrets(checked.requestTemplate->secrets(), secretPlacesHere({})).problems + problems;
}

OrStop<void> check(const std::string &path, bool asJson)
{
    const auto subject = readToCheck(path);
    if (!subject)
        return tl::unexpected(subject.error());
    const Problems problems = allProblems(*subject);
    if (asJson)
        print(problemsJson(problems) + '\n');
    else
        say(problems);
    if (hasErrors(problems))
        return stopWith(
            ExitCode::Unreadable,
            counted(std::count_if(problems.begin(), problems.end(),
                                  [](const Problem &p) { return p.severity == Problem::Severity::Error; }),
                    "mistake"));
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
