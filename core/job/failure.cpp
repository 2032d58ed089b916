// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/job/failure.h"

namespace muster {

namespace {

constexpr std::array<const char *, failureKindCount> names{"",
                                                           "dns",
                                                           "connect",
                                                           "connect_timeout",
                                                           "closed_early",
                                                           "tls",
                                                           "proxy",
                                                           "first_byte_timeout",
                                                           "stalled",
                                                           "total_timeout",
                                                           "truncated",
                                                           "malformed",
                                                           "decode",
                                                           "too_large",
                                                           "redirect",
                                                           "blocked_address",
                                                           "rate_limited",
                                                           "http_4xx",
                                                           "http_5xx",
                                                           "unexpected_status",
                                                           "error_rule",
                                                           "refine",
                                                           "robots",
                                                           "suspected_crash",
                                                           "cancelled",
                                                           "internal"};

} // namespace

const char *failureKindName(FailureKind kind)
{
    return names[static_cast<std::size_t>(kind)];
}

std::optional<FailureKind> failureKindFromName(QByteArrayView name)
{
    for (std::size_t i = 1; i < failureKindCount; ++i)
        if (name == QByteArrayView(names[i]))
            return static_cast<FailureKind>(i);
    return std::nullopt;
}

bool isNoAnswer(const Failure &failure)
{
    switch (failure.kind) {
    case FailureKind::Dns:
    case FailureKind::Connect:
    case FailureKind::ConnectTimeout:
    case FailureKind::Tls:
    case FailureKind::ClosedEarly:
        return true;
    case FailureKind::Proxy:
        return failure.detail == "down";
    default:
        return false;
    }
}

} // namespace muster
