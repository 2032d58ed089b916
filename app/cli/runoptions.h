// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "app/cli/runner.h"
#include "core/settings/rate.h"

namespace muster::cli {

/// A count that may not be 0: the parser's own words for it hold numbers of 300 digits.
CLI::Validator atLeastOne();
/// The options that `run`, `fetch` and `demo` share.
void addRunOptions(CLI::App *command, RunOptions &options, std::string &maxTime);
/// What the parser cannot check by itself.
OrStop<void> finishRunOptions(RunOptions &options, const std::string &maxTime,
                              const std::string &secretsFile);

} // namespace muster::cli
