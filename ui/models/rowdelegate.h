// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

namespace muster {

/// Paints the cells of RowTableModel: state as glyph, word and colour, quiet columns in the second text
/// colour, text elided at its end. GUI thread.
class RowDelegate final : public QStyledItemDelegate
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(RowDelegate)

public:
    explicit RowDelegate(QObject *parent = nullptr);
    void paint(QPainter *painter, const QStyleOptionViewItem &option,
               const QModelIndex &index) const override;
};

} // namespace muster
