// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/exitcode.h"
#include "core/job/snapshot.h"

namespace muster {

/// Where a project stands while nobody crawls it, read from the file alone: idle, or finished when nothing is
/// left to do. Beside a crawl it would be right but late; ask the writer then.
OrStop<Snapshot> snapshotOfFile(const QString &project, Utc now);

} // namespace muster
