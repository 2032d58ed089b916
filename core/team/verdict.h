// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "core/net/fetcher.h"
#include "core/settings/statusmatcher.h"

namespace muster {

/// What a flight's end means before any error rule or field is looked at.
struct Verdict
{
    Failure failure;             ///< None: the answer counts, unless a rule says otherwise
    bool isWhole = false;        ///< an answer came whole: error rules are tried on it
    std::optional<Millis> given; ///< by Retry-After
};

/// Classifies by status (spec 6): `request.accept` first, then 429 and 503 with Retry-After as
/// `rate_limited`, then by number. Pure.
Verdict judge(const FlightResult &result, const StatusMatcher &accept);

/// What a POST or PUT that may have reached the server, and got no whole answer, ends as: it is not sent
/// again.
Failure sealedWrite(const Failure &was);

} // namespace muster
