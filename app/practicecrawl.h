// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "app/exitcode.h"
#include "core/practice/practiceservice.h"

namespace muster {

/// Makes a new project of the running practice service's list and settings. One from an earlier run is
/// replaced: its addresses are gone with the service that had them.
OrStop<void> makePracticeProject(const practice::PracticeService &service, const QString &path);

} // namespace muster
