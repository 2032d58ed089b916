// SPDX-License-Identifier: GPL-3.0-or-later
#include <CLI/CLI.hpp>
#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTemporaryFile>

#include "app/cli/commands.h"
#include "app/cli/fetchplan.h"
#include "app/cli/later.h"
#include "app/cli/remote.h"
#include "app/cli/runoptions.h"
#include "app/console.h"
#include "app/importtask.h"
#include "app/orders.h"
#include "app/places.h"
#include "core/store/storereader.h"

namespace muster::cli {

namespace {

constexpr qsizetype copyBlock = 1 << 20;

struct FetchCommand
{
    std::string list, out, keep, maxTime;
    FetchOptions options;
    RunOptions run;
    LaterOptions later;
};

/// The list as a file that can be read twice, and what its bytes hash to. Standard input is spooled.
struct ListFile
{
    std::unique_ptr<QFile> file;
    QString name;
    QByteArray hash;
};

OrStop<ListFile> openList(const std::string &path)
{
    ListFile list;
    list.name = path == "-" ? QStringLiteral("standard input") : QFileInfo(text(path)).fileName();
    QFile in(path == "-" ? QString() : text(path));
    const bool open = path == "-" ? in.open(stdin, QIODevice::ReadOnly) : in.open(QIODevice::ReadOnly);
    if (!open)
        return stopWith(ExitCode::Unreadable, whyUnreadable(text(path)));
    std::unique_ptr<QTemporaryFile> spool;
    if (in.isSequential()) { // a pipe, also one with a name: it can be read once only
        spool = std::make_unique<QTemporaryFile>();
        if (!spool->open())
            return stopWith(ExitCode::CannotWrite,
                            QStringLiteral("standard input cannot be kept in a temporary file"));
    }
    QCryptographicHash hash(QCryptographicHash::Sha256);
    for (QByteArray block = in.read(copyBlock); !block.isEmpty(); block = in.read(copyBlock)) {
        hash.addData(block);
        if (spool && spool->write(block) != block.size())
            return stopWith(ExitCode::CannotWrite,
                            QStringLiteral("standard input cannot be kept in a temporary file"));
    }
    list.hash = hash.result().toHex();
    list.file = spool ? std::move(spool) : std::make_unique<QFile>(text(path));
    if (!list.file->isOpen() && !list.file->open(QIODevice::ReadOnly))
        return stopWith(ExitCode::Unreadable, whyUnreadable(text(path)));
    list.file->seek(0);
    return list;
}

/// By this mark an unfinished fetch knows its list again.
QString sourceMark(const ListFile &list)
{
    return list.name + QStringLiteral(" sha256:") + QString::fromLatin1(list.hash);
}

OrStop<QString> projectPath(const FetchCommand &c, const ListFile &list)
{
    if (!c.keep.empty())
        return text(c.keep);
    if (c.out != "-")
        return text(c.out) + QStringLiteral(".muster");
    const QString folder = dataFolder() + QStringLiteral("/fetch");
    if (!QDir().mkpath(folder))
        return stopWith(ExitCode::CannotWrite, folder + QStringLiteral(" cannot be made"));
    const QString path =
        folder + QLatin1Char('/') + QString::fromLatin1(list.hash.left(16)) + QStringLiteral(".muster");
    say(QStringLiteral("The project lies in %1").arg(path));
    return path;
}

/// An earlier fetch left it: the same list and settings go on, anything else is refused and untouched.
OrStop<void> sameAsBefore(const QString &path, const FetchPlan &plan, const ListFile &list)
{
    const auto reader = StoreReader::open(path);
    if (!reader)
        return stopWith(reader.error());
    const auto document = (*reader)->settings();
    const auto sources = (*reader)->batchSources();
    if (!document || !sources)
        return stopWith(ExitCode::Unreadable, path + QStringLiteral(" cannot be read"));
    if (*document != plan.document)
        return stopWith(
            ExitCode::Unreadable,
            path +
                QStringLiteral(
                    " is left from a fetch with other options; run that command again, or remove the file"));
    if (!sources->isEmpty() && (sources->size() != 1 || sources->constFirst() != sourceMark(list)))
        return stopWith(
            ExitCode::Unreadable,
            path + QStringLiteral(
                       " is left from a fetch of another list; run that command again, or remove the file"));
    return {};
}

OrStop<void> takeIn(const QString &path, ListFile &list)
{
    return withProject(path, [&](Project &project) -> OrStop<void> {
        if (project.ledger().takenIn() > 0)
            return {}; // goes on from before
        const auto checked = checkedOrStop(project.settings());
        if (!checked)
            return tl::unexpected(checked.error());
        const OnProject here = [&project](const std::function<void(Project &)> &work) { work(project); };
        const std::atomic_bool cancelled = false;
        const auto report = importInto(here, checked->settings, *list.file, sourceMark(list), cancelled);
        if (!report)
            return tl::unexpected(report.error());
        say(saidOf(report->read, report->counts.duplicates, report->counts.known));
        return {};
    });
}

OrStop<void> prepare(const FetchPlan &plan, const QString &path, ListFile &list)
{
    if (QFileInfo::exists(path)) {
        if (auto same = sameAsBefore(path, plan, list); !same)
            return same;
    } else {
        const auto checked = checkedOrStop(plan.document);
        if (!checked)
            return stopWith(ExitCode::Usage, checked.error().what);
        say(checked->problems);
        if (const auto project = Project::create(path, plan.document); !project)
            return stopWith(project.error());
    }
    return takeIn(path, list);
}

OrStop<int> fetch(FetchCommand &c)
{
    auto plan = planOf(c.options);
    if (!plan)
        return tl::unexpected(plan.error());
    say(plan->limitsSaid);
    auto list = openList(c.list);
    if (!list)
        return tl::unexpected(list.error());
    const auto path = projectPath(c, *list);
    if (!path)
        return tl::unexpected(path.error());
    if (auto ready = prepare(*plan, *path, *list); !ready)
        return tl::unexpected(ready.error());
    c.run.plan.project = *path;
    c.run.plan.program = QStringLiteral("muster-cli fetch");
    Runner runner(c.run);
    const int code = runner.run();
    if (runner.isComplete() && c.keep.empty())
        removeProject(*path);
    return code;
}

} // namespace

void addFetch(CLI::App &app, int &code)
{
    auto *command = app.add_subcommand("fetch", "one shot: list in, crawl, CSV out");
    auto c = std::make_shared<FetchCommand>();
    command->add_option("LIST", c->list, "lines of URLs or a table; - is standard input")->required();
    command->add_option("-o,--output", c->out, "where the rows go: .csv, .tsv, .jsonl; - is standard output")
        ->required();
    command->add_option("--template", c->options.requestTemplate, "URL with {column} for each column");
    command->add_option("--column", c->options.column, "the column that {url} stands for");
    command->add_option("--rate", c->options.rate, "for each host, such as 10/s or 1/7s");
    command->add_option("--burst", c->options.burst)->check(atLeastOne());
    command->add_option("--at-once", c->options.atOnce, "requests in flight over all")->check(atLeastOne());
    command->add_option("--per-host", c->options.perHost, "requests in flight for each host")
        ->check(atLeastOne());
    command->add_option("--field", c->options.fields, "NAME=KIND:EXPR, such as price=jsonpath:$.price")
        ->take_all();
    command->add_option("--retries", c->options.retries)->check(CLI::NonNegativeNumber);
    command->add_option("--timeout", c->options.timeout, "seconds for one request in all");
    command->add_option("--project", c->keep, "keep the project in this file");
    addRunOptions(command, c->run, c->maxTime);
    for (const char *name : {"--quota", "--records", "--next", "--proxy", "--proxies"})
        c->later.add(command, name);
    command->callback([=, &code] {
        if (c->later.used()) {
            code = endWith(ExitCode::Usage);
            return;
        }
        c->run.exportTo = c->out;
        if (const auto fine = finishRunOptions(c->run, c->maxTime, {}); !fine) {
            code = endWith(fine.error());
            return;
        }
        const auto done = fetch(*c);
        code = done ? *done : endWith(done.error());
    });
}

} // namespace muster::cli
