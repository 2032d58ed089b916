// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/figure.h"

#include <algorithm>
#include <QPainter>
#include <QStyle>

#include "ui/palette/palette.h"
#include "ui/style/type.h"

namespace muster {

Figure::Figure(const QString &name, QWidget *parent)
    : QWidget(parent)
    , m_name(name)
{
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

void Figure::setName(const QString &name)
{
    if (name == m_name)
        return;
    m_name = name;
    m_widest = 0;
    updateGeometry();
    update();
}

void Figure::set(const QString &number, const QString &unit)
{
    if (number == m_number && unit == m_unit)
        return;
    m_number = number;
    m_unit = unit;
    setAccessibleName(QStringLiteral("%1 %2 %3").arg(m_name, number, unit));
    const int before = m_widest;
    m_widest = std::max(m_widest, sizeHint().width());
    if (m_widest != before)
        updateGeometry();
    update();
}

QSize Figure::sizeHint() const
{
    const QFontMetrics name(type::caption(font()));
    const QFontMetrics number(type::bold(type::small(font())));
    const QFontMetrics unit(type::small(font()));
    const int value = number.horizontalAdvance(m_number) + unit.horizontalAdvance(m_unit);
    const int width = std::max(name.horizontalAdvance(m_name), value) + type::scaled(font(), 19);
    return {std::max(m_widest, width), type::scaled(font(), 38)};
}

void Figure::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const Colours colours(palette());
    const auto place = [this](const QRect &r) { return QStyle::visualRect(layoutDirection(), rect(), r); };
    painter.fillRect(place(QRect(0, 0, 1, height())), colours(Role::Hair));
    const int left = type::scaled(font(), 9);
    const int half = height() / 2;
    const int flags = int(QStyle::visualAlignment(layoutDirection(), Qt::AlignLeft) | Qt::AlignVCenter) |
                      Qt::TextSingleLine;
    painter.setFont(type::caption(font()));
    painter.setPen(colours(Role::Text2));
    painter.drawText(place(QRect(left, 0, width() - left, half)), flags, m_name);
    const QFont strong = type::bold(type::small(font()));
    const int used = QFontMetrics(strong).horizontalAdvance(m_number);
    painter.setFont(strong);
    painter.setPen(colours(Role::Text));
    painter.drawText(place(QRect(left, half, used + 1, height() - half)), flags, m_number);
    painter.setFont(type::small(font()));
    painter.setPen(colours(Role::Text2));
    painter.drawText(place(QRect(left + used, half, width() - left - used, height() - half)), flags, m_unit);
}

} // namespace muster
