// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "app/exitcode.h"

namespace muster {

/// The person's folders for Muster, by the XDG variables; not made by asking.
QString dataFolder();
QString configFolder();

/// Where the window keeps what has no name yet; made by asking, with default settings, where it is not there.
OrStop<QString> untitledProject();

/// Removes a project file and what lies beside it.
void removeProject(const QString &path);

} // namespace muster
