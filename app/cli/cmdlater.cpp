// SPDX-License-Identifier: GPL-3.0-or-later
#include <array>
#include <CLI/CLI.hpp>

#include "app/cli/commands.h"
#include "app/console.h"

namespace muster::cli {

void addLater(CLI::App &app, int &code)
{
    static constexpr std::array<const char *, 7> names{"why",   "hold",   "release", "again",
                                                       "pilot", "refine", "proxies"};
    for (const char *name : names) {
        CLI::App *command = app.add_subcommand(name, "comes with a later version");
        command->allow_extras();
        command->callback([name, &code] {
            say(QStringLiteral("muster-cli %1 comes with a later version").arg(QLatin1String(name)));
            code = endWith(ExitCode::Usage);
        });
    }
}

} // namespace muster::cli
