// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/cellmaker.h"

namespace muster {

using Kind = ExportColumn::Kind;

CellMaker::CellMaker(std::span<const FixedColumn> fixed, const ColumnPlan &plan)
    : m_fixed(fixed)
    , m_plan(plan)
    , m_hasInput(plan.has(Kind::Input))
    , m_hasFields(plan.has(Kind::Field))
    , m_cells(plan.columns().size())
    , m_places(plan.columns().size(), -1)
{
    for (qsizetype i = 0; i < m_cells.size(); ++i) {
        const ExportColumn &column = plan.columns()[i];
        m_cells[i].isNumber =
            column.kind == Kind::Fixed && fixed[std::size_t(column.index)].form == FixedColumn::Form::Number;
        m_cells[i].fromNet = column.kind == Kind::Field;
    }
}

void CellMaker::readInput(const InputColumns &input)
{
    // The names are kept, so that their memory cannot become that of another batch's.
    const QVector<QByteArray> &names = input.names();
    if (names.constData() == m_names.constData() && names.size() == m_names.size())
        return;
    m_names = names;
    for (qsizetype i = 0; i < m_places.size(); ++i) {
        const ExportColumn &column = m_plan.columns()[i];
        m_places[i] = -1;
        if (column.kind != Kind::Input)
            continue;
        int nth = column.occurrence;
        for (qsizetype place = 0; place < names.size(); ++place) {
            if (names[place] != column.source || nth-- > 0)
                continue;
            m_places[i] = int(place);
            break;
        }
    }
}

void CellMaker::readFields(const ExportLine &line)
{
    const auto parsed = [](const QByteArray &object) -> std::shared_ptr<const JsonTree> {
        if (object.isEmpty() || object == "{}")
            return nullptr;
        const auto tree = JsonTree::parse(object);
        return tree ? *tree : nullptr;
    };
    m_fields = parsed(line.row->fields);
    m_record = line.record >= 0 ? parsed(line.row->records[line.record]) : nullptr;
}

JsonValue CellMaker::fieldOf(const QByteArray &name) const
{
    if (m_record)
        if (const JsonValue value = m_record->root().member(name); value.exists())
            return value;
    return m_fields ? m_fields->root().member(name) : JsonValue();
}

QVector<ExportCell> &CellMaker::cells(const ExportLine &line)
{
    if (m_hasInput)
        readInput(line.row->input);
    if (m_hasFields)
        readFields(line);
    for (qsizetype i = 0; i < m_cells.size(); ++i) {
        const ExportColumn &column = m_plan.columns()[i];
        ExportCell &cell = m_cells[i];
        switch (column.kind) {
        case Kind::Fixed: {
            const FixedColumn &fixed = m_fixed[std::size_t(column.index)];
            cell.text.resize(0); // keeps its memory
            fixed.append(line, cell.text);
            cell.present = !cell.text.isEmpty();
            cell.fromNet = fixed.fromNet && fixed.fromNet(line);
            break;
        }
        case Kind::Input: {
            const int place = m_places[i];
            cell.present = place >= 0 && !line.row->input.isEmpty();
            // A row that is shorter than its header has empty cells at its end.
            cell.text = cell.present ? line.row->input.cells().value(place) : QByteArray();
            break;
        }
        case Kind::Field: {
            const JsonValue value = fieldOf(column.source);
            cell.present = value.exists();
            cell.text = value.cell();
            cell.json = value.json();
            break;
        }
        }
    }
    return m_cells;
}

} // namespace muster
