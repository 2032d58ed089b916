// SPDX-License-Identifier: GPL-3.0-or-later
#include <CLI/CLI.hpp>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include "app/cli/commands.h"
#include "app/cli/later.h"
#include "app/cli/remote.h"
#include "app/console.h"
#include "app/importtask.h"
#include "app/orders.h"
#include "core/settings/document.h"
#include "core/store/storereader.h"

namespace muster::cli {

namespace {

// --- new
// ------------------------------------------------------------------------------------------------------

OrStop<void> makeProject(const std::string &path, const std::string &settings)
{
    QByteArray document = "{\"version\": 1}";
    if (!settings.empty()) {
        auto read = contentOf(settings);
        if (!read)
            return tl::unexpected(read.error());
        document = *read;
    }
    auto checked = checkedOrStop(document);
    if (!checked)
        return tl::unexpected(checked.error());
    say(checked->problems);
    const auto project = Project::create(text(path), document);
    if (!project)
        return stopWith(project.error());
    say(text(path) + QStringLiteral(" is ready; next: muster-cli import ") + text(path) +
        QStringLiteral(" LIST"));
    return {};
}

void addNew(CLI::App &app, int &code)
{
    auto *command = app.add_subcommand("new", "make an empty project file");
    auto path = std::make_shared<std::string>();
    auto settings = std::make_shared<std::string>();
    auto later = std::make_shared<LaterOptions>();
    command->add_option("PROJECT", *path, "the file to make, NAME.muster")->required();
    command->add_option("--settings", *settings, "settings document; - is standard input");
    later->add(command, "--preset");
    later->add(command, "--curl");
    command->callback([=, &code] {
        if (later->used()) {
            code = endWith(ExitCode::Usage);
            return;
        }
        const auto made = makeProject(*path, *settings);
        code = made ? endWith(ExitCode::Ok) : endWith(made.error());
    });
}

// --- import
// -----------------------------------------------------------------------------------------------------

struct ImportOptions
{
    std::string project, file, format, column, requestTemplate, encoding, separator;
    bool dryRun = false;
};

/// The project's settings with this command's options laid over them.
OrStop<Settings> settingsFor(const ImportOptions &o)
{
    const auto reader = StoreReader::open(text(o.project));
    if (!reader)
        return stopWith(reader.error());
    auto document = (*reader)->settings();
    if (!document)
        return stopWith(document.error());
    const std::pair<const char *, const std::string &> overlays[] = {{"input.format", o.format},
                                                                     {"input.column", o.column},
                                                                     {"input.encoding", o.encoding},
                                                                     {"input.separator", o.separator},
                                                                     {"request.url", o.requestTemplate}};
    for (const auto &[key, value] : overlays) {
        if (value.empty())
            continue;
        const QByteArray json = QJsonDocument(QJsonArray{text(value)}).toJson(QJsonDocument::Compact);
        auto next = settingsWith(*document, QLatin1String(key), json.mid(1, json.size() - 2));
        if (!next)
            return stopWith(ExitCode::Usage, sentence(next.error()));
        document = *next;
    }
    auto checked = checkedOrStop(*document);
    if (!checked)
        return tl::unexpected(checked.error());
    return checked->settings;
}

OrStop<void> import(const ImportOptions &o)
{
    auto settings = settingsFor(o);
    if (!settings)
        return tl::unexpected(settings.error());
    QFile file(o.file == "-" ? QString() : text(o.file));
    const bool open = o.file == "-" ? file.open(stdin, QIODevice::ReadOnly) : file.open(QIODevice::ReadOnly);
    if (!open)
        return stopWith(ExitCode::Unreadable, whyUnreadable(text(o.file)));
    const QString source =
        o.file == "-" ? QStringLiteral("standard input") : QFileInfo(text(o.file)).fileName();
    if (o.dryRun) {
        const auto preview = previewOf(*settings, file, source);
        if (!preview)
            return tl::unexpected(preview.error());
        for (const QByteArray &request : preview->firstRequests)
            print(request + '\n');
        say(saidOf(preview->read, preview->duplicates, 0));
        return {};
    }
    return withProject(text(o.project), [&](Project &project) -> OrStop<void> {
        const OnProject here = [&project](const std::function<void(Project &)> &work) { work(project); };
        const std::atomic_bool cancelled = false;
        const auto report = importInto(here, *settings, file, source, cancelled);
        if (!report)
            return tl::unexpected(report.error());
        say(saidOf(report->read, report->counts.duplicates, report->counts.known));
        return {};
    });
}

/// While somebody writes the project, the file is read by them: the path goes over, made absolute.
OrStop<void> importSomewhere(const ImportOptions &o)
{
    const bool plain = o.format.empty() && o.column.empty() && o.requestTemplate.empty() &&
                       o.encoding.empty() && o.separator.empty();
    if (!o.dryRun && plain && o.file != "-") {
        const auto answered =
            askWriter(text(o.project), "import",
                      {{QStringLiteral("path"), QFileInfo(text(o.file)).absoluteFilePath()}});
        if (!answered)
            return tl::unexpected(answered.error());
        if (*answered) {
            say((*answered)->value(QStringLiteral("said")).toString());
            return {};
        }
    }
    return import(o);
}

void addImport(CLI::App &app, int &code)
{
    auto *command = app.add_subcommand("import", "take a list or table into a project");
    auto o = std::make_shared<ImportOptions>();
    command->add_option("PROJECT", o->project)->required();
    command->add_option("FILE", o->file, "lines of URLs or a table, also .gz; - is standard input")
        ->required();
    command->add_option("--format", o->format)->check(CLI::IsMember({"auto", "lines", "csv", "sitemap"}));
    command->add_option("--column", o->column, "the column that {url} stands for");
    command->add_option("--template", o->requestTemplate, "URL with {column} for each column");
    command->add_option("--encoding", o->encoding, "auto, or a name such as UTF-8, GB18030, windows-1254");
    command->add_option("--separator", o->separator, "auto, or one character, or tab");
    command->add_flag("--dry-run", o->dryRun, "show the first requests and the counts, store nothing");
    command->callback([=, &code] {
        const auto done = importSomewhere(*o);
        code = done ? endWith(ExitCode::Ok) : endWith(done.error());
    });
}

} // namespace

void addProject(CLI::App &app, int &code)
{
    addNew(app, code);
    addImport(app, code);
}

} // namespace muster::cli
