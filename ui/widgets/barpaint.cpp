// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/barpaint.h"

#include <algorithm>
#include <QPainter>
#include <QPainterPath>

#include "ui/palette/palette.h"
#include "ui/widgets/gaugeface.h"

namespace muster::barpaint {

namespace {

QRectF startOf(const QRectF &rect, double share)
{
    QRectF part = rect;
    part.setWidth(rect.width() * std::clamp(share, 0.0, 1.0));
    return part;
}

QColor paler(QColor fill)
{
    fill.setAlphaF(0.4F);
    return fill;
}

void rounded(QPainter &painter, const QRectF &rect, double radius, const QColor &fill)
{
    painter.setBrush(fill);
    painter.drawRoundedRect(rect, radius, radius);
}

// Fills the start of a rounded shape: the cut is straight, the ends stay round.
void fillStart(QPainter &painter, const QRectF &rect, double radius, double share, const QColor &fill)
{
    if (share <= 0)
        return;
    QPainterPath shape;
    shape.addRoundedRect(rect, radius, radius);
    painter.save();
    painter.setClipRect(startOf(rect, share), Qt::IntersectClip);
    painter.fillPath(shape, fill);
    painter.restore();
}

void cells(QPainter &painter, const QRectF &rect, const GaugeRow &row, const Colours &colours)
{
    constexpr double gap = 2;
    const QColor fill = colours(row.fill);
    const double width = (rect.width() - gap * (row.cells - 1)) / row.cells;
    const double radius = std::min(2.0, width / 3);
    for (int i = 0; i < row.cells; ++i) {
        const QRectF cell(rect.left() + i * (width + gap), rect.top(), width, rect.height());
        const double full = std::clamp(row.share * row.cells - i, 0.0, 1.0);
        const double before = std::clamp(row.shareBefore * row.cells - i, 0.0, 1.0);
        rounded(painter, cell, radius, colours(Role::Track));
        fillStart(painter, cell, radius, before, paler(fill));
        fillStart(painter, cell, radius, full, fill);
    }
}

void whole(QPainter &painter, const QRectF &rect, const GaugeRow &row, const Colours &colours)
{
    rounded(painter, rect, 3, colours(Role::Track));
    fillStart(painter, rect, 3, row.shareBefore, paler(colours(row.fill)));
    fillStart(painter, rect, 3, row.share, colours(row.fill));
    for (int quarter = 1; quarter < 4; ++quarter) // ticks: one can count without a scale
        painter.fillRect(QRectF(rect.left() + rect.width() * quarter / 4 - 0.5, rect.top(), 1, rect.height()),
                         colours(Role::Base));
}

void hatch(QPainter &painter, const QRectF &rect, const GaugeRow &row, const Colours &colours)
{
    rounded(painter, rect, 3, colours(Role::Track));
    const QRectF part = startOf(rect, row.share);
    QPainterPath shape;
    shape.addRoundedRect(rect, 3, 3);
    QPainterPath cut;
    cut.addRect(part);
    painter.save();
    painter.setClipPath(shape.intersected(cut));
    painter.fillRect(part, paler(colours(row.fill)));
    painter.setPen(QPen(colours(row.fill), 1.5));
    const double step = 5;
    for (double x = rect.left() - rect.height(); x < part.right(); x += step)
        painter.drawLine(QPointF(x, rect.bottom()), QPointF(x + rect.height(), rect.top()));
    painter.restore();
    painter.fillRect(QRectF(part.right() - 0.75, rect.top() - 1, 1.5, rect.height() + 2), colours(row.fill));
}

} // namespace

void row(QPainter &painter, const QRectF &rect, const GaugeRow &row, const Colours &colours, bool mirrored)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    if (mirrored) {
        painter.translate(rect.left() + rect.right(), 0);
        painter.scale(-1, 1);
    }
    switch (row.bar) {
    case GaugeRow::Bar::Cells:
        cells(painter, rect, row, colours);
        break;
    case GaugeRow::Bar::Whole:
        whole(painter, rect, row, colours);
        break;
    case GaugeRow::Bar::Hatch:
        hatch(painter, rect, row, colours);
        break;
    case GaugeRow::Bar::Thin: {
        const QRectF bar(rect.left(), rect.center().y() - 2, rect.width(), 4);
        rounded(painter, bar, 2, colours(Role::Track));
        fillStart(painter, bar, 2, row.share, colours(row.fill));
        break;
    }
    }
    painter.restore();
}

} // namespace muster::barpaint
