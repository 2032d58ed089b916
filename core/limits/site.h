// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

namespace muster {

/// The registrable domain of a lower-case punycode host by the public suffix list: `a.b.example.co.uk` is
/// `example.co.uk`. An address, a public suffix itself and a name below no known suffix are their own site.
QByteArray siteOf(const QByteArray &host);

} // namespace muster
