// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QVariantList>

#include "core/store/selector.h"

namespace muster {

/// A selector as a condition over the aliases `a` (the row itself) and `o` (the row whose outcome it shows:
/// its first row where it is a duplicate). All values are bound, none is in the text.
struct SelectorSql
{
    QString condition; ///< never empty
    QVariantList values;
};
SelectorSql toSql(const Selector &where);

} // namespace muster
