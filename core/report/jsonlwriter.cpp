// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/jsonlwriter.h"

#include "core/job/jsontree.h"
#include "core/report/celltext.h"

namespace muster {

namespace {

/// Inside "input" no fixed column is in the way: there a column is called as in its file.
QByteArray inputName(const ExportColumn &column)
{
    if (column.occurrence > 0 || column.source.isEmpty())
        return column.header;
    return column.source;
}

} // namespace

void JsonlWriter::begin(const ColumnPlan &, QByteArray &) {}

void JsonlWriter::row(const ColumnPlan &plan, QVector<ExportCell> &cells, QByteArray &out)
{
    JsonObjectWriter line, input, fields;
    for (qsizetype i = 0; i < cells.size(); ++i) {
        ExportCell &cell = cells[i];
        const ExportColumn &column = plan.columns()[i];
        // JSON has escapes for control characters; only what is not UTF-8 cannot stand.
        switch (column.kind) {
        case ExportColumn::Kind::Fixed:
            m_replaced += cleanse(cell.text, false);
            if (!cell.present)
                line.addRaw(column.header, "null");
            else if (cell.isNumber)
                line.addRaw(column.header, cell.text);
            else
                line.addText(column.header, cell.text);
            break;
        case ExportColumn::Kind::Input:
            m_replaced += cleanse(cell.text, false);
            if (cell.present)
                input.addText(inputName(column), cell.text);
            break;
        case ExportColumn::Kind::Field:
            m_replaced += cleanse(cell.json, false);
            if (cell.present)
                fields.addRaw(column.source, cell.json);
            break;
        }
    }
    line.addRaw("input", input.take());
    line.addRaw("fields", fields.take());
    out += line.take();
    out += '\n';
}

} // namespace muster
