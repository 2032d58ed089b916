// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/sparkline.h"

#include <algorithm>
#include <cmath>
#include <QPainter>
#include <QPainterPath>

#include "ui/palette/palette.h"
#include "ui/style/type.h"
#include "ui/text/format.h"

namespace muster {

namespace {

constexpr int mostPoints = 300;

// The next of 1, 2, 5 times a power of ten: scales that one can read.
double roundUp(double value)
{
    if (value <= 0)
        return 1;
    const double power = std::pow(10, std::floor(std::log10(value)));
    for (const double step : {1.0, 2.0, 5.0})
        if (value <= step * power * 1.0001)
            return step * power;
    return 10 * power;
}

} // namespace

Sparkline::Sparkline(Role line, QWidget *parent)
    : QWidget(parent)
    , m_line(line)
{
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Expanding);
}

void Sparkline::setTitle(const QString &title)
{
    m_title = title;
    setAccessibleName(m_value.isEmpty() ? title : title + u' ' + m_value);
    update();
}

void Sparkline::set(const Series &series, Utc now, Millis span, const QString &value)
{
    m_points = series.since(now - span, mostPoints);
    m_now = now;
    m_span = span;
    m_value = value;
    setAccessibleName(m_title + u' ' + value);
    update();
}

QSize Sparkline::sizeHint() const
{
    return {type::scaled(font(), 260), type::scaled(font(), 52)};
}

QSize Sparkline::minimumSizeHint() const
{
    return {type::scaled(font(), 160), type::scaled(font(), 44)};
}

Sparkline::Scale Sparkline::scale() const
{
    if (m_points.isEmpty())
        return {};
    const auto [least, most] = std::minmax_element(
        m_points.begin(), m_points.end(), [](const auto &a, const auto &b) { return a.value < b.value; });
    if (m_zeroBased)
        return {0, roundUp(most->value)};
    const double step = roundUp(std::max(1.0, (most->value - least->value) / 4));
    return {std::max(0.0, std::floor(least->value / step) * step),
            std::ceil(most->value / step + 1e-9) * step};
}

void Sparkline::paintLine(QPainter &painter, const QRectF &plot, const Scale &scale) const
{
    const Colours colours(palette());
    QPolygonF line;
    for (const Series::Point &p : m_points) {
        const double x =
            plot.right() - plot.width() * double((m_now - p.at).count()) / double(m_span.count());
        const double share = (p.value - scale.low) / std::max(1e-9, scale.high - scale.low);
        line.append({x, plot.bottom() - plot.height() * std::clamp(share, 0.0, 1.0)});
    }
    if (line.size() < 2)
        return;
    QPolygonF area = line;
    area.append({line.last().x(), plot.bottom()});
    area.append({line.first().x(), plot.bottom()});
    QColor ground = colours(m_line);
    ground.setAlphaF(0.12F);
    painter.setPen(Qt::NoPen);
    painter.setBrush(ground);
    painter.drawPolygon(area);
    painter.setPen(QPen(colours(m_line), 1.5, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.drawPolyline(line);
}

void Sparkline::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Colours colours(palette());
    const QFont small = type::small(font());
    const QFont caption = type::caption(font());
    const int head = type::scaled(font(), 18);
    const int axis = type::scaled(font(), 30);
    const int single = int(Qt::AlignVCenter) | Qt::TextSingleLine;
    const QRect top(axis, 0, width() - axis, head);
    painter.setFont(type::bold(small));
    painter.setPen(colours(Role::Text));
    painter.drawText(top, single | int(Qt::AlignRight), m_value);
    const int room = top.width() - QFontMetrics(type::bold(small)).horizontalAdvance(m_value) - 8;
    painter.setFont(small);
    painter.setPen(colours(Role::Text2));
    painter.drawText(top, single | int(Qt::AlignLeft),
                     QFontMetrics(small).elidedText(m_title, Qt::ElideMiddle, room));

    const QRectF plot(axis, head + 2.5, width() - axis, height() - head - 6);
    painter.setPen(QPen(colours(Role::Hair), 1));
    painter.drawLine(plot.topLeft(), plot.topRight());
    painter.drawLine(plot.bottomLeft(), plot.bottomRight());
    if (m_points.isEmpty())
        return;
    const Scale s = scale();
    painter.setFont(caption);
    painter.setPen(colours(Role::Text2));
    const int high = QFontMetrics(caption).height();
    painter.drawText(QRectF(0, plot.top() - high / 2.0, axis - 5, high), single | int(Qt::AlignRight),
                     format::shortCount(s.high));
    painter.drawText(QRectF(0, plot.bottom() - high / 2.0 - 2, axis - 5, high), single | int(Qt::AlignRight),
                     format::shortCount(s.low));
    paintLine(painter, plot, s);
}

} // namespace muster
