// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <QByteArray>
#include <QHostAddress>

namespace muster {

/// Where an address leads, for URLs that came from the net (reliability.md 5).
enum class Reach { Public, Private, Loopback, LinkLocal, Multicast, Unspecified, Reserved };

/// v4-mapped, NAT64, 6to4 and IPv4-compatible forms are judged by the IPv4 address inside.
Reach reachOf(const QHostAddress &address);
/// Only public addresses may be reached by received URLs.
bool isAllowedForReceived(const QHostAddress &address);

/// The address that a host spells, in any of the forms a resolver would take (127.1, 2130706433, 0x7f.1,
/// octal,
/// [::1]); nothing where it is a name. Names that mean this machine count as 127.0.0.1.
std::optional<QHostAddress> literalAddress(QByteArrayView host);

/// Ports that speak other protocols: the list of the fetch standard, without the one a URL has by default.
bool isBadPort(int port);

} // namespace muster
