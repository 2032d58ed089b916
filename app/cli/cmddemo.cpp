// SPDX-License-Identifier: GPL-3.0-or-later
#include <CLI/CLI.hpp>
#include <QCoreApplication>

#include "app/cli/commands.h"
#include "app/cli/runoptions.h"
#include "app/console.h"
#include "app/places.h"
#include "app/practicecrawl.h"

namespace muster::cli {

namespace {

OrStop<int> serve(const practice::PracticeService &service)
{
    print("rates    " + service.ratesUrl() + "/rates?symbol=USD\ngeocoder " + service.geocoderUrl() +
          "/geocode?address=Paris\npages    " + service.pagesUrl() + "/page/1\n");
    say(QStringLiteral("Serving until interrupted (Ctrl+C)."));
    UnixSignals signals_;
    QObject::connect(&signals_, &UnixSignals::asked, qApp, [] { QCoreApplication::exit(0); });
    return QCoreApplication::exec();
}

OrStop<int> demo(RunOptions run, const std::string &out, bool serveOnly)
{
    practice::PracticeService service;
    if (const QString why = service.start(); !why.isEmpty())
        return stopWith(ExitCode::Unexpected, why);
    if (serveOnly)
        return serve(service);
    const QString project = text(out) + QStringLiteral(".muster");
    if (const auto made = makePracticeProject(service, project); !made)
        return tl::unexpected(made.error());
    say(QStringLiteral("The practice crawl asks three small services on this machine; about 30 s."));
    run.plan.project = project;
    run.plan.program = QStringLiteral("muster-cli demo");
    run.exportTo = out;
    Runner runner(run);
    const int code = runner.run();
    removeProject(project); // its addresses are gone with the service
    return code;
}

} // namespace

void addDemo(CLI::App &app, int &code)
{
    auto *command = app.add_subcommand("demo", "a practice crawl on this machine alone, with its CSV");
    auto run = std::make_shared<RunOptions>();
    auto out = std::make_shared<std::string>("muster-demo.csv");
    auto serveOnly = std::make_shared<bool>(false);
    auto maxTime = std::make_shared<std::string>();
    command->add_flag("--serve", *serveOnly, "only serve, and print the addresses");
    command->add_option("-o,--output", *out, "where the CSV goes")->capture_default_str();
    addRunOptions(command, *run, *maxTime);
    command->callback([=, &code] {
        if (const auto fine = finishRunOptions(*run, *maxTime, {}); !fine) {
            code = endWith(fine.error());
            return;
        }
        const auto done = demo(*run, *out, *serveOnly);
        code = done ? *done : endWith(done.error());
    });
}

} // namespace muster::cli
