// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <optional>
#include <QByteArray>
#include <QString>

namespace muster {

/// Why a try or a job did not end well (spec 6). The numbers are stored: append, never renumber.
enum class FailureKind : quint8 {
    None,
    Dns,
    Connect,
    ConnectTimeout,
    ClosedEarly,
    Tls,
    Proxy,
    FirstByteTimeout,
    Stalled,
    TotalTimeout,
    Truncated,
    Malformed,
    Decode,
    TooLarge,
    Redirect,
    BlockedAddress,
    RateLimited,
    Http4xx,
    Http5xx,
    UnexpectedStatus,
    ErrorRule,
    Refine,
    Robots,
    SuspectedCrash,
    Cancelled,
    Internal,
};
inline constexpr std::size_t failureKindCount = 26; ///< with None

/// The public name: `first_byte_timeout` and so on; empty for None.
const char *failureKindName(FailureKind kind);
std::optional<FailureKind> failureKindFromName(QByteArrayView name);

/// A failure as a value. `detail` is one of the words of reliability 2.2 ("nxdomain", "loop", "truncated") or
/// empty; `note` completes the sentence where a number helps ("12,288 of 10,240 bytes"). No secret is ever in
/// it.
struct Failure
{
    FailureKind kind = FailureKind::None;
    QByteArray detail;
    int code = 0; ///< HTTP status, 0 where there was no answer
    QString note;

    explicit operator bool() const { return kind != FailureKind::None; }
    bool operator==(const Failure &) const = default;
};

/// No bytes of an answer came (spec 3, outage): neither the network nor the host is known to be there.
bool isNoAnswer(const Failure &failure);

} // namespace muster
