// SPDX-License-Identifier: GPL-3.0-or-later
#include <CLI/CLI.hpp>
#include <QCoreApplication>
#include <sys/stat.h>

#include "app/cli/commands.h"
#include "app/console.h"

int main(int argc, char **argv)
{
    qputenv("QT_NO_THREADED_GLIB", "1"); // an event loop on glib costs more CPU
    ::umask(077);                        // projects and exports are for their owner
    QCoreApplication application(argc, argv);
    QCoreApplication::setApplicationName(QStringLiteral("muster-cli"));
    QCoreApplication::setApplicationVersion(QStringLiteral(MUSTER_VERSION));

    CLI::App app("Muster crawls lists of URLs and tables within the limits you set.", "muster-cli");
    app.set_version_flag("--version", std::string("muster-cli ") + MUSTER_VERSION + "\nQt " + qVersion());
    app.require_subcommand(1);
    app.footer("Data goes to standard output, all else to standard error. `-` is standard input or output.\n"
               "First steps:  muster-cli demo      muster-cli fetch urls.txt -o out.csv");
    int code = static_cast<int>(muster::ExitCode::Ok);
    using namespace muster::cli;
    addFetch(app, code);
    addProject(app, code);
    addSettingsCommands(app, code);
    addRun(app, code);
    addControl(app, code);
    addRows(app, code);
    addExport(app, code);
    addSecret(app, code);
    addDemo(app, code);
    addLater(app, code);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError &e) {
        // The library has codes of its own; ours are public.
        return app.exit(e) == 0 ? 0 : static_cast<int>(muster::ExitCode::Usage);
    }
    return code;
}
