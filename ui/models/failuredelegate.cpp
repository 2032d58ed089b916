// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/failuredelegate.h"

#include <algorithm>
#include <QPainter>

#include "ui/icons/icons.h"
#include "ui/models/failuremodel.h"
#include "ui/palette/palette.h"
#include "ui/style/type.h"
#include "ui/text/words.h"

namespace muster {

FailureDelegate::FailureDelegate(QObject *parent)
    : QStyledItemDelegate(parent)
{}

void FailureDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option,
                            const QModelIndex &index) const
{
    const Colours colours(option.palette);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    if (option.state & QStyle::State_Selected)
        painter->fillRect(option.rect, colours(Role::Selection));
    painter->fillRect(QRect(option.rect.left(), option.rect.bottom(), option.rect.width(), 1),
                      colours(Role::Hair));
    QRect area = option.rect.adjusted(6, 0, -6, 0);
    const auto place = [&](const QRect &r) { return QStyle::visualRect(option.direction, option.rect, r); };
    const int flags = int(QStyle::visualAlignment(
                          option.direction,
                          Qt::AlignVCenter | (index.column() == FailureModel::RowsColumn ? Qt::AlignRight
                                                                                         : Qt::AlignLeft))) |
                      Qt::TextSingleLine;
    const auto line = [&](int number) {
        const int half = area.height() / 2;
        return number == 0 ? QRect(area.left(), area.top() + 4, area.width(), half - 3)
                           : QRect(area.left(), area.top() + half, area.width(), half - 5);
    };
    const auto put = [&](int number, const QFont &font, Role role, const QString &text) {
        painter->setFont(font);
        painter->setPen(colours(role));
        painter->drawText(place(line(number)), flags,
                          QFontMetrics(font).elidedText(text, Qt::ElideRight, area.width()));
    };
    const QString text = index.data().toString();
    switch (index.column()) {
    case FailureModel::KindColumn: {
        const Wording wording = words::of(JobState::Failed);
        const int glyph = type::scaled(option.font, 14);
        const QRect first = line(0);
        icons::paint(painter, wording.glyph, colours(wording.wordRole),
                     place(QRect(first.left(), first.top(), glyph, first.height())));
        area.setLeft(area.left() + glyph + type::scaled(option.font, 6));
        put(0, type::bold(option.font), Role::Text, text);
        put(1, type::small(option.font), Role::Text2, index.data(FailureModel::KeyRole).toString());
        break;
    }
    case FailureModel::MeaningColumn:
        put(0, option.font, Role::Text, text);
        put(1, type::small(option.font), Role::Text2, index.data(FailureModel::HostRole).toString());
        break;
    default: {
        put(0, type::bold(option.font), Role::Text, text);
        const QRect under = line(1);
        const double share = index.data(FailureModel::ShareRole).toDouble();
        const int width = std::max(4, int(share * std::min(under.width(), type::scaled(option.font, 76))));
        painter->setPen(Qt::NoPen);
        painter->setBrush(colours(Role::BadFill));
        painter->drawRoundedRect(
            place(QRect(under.right() + 1 - width, under.top() + under.height() / 2 - 3, width, 4)), 2, 2);
        break;
    }
    }
    painter->restore();
}

} // namespace muster
