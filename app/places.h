// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace muster {

/// The person's folders for Muster, by the XDG variables; not made by asking.
QString dataFolder();
QString configFolder();

/// Removes a project file and what lies beside it.
void removeProject(const QString &path);

} // namespace muster
