// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

#include "core/job/snapshot.h"
#include "core/job/writerinfo.h"

namespace muster {

/// One line of JSON as spec 10 has it for `status --json` and `--progress json`. Pure.
QByteArray statusJson(const Snapshot &snapshot, const WriterInfo &writer);
/// The same for people: a few lines.
QString statusText(const Snapshot &snapshot, const WriterInfo &writer);

/// ISO 8601, UTC, milliseconds: how every file and log of ours writes a time. Empty for the epoch, which
/// means "no such time".
QString isoTime(Utc t);

} // namespace muster
