// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/filterdelegate.h"

#include <QPainter>

#include "ui/icons/icons.h"
#include "ui/palette/palette.h"
#include "ui/style/type.h"

namespace muster {

FilterDelegate::FilterDelegate(QObject *parent)
    : QStyledItemDelegate(parent)
{}

QSize FilterDelegate::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    const bool section = index.data(SectionRole).toBool() && index.row() > 0;
    return {type::scaled(option.font, 100), type::scaled(option.font, section ? 30 : 24)};
}

void FilterDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option,
                           const QModelIndex &index) const
{
    const Colours colours(option.palette);
    const bool selected = option.state & QStyle::State_Selected;
    const bool narrow = option.rect.width() < type::scaled(option.font, 170);
    const bool section = index.data(SectionRole).toBool();
    const auto px = [&](int pixels) { return type::scaled(option.font, pixels); };
    const auto place = [&](const QRect &r) { return QStyle::visualRect(option.direction, option.rect, r); };
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    if (selected || (option.state & QStyle::State_MouseOver && index.flags() & Qt::ItemIsSelectable)) {
        painter->setPen(Qt::NoPen);
        painter->setBrush(colours(selected ? Role::Selection : Role::Hover));
        painter->drawRoundedRect(QRectF(option.rect).adjusted(6, 0.5, -6, -0.5), 4, 4);
    }
    if (option.state & QStyle::State_HasFocus && option.state & QStyle::State_KeyboardFocusChange) {
        painter->setPen(QPen(colours(Role::Accent), 1.5));
        painter->setBrush(Qt::NoBrush);
        painter->drawRoundedRect(QRectF(option.rect).adjusted(6.75, 1, -6.75, -1), 4, 4);
    }
    QRect area = option.rect.adjusted(px(narrow || section ? 12 : 24), 0, -px(12), 0);
    if (section)
        area.setTop(option.rect.bottom() + 1 - px(24));
    const int flags = int(Qt::AlignVCenter) | Qt::TextSingleLine;
    const QFont small = type::small(option.font);
    const QString count = index.data(CountRole).toString();
    const int countWidth = QFontMetrics(small).horizontalAdvance(count);
    painter->setFont(small);
    painter->setPen(colours(selected ? Role::Text : Role::Text2));
    painter->drawText(place(QRect(area.right() + 1 - countWidth, area.top(), countWidth + 1, area.height())),
                      flags, count);
    if (!narrow)
        area.setLeft(area.left() + index.data(IndentRole).toInt() * px(14));
    const QString glyph = index.data(GlyphRole).toString();
    if (!glyph.isEmpty()) {
        const int size = px(14);
        icons::paint(painter, glyph, colours(Role(index.data(ColourRole).toInt())),
                     place(QRect(area.left(), area.top(), size, area.height())));
        area.setLeft(area.left() + size + px(5));
    }
    const QString brief = narrow ? index.data(ShortRole).toString() : QString();
    const QString word = brief.isEmpty() ? index.data().toString() : brief;
    const QFont font = selected ? type::bold(option.font) : (section ? small : option.font);
    const int room = area.width() - countWidth - px(6);
    painter->setFont(font);
    painter->setPen(colours(section ? Role::Text2 : Role::Text));
    painter->drawText(place(QRect(area.left(), area.top(), room, area.height())),
                      flags | int(QStyle::visualAlignment(option.direction, Qt::AlignLeft)),
                      QFontMetrics(font).elidedText(word, Qt::ElideRight, room));
    painter->restore();
}

} // namespace muster
