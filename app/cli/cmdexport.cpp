// SPDX-License-Identifier: GPL-3.0-or-later
#include <CLI/CLI.hpp>

#include "app/cli/commands.h"
#include "app/cli/later.h"
#include "app/cli/remote.h"
#include "app/console.h"
#include "app/exporting.h"

namespace muster::cli {

namespace {

struct ExportCommand
{
    std::string project, to, format, what = "rows", columns, where;
    bool bom = false, raw = false;
    LaterOptions later;
};

OrStop<void> exportRows(const ExportCommand &c)
{
    for (const char *name : {"links", "changes"})
        if (c.what == name)
            return stopWith(ExitCode::Usage,
                            QStringLiteral("--what %1 comes with a later version").arg(text(c.what)));
    if (c.format == "xlsx")
        return stopWith(ExitCode::Usage, QStringLiteral("--format xlsx comes with a later version"));
    ExportPlan plan;
    plan.project = text(c.project);
    plan.to = text(c.to);
    plan.format = text(c.format);
    plan.what = text(c.what);
    plan.columns = text(c.columns);
    plan.where = text(c.where);
    plan.rawCells = c.raw;
    if (c.bom)
        plan.bom = true;
    const auto written = exportProject(plan);
    if (!written)
        return tl::unexpected(written.error());
    say(written->said);
    return {};
}

void addExportCommand(CLI::App &app, int &code)
{
    auto *command = app.add_subcommand("export", "write the rows of a project, also while it runs");
    auto c = std::make_shared<ExportCommand>();
    command->add_option("PROJECT", c->project)->required();
    command->add_option("-o,--output", c->to, "file, or - for standard output")->required();
    command->add_option("--format", c->format)->check(CLI::IsMember({"csv", "tsv", "jsonl", "xlsx"}));
    command->add_option("--what", c->what)
        ->check(CLI::IsMember({"rows", "jobs", "links", "attempts", "failures", "changes"}));
    command->add_option("--columns", c->columns, "names with commas between, or @fixed, @input, @fields");
    command->add_option("--where", c->where, "selector, such as state:done");
    command->add_flag("--bom", c->bom, "begin with a byte order mark");
    command->add_flag("--raw-cells", c->raw, "no guard against formulas");
    for (const char *name : {"--run", "--since"})
        c->later.add(command, name);
    command->callback([=, &code] {
        if (c->later.used()) {
            code = endWith(ExitCode::Usage);
            return;
        }
        const auto done = exportRows(*c);
        code = done ? endWith(ExitCode::Ok) : endWith(done.error());
    });
}

OrStop<void> copy(const std::string &from, const std::string &to, const std::string &what)
{
    const auto answered = askWriter(
        text(from), "copy", {{QStringLiteral("to"), absolutePath(to)}, {QStringLiteral("what"), text(what)}});
    if (!answered)
        return tl::unexpected(answered.error());
    if (*answered)
        return {};
    const Project::What kind = what == "settings" ? Project::What::Settings
                               : what == "todo"   ? Project::What::Todo
                                                  : Project::What::All;
    return withProject(text(from), [&](Project &p) -> OrStop<void> {
        if (const auto done = p.copyTo(text(to), kind); !done)
            return stopWith(done.error());
        return {};
    });
}

void addCopy(CLI::App &app, int &code)
{
    auto *command = app.add_subcommand("copy", "copy a project into a new file, also while it runs");
    auto from = std::make_shared<std::string>();
    auto to = std::make_shared<std::string>();
    auto what = std::make_shared<std::string>("all");
    command->add_option("PROJECT", *from)->required();
    command->add_option("NEW", *to)->required();
    command->add_option("--what", *what)->check(CLI::IsMember({"all", "settings", "todo"}));
    command->callback([=, &code] {
        const auto done = copy(*from, *to, *what);
        code = done ? endWith(ExitCode::Ok) : endWith(done.error());
    });
}

} // namespace

void addExport(CLI::App &app, int &code)
{
    addExportCommand(app, code);
    addCopy(app, code);
}

} // namespace muster::cli
