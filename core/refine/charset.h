// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

namespace muster {

/// The text of a body as proper UTF-8 (spec 7): by its byte order mark, else by the charset of its
/// Content-Type, else as UTF-8; what is not proper becomes U+FFFD. A charset that nobody knows counts as
/// none.
QByteArray bodyAsUtf8(const QByteArray &body, const QByteArray &contentType);

/// The charset parameter of a Content-Type, lower case, quotes taken off; empty where there is none.
QByteArray charsetOf(const QByteArray &contentType);

} // namespace muster
