// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <QByteArray>

#include "core/job/moment.h"

namespace muster {

/// An HTTP date in any of its three forms (RFC 9110 5.6.7: IMF, RFC 850 with two digits of the year,
/// asctime), or nothing. `now` decides the century of two digits.
std::optional<Utc> parseHttpDate(QByteArrayView text, Utc now);

/// How long a Retry-After asks to wait (spec 3): digits only, or a date measured against the answer's own
/// Date; 0 and the past are 1 s; of two the later; never above ten years. Nothing where it cannot be read.
std::optional<Millis> parseRetryAfter(const QByteArray &values, const QByteArray &serverDate, Utc now);

} // namespace muster
