// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace CLI {
class App;
}

namespace muster::cli {

/// Each adds its commands to the parser; a command that ran leaves its exit code in `code`. Main thread.
void addFetch(CLI::App &app, int &code);
void addProject(CLI::App &app, int &code);          ///< new, import
void addSettingsCommands(CLI::App &app, int &code); ///< settings, check
void addRun(CLI::App &app, int &code);
void addControl(CLI::App &app, int &code); ///< status, pause, resume, stop
void addRows(CLI::App &app, int &code);    ///< retry, skip, accept, first
void addExport(CLI::App &app, int &code);  ///< export, copy
void addSecret(CLI::App &app, int &code);
void addDemo(CLI::App &app, int &code);
void addLater(CLI::App &app, int &code); ///< those whose code comes later: they say so and end with 2

} // namespace muster::cli
