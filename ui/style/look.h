// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "ui/palette/roles.h"

class QApplication;

namespace muster {

/// Gives the application its style, palette, font and icon, before the first widget is made; called again to
/// change the theme. Nothing given: what the desktop's palette says, light or dark.
void applyLook(QApplication &app, std::optional<Theme> theme = std::nullopt);

} // namespace muster
