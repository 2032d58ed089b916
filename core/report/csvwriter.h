// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/linewriter.h"

namespace muster {

/// RFC 4180: CRLF, quotes where they are needed, UTF-8; with a tab between the cells it is TSV. Never
/// localised. Cells from the net are guarded against formulas where `guard` says so.
class CsvWriter final : public LineWriter
{
public:
    CsvWriter(QByteArray separator, bool bom, bool guard)
        : m_separator(std::move(separator))
        , m_bom(bom)
        , m_guard(guard)
    {}
    void begin(const ColumnPlan &plan, QByteArray &out) override;
    void row(const ColumnPlan &plan, QVector<ExportCell> &cells, QByteArray &out) override;

private:
    void append(QByteArrayView text, bool alone, QByteArray &out) const;

    const QByteArray m_separator;
    const bool m_bom;
    const bool m_guard;
};

} // namespace muster
