// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyleOption>

class QPainter;
class QStyle;

namespace muster {

class Colours;

/// The strokes of MusterStyle, one function a part. They keep the painter as they found it.
namespace stylepaint {

void pushButton(const QStyleOption &option, QPainter &painter, const Colours &colours, bool primary);
void toolButton(const QStyleOption &option, QPainter &painter, const Colours &colours);
void field(const QStyleOption &option, QPainter &painter, const Colours &colours, bool frameless);
void frame(const QStyleOption &option, QPainter &painter, const Colours &colours);
void focusRing(const QRect &rect, QPainter &painter, const Colours &colours);
void itemGround(const QStyleOption &option, QPainter &painter, const Colours &colours);
void headerSection(const QStyleOption &option, QPainter &painter, const Colours &colours);
void headerLabel(const QStyleOptionHeader &option, QPainter &painter, const Colours &colours);
void tab(const QStyleOptionTab &option, QPainter &painter, const Colours &colours);
void dockTitle(const QStyleOptionDockWidget &option, QPainter &painter, const Colours &colours, int indent);
void menuBarItem(const QStyleOptionMenuItem &option, QPainter &painter, const Colours &colours,
                 const QStyle &style);
void scrollThumb(const QStyleOptionSlider &option, const QRect &thumb, QPainter &painter,
                 const Colours &colours);

} // namespace stylepaint

} // namespace muster
