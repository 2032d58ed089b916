// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/fixedcolumns.h"

namespace muster {

/// One column of an export: where its cells come from and what its head says.
struct ExportColumn
{
    enum class Kind { Fixed, Input, Field };
    Kind kind = Kind::Fixed;
    int index = 0;      ///< into the fixed columns, the input columns or the fields
    QByteArray source;  ///< the name that the row or the rule uses
    QByteArray header;  ///< unique in this export
    int occurrence = 0; ///< of several input columns of one name, which
};

/// The columns of an export, in order. A group or a name that was there before adds nothing again.
class ColumnPlan final
{
public:
    /// `wanted` is --columns: names as the header shows them, @fixed, @input, @fields. The problem names what
    /// is not known.
    static tl::expected<ColumnPlan, Problem> make(std::span<const FixedColumn> fixed,
                                                  const QVector<QByteArray> &inputs,
                                                  const QVector<QByteArray> &fields,
                                                  const QVector<QString> &wanted);
    const QVector<ExportColumn> &columns() const { return m_columns; }
    bool has(ExportColumn::Kind kind) const;

private:
    QVector<ExportColumn> m_columns;
};

} // namespace muster
