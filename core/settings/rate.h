// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <QString>

namespace muster {

/// A rate as a fraction, so that 1/7s stays exact: `grants` in `nanos` nanoseconds. Both above 0.
struct Rate
{
    qint64 grants = 0;
    qint64 nanos = 0;
    double perSecond() const { return static_cast<double>(grants) * 1e9 / static_cast<double>(nanos); }
    bool operator==(const Rate &) const = default;
};

/// `10/s`, `0.5/min`, `1/7s`, `50/10min`, `7/10s`; units ms s min h d. Nothing for `unlimited`, and nothing,
/// with `why` set, for what is no rate or outside 1 a year to 1,000,000 a second.
std::optional<Rate> parseRate(const QString &text, QString *why = nullptr);

/// Seconds of a duration: `250ms`, `30s`, `10min`, `2h`, `1d`, `1w`, or a bare number of seconds.
std::optional<double> parseDuration(const QString &text);

} // namespace muster
