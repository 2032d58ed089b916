// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "app/exitcode.h"
#include "core/control/writerlock.h"

namespace muster {

/// Takes the writer's lock of a project, or says who has it (exit 7). `listens`: it names a socket for
/// consoles.
OrStop<std::unique_ptr<WriterLock>> takeLock(const QString &project, const QString &program, bool listens);

} // namespace muster
