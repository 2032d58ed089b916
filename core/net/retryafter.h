// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <QByteArray>

#include "core/job/moment.h"

namespace muster {

/// How long a Retry-After asks to wait (spec 3): seconds, or one of the three HTTP dates measured against the
/// answer's own `date` (`now` where that is missing or unreadable). 0 or past: 1 s. Several values: the
/// latest. Nothing readable: nothing. At most ten years. Pure.
std::optional<Millis> retryAfterDelay(const QByteArray &values, const QByteArray &date, Utc now);

/// IMF-fixdate, RFC 850 (two-digit year: at most 50 years ahead of `now`) and asctime (RFC 9110 5.6.7).
std::optional<Utc> parseHttpDate(const QByteArray &text, Utc now);

} // namespace muster
