// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/style/stylepaint.h"

#include <QPainter>
#include <QStyle>
#include <QTabBar>

#include "ui/palette/palette.h"
#include "ui/style/type.h"

namespace muster::stylepaint {

namespace {

constexpr qreal controlRadius = 4;

/// Saves and restores, with antialiasing on.
class Brush final
{
public:
    explicit Brush(QPainter &painter)
        : m_painter(painter)
    {
        painter.save();
        painter.setRenderHint(QPainter::Antialiasing);
    }
    ~Brush() { m_painter.restore(); }
    Q_DISABLE_COPY_MOVE(Brush)

    void box(const QRect &rect, const QColor &fill, const QColor &line, qreal width = 1)
    {
        const qreal half = width / 2;
        m_painter.setBrush(fill.isValid() ? QBrush(fill) : QBrush(Qt::NoBrush));
        m_painter.setPen(line.isValid() ? QPen(line, width) : QPen(Qt::NoPen));
        const qreal inset = line.isValid() ? half : 0;
        m_painter.drawRoundedRect(QRectF(rect).adjusted(inset, inset, -inset, -inset), controlRadius,
                                  controlRadius);
    }

private:
    QPainter &m_painter;
};

} // namespace

void pushButton(const QStyleOption &option, QPainter &painter, const Colours &colours, bool primary)
{
    Brush brush(painter);
    const bool enabled = option.state & QStyle::State_Enabled;
    const bool pressed = option.state & (QStyle::State_Sunken | QStyle::State_On);
    const bool hovered = enabled && (option.state & QStyle::State_MouseOver);
    if (primary && enabled) {
        QColor fill = colours(Role::Accent);
        if (pressed || hovered)
            fill = colours.theme() == Theme::Light ? fill.darker(112) : fill.lighter(112);
        brush.box(option.rect, fill, {});
    } else {
        const QColor fill = colours(pressed || hovered ? Role::Hover : Role::Button);
        brush.box(option.rect, fill, colours(enabled ? Role::Edge : Role::Hair));
    }
}

void toolButton(const QStyleOption &option, QPainter &painter, const Colours &colours)
{
    if (!(option.state & QStyle::State_Enabled))
        return;
    Brush brush(painter);
    const bool on = option.state & QStyle::State_On;
    if (on)
        brush.box(option.rect, colours(Role::Selection), {});
    else if (option.state & (QStyle::State_Sunken | QStyle::State_MouseOver))
        brush.box(option.rect, colours(Role::Hover), {});
    if (option.state & QStyle::State_HasFocus)
        brush.box(option.rect, {}, colours(Role::Accent), 1.5);
}

void field(const QStyleOption &option, QPainter &painter, const Colours &colours, bool frameless)
{
    if (frameless)
        return;
    Brush brush(painter);
    const bool enabled = option.state & QStyle::State_Enabled;
    const bool focused = option.state & QStyle::State_HasFocus;
    brush.box(option.rect, colours(enabled ? Role::Base : Role::Window),
              colours(focused ? Role::Accent : (enabled ? Role::Edge : Role::Hair)), focused ? 1.6 : 1);
}

void frame(const QStyleOption &option, QPainter &painter, const Colours &colours)
{
    Brush brush(painter);
    const bool focused = option.state & QStyle::State_HasFocus;
    brush.box(option.rect, colours(Role::Base), colours(focused ? Role::Accent : Role::Edge),
              focused ? 1.6 : 1);
}

void focusRing(const QRect &rect, QPainter &painter, const Colours &colours)
{
    Brush brush(painter);
    brush.box(rect, {}, colours(Role::Accent), 1.5);
}

void itemGround(const QStyleOption &option, QPainter &painter, const Colours &colours)
{
    if (option.state & QStyle::State_Selected)
        painter.fillRect(option.rect, colours(Role::Selection));
    else if ((option.state & QStyle::State_MouseOver) && (option.state & QStyle::State_Enabled))
        painter.fillRect(option.rect, colours(Role::Hover));
}

void headerSection(const QStyleOption &option, QPainter &painter, const Colours &colours)
{
    painter.fillRect(option.rect, colours(Role::Alt));
    painter.fillRect(QRect(option.rect.left(), option.rect.bottom(), option.rect.width(), 1),
                     colours(Role::Hair));
}

void headerLabel(const QStyleOptionHeader &option, QPainter &painter, const Colours &colours)
{
    painter.save();
    painter.setFont(type::small(painter.font()));
    painter.setPen(colours(Role::Text2));
    const QRect r = option.rect.adjusted(4, 0, -4, 0);
    const QString text = painter.fontMetrics().elidedText(option.text, Qt::ElideRight, r.width());
    painter.drawText(r, int(option.textAlignment | Qt::AlignVCenter) | Qt::TextSingleLine, text);
    painter.restore();
}

void tab(const QStyleOptionTab &option, QPainter &painter, const Colours &colours)
{
    const bool current = option.state & QStyle::State_Selected;
    if (!current && (option.state & QStyle::State_MouseOver) && (option.state & QStyle::State_Enabled))
        painter.fillRect(option.rect, colours(Role::Hover));
    if (!current)
        return;
    const bool below = option.shape == QTabBar::RoundedSouth || option.shape == QTabBar::TriangularSouth;
    const int y = below ? option.rect.top() : option.rect.bottom() - 1;
    painter.fillRect(QRect(option.rect.left() + 6, y, option.rect.width() - 12, 2), colours(Role::Accent));
    if (option.state & QStyle::State_HasFocus)
        focusRing(option.rect.adjusted(2, 3, -2, -4), painter, colours);
}

void dockTitle(const QStyleOptionDockWidget &option, QPainter &painter, const Colours &colours, int indent)
{
    painter.save();
    painter.fillRect(option.rect, colours(Role::Window));
    painter.setFont(type::bold(painter.font()));
    painter.setPen(colours(Role::Text));
    const QRect r = option.rect.adjusted(indent + 4, 0, -56, 0);
    painter.drawText(r, int(Qt::AlignVCenter | Qt::AlignLeft) | Qt::TextSingleLine,
                     painter.fontMetrics().elidedText(option.title, Qt::ElideRight, r.width()));
    painter.restore();
}

void menuBarItem(const QStyleOptionMenuItem &option, QPainter &painter, const Colours &colours,
                 const QStyle &style)
{
    if (option.state & (QStyle::State_Selected | QStyle::State_Sunken)) {
        Brush brush(painter);
        brush.box(option.rect.adjusted(2, 2, -2, -2), colours(Role::Hover), {});
    }
    style.drawItemText(&painter, option.rect, Qt::AlignCenter | Qt::TextShowMnemonic | Qt::TextSingleLine,
                       option.palette, option.state & QStyle::State_Enabled, option.text,
                       QPalette::WindowText);
}

void scrollThumb(const QStyleOptionSlider &option, const QRect &thumb, QPainter &painter,
                 const Colours &colours)
{
    if (option.maximum <= option.minimum)
        return;
    Brush brush(painter);
    const bool active = option.activeSubControls & QStyle::SC_ScrollBarSlider &&
                        option.state & (QStyle::State_MouseOver | QStyle::State_Sunken);
    painter.setPen(Qt::NoPen);
    painter.setBrush(colours(active ? Role::Edge : Role::Scroll));
    painter.drawRoundedRect(QRectF(thumb).adjusted(2, 2, -2, -2), 3, 3);
}

} // namespace muster::stylepaint
