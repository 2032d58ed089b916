// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/csvwriter.h"

#include "core/report/celltext.h"

namespace muster {

void CsvWriter::append(QByteArrayView text, bool alone, QByteArray &out) const
{
    const char first = m_separator.front();
    const bool quoted = std::any_of(text.begin(), text.end(), [first](char c) {
        return c == '"' || c == '\r' || c == '\n' || c == first;
    });
    if (quoted) {
        out += '"';
        qsizetype from = 0;
        for (qsizetype at = text.indexOf('"'); at >= 0; at = text.indexOf('"', from)) {
            out += text.sliced(from, at + 1 - from);
            out += '"';
            from = at + 1;
        }
        out += text.sliced(from);
        out += '"';
    } else if (text.isEmpty() && alone) {
        out += "\"\""; // an empty line would be no row to many readers
    } else {
        out += text;
    }
}

void CsvWriter::begin(const ColumnPlan &plan, QByteArray &out)
{
    if (m_bom)
        out += "\xEF\xBB\xBF";
    const bool alone = plan.columns().size() == 1;
    bool rest = false;
    for (const ExportColumn &column : plan.columns()) {
        if (std::exchange(rest, true))
            out += m_separator;
        QByteArray head = column.header;
        m_replaced += cleanse(head, false);
        append(head, alone, out);
    }
    out += "\r\n";
}

void CsvWriter::row(const ColumnPlan &, QVector<ExportCell> &cells, QByteArray &out)
{
    const bool alone = cells.size() == 1;
    bool rest = false;
    for (ExportCell &cell : cells) {
        if (std::exchange(rest, true))
            out += m_separator;
        if (cell.isNumber) {
            append(cell.text, alone, out);
            continue;
        }
        m_replaced += cleanse(cell.text, cell.fromNet);
        if (m_guard && cell.fromNet && looksLikeFormula(cell.text)) {
            ++m_guarded;
            cell.text.prepend('\'');
        }
        append(cell.text, alone, out);
    }
    out += "\r\n";
}

} // namespace muster
