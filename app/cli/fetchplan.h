// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <QByteArray>
#include <string>
#include <vector>

#include "app/exitcode.h"

namespace muster::cli {

/// The options of `fetch` that become settings.
struct FetchOptions
{
    std::string requestTemplate, column, rate;
    std::optional<long long> burst, atOnce, perHost, retries;
    std::optional<double> timeout;
    std::vector<std::string> fields; ///< NAME=KIND:EXPR
    bool setsLimits() const { return !rate.empty() || burst || atOnce || perHost; }
};

/// The settings document that these options stand for (spec 10, `fetch`), and the sentence about its limits
/// that is said first.
struct FetchPlan
{
    QByteArray document;
    QString limitsSaid;
};
OrStop<FetchPlan> planOf(const FetchOptions &options);

} // namespace muster::cli
