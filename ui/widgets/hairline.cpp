// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/hairline.h"

#include <QPainter>

#include "ui/palette/palette.h"

namespace muster {

Hairline::Hairline(Qt::Orientation orientation, QWidget *parent)
    : QWidget(parent)
{
    if (orientation == Qt::Horizontal)
        setFixedHeight(1);
    else
        setFixedWidth(1);
}

void Hairline::paintEvent(QPaintEvent *)
{
    QPainter(this).fillRect(rect(), Colours(palette())(Role::Hair));
}

} // namespace muster
