// SPDX-License-Identifier: GPL-3.0-or-later
#include <CLI/CLI.hpp>

#include "app/cli/commands.h"
#include "app/cli/later.h"
#include "app/cli/runner.h"
#include "app/cli/runoptions.h"
#include "app/console.h"
#include "app/exporting.h"

namespace muster::cli {

CLI::Validator atLeastOne()
{
    return CLI::Validator(
        [](const std::string &value) {
            const bool digits = !value.empty() && value.size() < 10 &&
                                value.find_first_not_of("0123456789") == std::string::npos;
            return digits && std::stol(value) > 0
                       ? std::string()
                       : value + " is no count; write 1 or more, or leave it out for no limit";
        },
        "COUNT");
}

void addRunOptions(CLI::App *command, RunOptions &o, std::string &maxTime)
{
    command
        ->add_option("--progress", o.progress, "bar, lines (one each 10 s), json (one each second) or none")
        ->check(CLI::IsMember({"auto", "bar", "lines", "json", "none"}));
    command->add_option("--limit", o.plan.limit, "send at most this many requests, then stop")
        ->check(atLeastOne());
    command->add_option("--max-time", maxTime, "stop after this long, such as 30s, 10min, 2h");
    command->add_option("--fail-on", o.failOn, "none, any, or a share of failures such as 5%");
    command->add_flag("--strict", o.strict, "refused rows make the exit code 5");
    command->add_flag("-v,--verbose", o.verbose, "say what becomes of each row");
    // For tests of what a crawl does without a network; not part of the documented command line.
    command->add_flag("--broken-network", o.plan.brokenNetwork)->group("");
}

OrStop<void> finishRunOptions(RunOptions &o, const std::string &maxTime, const std::string &secretsFile)
{
    o.plan.secretsFile = text(secretsFile);
    if (!isFailOn(o.failOn))
        return stopWith(
            ExitCode::Usage,
            QStringLiteral("--fail-on %1: expected none, any, or a share such as 5%").arg(text(o.failOn)));
    if (!o.exportTo.empty())
        if (auto fine = canBeWritten(text(o.exportTo)); !fine)
            return fine;
    if (maxTime.empty())
        return {};
    o.maxTime = parseDuration(text(maxTime));
    if (!o.maxTime || *o.maxTime <= 0)
        return stopWith(
            ExitCode::Usage,
            QStringLiteral("--max-time %1: expected a duration such as 30s, 10min, 2h").arg(text(maxTime)));
    return {};
}

void addRun(CLI::App &app, int &code)
{
    auto *command = app.add_subcommand("run", "crawl a project to its end");
    auto o = std::make_shared<RunOptions>();
    auto project = std::make_shared<std::string>();
    auto maxTime = std::make_shared<std::string>();
    auto secrets = std::make_shared<std::string>();
    auto later = std::make_shared<LaterOptions>();
    command->add_option("PROJECT", *project)->required();
    addRunOptions(command, *o, *maxTime);
    command->add_option("--secrets-file", *secrets, "NAME=value lines, mode 0600");
    command->add_option("--export", o->exportTo, "write the rows there at the end, also of an early stop");
    for (const char *name : {"--max-wait", "--stream"})
        later->add(command, name);
    command->callback([=, &code] {
        if (later->used()) {
            code = endWith(ExitCode::Usage);
            return;
        }
        o->plan.project = text(*project);
        o->plan.program = QStringLiteral("muster-cli run");
        if (const auto fine = finishRunOptions(*o, *maxTime, *secrets); !fine) {
            code = endWith(fine.error());
            return;
        }
        code = Runner(*o).run();
    });
}

} // namespace muster::cli
