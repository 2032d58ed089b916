// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/rowdelegate.h"

#include <QPainter>

#include "ui/icons/icons.h"
#include "ui/models/rowtablemodel.h"
#include "ui/palette/palette.h"
#include "ui/style/type.h"
#include "ui/text/words.h"

namespace muster {

RowDelegate::RowDelegate(QObject *parent)
    : QStyledItemDelegate(parent)
{}

void RowDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    const Colours colours(option.palette);
    painter->save();
    if (option.state & QStyle::State_Selected)
        painter->fillRect(option.rect, colours(Role::Selection));
    QRect area = option.rect.adjusted(6, 0, -6, 0);
    const int column = index.column();
    const bool quiet = column == RowTableModel::RowColumn || column == RowTableModel::HostColumn ||
                       column == RowTableModel::WaitColumn;
    Role role = quiet ? Role::Text2 : Role::Text;
    painter->setFont(option.font);
    if (column == RowTableModel::StateColumn) {
        const QVariant value = index.data(RowTableModel::LineRole);
        if (value.isValid()) {
            const RowLine line = value.value<RowLine>();
            const Wording wording = line.isWaitingToRetry() ? words::waitingToRetry() : words::of(line.state);
            role = wording.wordRole;
            const int glyph = type::scaled(option.font, 14);
            const QRect at(area.left(), area.top(), glyph, area.height());
            icons::paint(painter, wording.glyph, colours(role),
                         QStyle::visualRect(option.direction, area, at));
            area = QStyle::visualRect(option.direction, area,
                                      area.adjusted(glyph + type::scaled(option.font, 5), 0, 0, 0));
        }
    }
    const auto align = Qt::Alignment(index.data(Qt::TextAlignmentRole).toInt());
    // URLs and numbers stay left to right, whatever the layout's direction.
    painter->setPen(colours(role));
    painter->drawText(area, int(QStyle::visualAlignment(option.direction, align)) | Qt::TextSingleLine,
                      option.fontMetrics.elidedText(index.data().toString(), Qt::ElideRight, area.width()));
    painter->restore();
}

} // namespace muster
