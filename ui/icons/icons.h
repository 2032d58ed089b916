// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QIcon>
#include <QPixmap>
#include <QString>

#include "ui/palette/roles.h"

class QPainter;
class QRectF;

namespace muster {

/// The own icons (resources/icons, grid 16): `currentColor` is replaced before the SVG is painted at the
/// device ratio; pixmaps are kept in QPixmapCache by name, colour and size. GUI thread.
namespace icons {

QPixmap pixmap(const QString &name, const QColor &colour, int size, qreal ratio);

/// Paints the icon into `rect` (its shorter side is the size), sharp at the painter's device ratio.
void paint(QPainter *painter, const QString &name, const QColor &colour, const QRectF &rect);

/// An icon for actions and buttons: painted in `role` of whatever theme is on then, greyed when disabled.
QIcon icon(const QString &name, Role role = Role::Text);

/// The application's own, in its colours.
QIcon application();

} // namespace icons

} // namespace muster
