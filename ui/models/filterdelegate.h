// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

#include "ui/palette/roles.h"

namespace muster {

/// One line of the side filters: glyph, word, count at the right; a section's name in the second text colour.
/// GUI thread.
class FilterDelegate final : public QStyledItemDelegate
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(FilterDelegate)

public:
    enum DataRole {
        SelectorRole = Qt::UserRole,
        GlyphRole,
        ColourRole,
        CountRole,
        SectionRole,
        IndentRole,
        ShortRole
    };

    explicit FilterDelegate(QObject *parent = nullptr);
    void paint(QPainter *painter, const QStyleOptionViewItem &option,
               const QModelIndex &index) const override;
    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;
};

} // namespace muster
