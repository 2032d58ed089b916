// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

#include "core/store/connection.h"

namespace muster {

/// Makes a project file: `fill` works on a hidden file beside `path`, which gets its name only when it is
/// whole. Never overwrites. Mode 0600.
StoreResult<void> makeProjectFile(const QString &path,
                                  const std::function<StoreResult<void>(Connection &)> &fill);

/// Everything, as it stands in one snapshot.
StoreResult<void> copyWhole(const QString &from, const QString &path);

/// The settings and every row that is not done, without its results and tries; a duplicate goes with its
/// first row. Row numbers stay.
StoreResult<void> copyRest(const QString &from, const QString &path, const QByteArray &settings);

} // namespace muster
