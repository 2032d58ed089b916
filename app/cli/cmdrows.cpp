// SPDX-License-Identifier: GPL-3.0-or-later
#include <array>
#include <CLI/CLI.hpp>

#include "app/cli/commands.h"
#include "app/cli/remote.h"
#include "app/console.h"
#include "core/settings/document.h"

namespace muster::cli {

namespace {

struct RowVerb
{
    const char *name;
    Project::Verb verb;
    const char *help;
};

constexpr std::array<RowVerb, 4> verbs{
    RowVerb{"retry", Project::Verb::Retry, "ask again for failed and skipped rows, with all their tries"},
    RowVerb{"skip", Project::Verb::Skip, "take queued and failed rows off the crawl"},
    RowVerb{"accept", Project::Verb::Accept, "take failed rows that have an answer as done"},
    RowVerb{"first", Project::Verb::First, "put queued rows at the head of the queue"}};

void sayChanged(const QString &name, qint64 changed, qint64 left)
{
    say(QStringLiteral("%1: %2 changed, %3 left as they are").arg(name, counted(changed, "row")).arg(left));
}

OrStop<void> applyHere(Project &project, const RowVerb &verb, const QString &where)
{
    QVector<QByteArray> fields;
    if (const auto parsed = parseSettings(project.settings()))
        for (const FieldSettings &f : parsed->settings.fields)
            fields += f.name.toUtf8();
    const auto selector = Selector::parse(where, fields);
    if (!selector)
        return stopWith(ExitCode::Usage, sentence(selector.error()));
    const auto changed = project.apply(verb.verb, *selector, wallClock());
    if (!changed)
        return stopWith(changed.error());
    sayChanged(QLatin1String(verb.name), changed->changed, changed->left);
    return {};
}

OrStop<void> applyAnywhere(const QString &project, const RowVerb &verb, const QString &where)
{
    const auto answered = askWriter(project, verb.name, {{QStringLiteral("where"), where}});
    if (!answered)
        return tl::unexpected(answered.error());
    if (*answered) {
        sayChanged(QLatin1String(verb.name), (*answered)->value(QStringLiteral("changed")).toInteger(),
                   (*answered)->value(QStringLiteral("left")).toInteger());
        return {};
    }
    return withProject(project, [&](Project &p) { return applyHere(p, verb, where); });
}

} // namespace

void addRows(CLI::App &app, int &code)
{
    for (const RowVerb &verb : verbs) {
        auto *command = app.add_subcommand(verb.name, verb.help);
        auto project = std::make_shared<std::string>();
        auto where = std::make_shared<std::string>();
        command->add_option("PROJECT", *project)->required();
        command->add_option("--where", *where, "selector, such as \"state:failed code:5*\"")->required();
        command->callback([=, &code, &verb = verb] {
            const auto done = applyAnywhere(text(*project), verb, text(*where));
            code = done ? endWith(ExitCode::Ok) : endWith(done.error());
        });
    }
}

} // namespace muster::cli
