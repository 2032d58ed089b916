// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>
#include <tl/expected.hpp>

namespace muster {

/// The one spelling of a host as it stands in a normalised URL: lower case, international names in punycode,
/// IPv4 in dotted form whatever way it was written (2130706433, 0x7f.1), IPv6 in brackets as RFC 5952 says. A
/// trailing dot of a name stays. So limits, address policy, Host header and socket all read the same host
/// (rules of the WHATWG URL standard, host parsing; stricter about characters). Or "reason; mend". Any
/// thread.
tl::expected<QByteArray, QString> canonicalHost(QByteArrayView host);

} // namespace muster
