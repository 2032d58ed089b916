// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/job/request.h"

namespace muster {

/// 16 bytes that stand for the normalised request: method, URL, body, templated headers, secrets by name
/// (BLAKE2b-160 over length-prefixed parts, its first 16 bytes). `chain`: the first row of a chain of next
/// pages, else 0.
QByteArray identityOf(const Request &request, qint64 chain = 0);

} // namespace muster
