// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArrayView>

namespace muster {

/// Whether `pattern` fits the whole of `text`: `*` stands for any run of bytes, the empty one included,
/// everything else for itself. Iterative, so that many stars cost at most pattern x text. Pure; any thread.
bool matchesWildcard(QByteArrayView pattern, QByteArrayView text);

} // namespace muster
