// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

#include "core/job/failure.h"

namespace muster {

/// The English sentence of a failure, for files and logs: "HTTP 429: told to wait". Built from kind, detail
/// and note alone, so it can hold no secret that those do not hold. Empty for None. The window's own words
/// are made in ui/text.
QString describe(const Failure &failure);

/// "1 row", "2 rows": a count with its noun, for files and logs. The plural takes an s.
QString counted(qint64 n, const char *noun);

/// A URL fit for logs, errors and titles: the values of its query and a login are written as ***.
QByteArray redactedUrl(const QByteArray &url);

} // namespace muster
