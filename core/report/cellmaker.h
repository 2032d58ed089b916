// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/job/jsontree.h"
#include "core/report/columnplan.h"
#include "core/report/linewriter.h"

namespace muster {

/// Makes the cells of one line from what the store gave, by the plan. One export on one thread; the cells are
/// used again for each line.
class CellMaker final
{
public:
    CellMaker(std::span<const FixedColumn> fixed, const ColumnPlan &plan);
    QVector<ExportCell> &cells(const ExportLine &line);

private:
    void readInput(const InputColumns &input);
    void readFields(const ExportLine &line);
    JsonValue fieldOf(const QByteArray &name) const;

    const std::span<const FixedColumn> m_fixed;
    const ColumnPlan &m_plan;
    const bool m_hasInput;
    const bool m_hasFields;
    QVector<ExportCell> m_cells;
    QVector<QByteArray> m_names; ///< of the batch that m_places was made for
    QVector<int> m_places;       ///< for each column of the plan its place in the row's cells, or -1
    std::shared_ptr<const JsonTree> m_fields, m_record;
};

} // namespace muster
