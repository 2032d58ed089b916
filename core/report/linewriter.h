// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/columnplan.h"

namespace muster {

/// One cell on its way out. `text` empty and `present` false: there is no value.
struct ExportCell
{
    QByteArray text;
    QByteArray json; ///< of a field: its value as JSON
    bool present = false;
    bool fromNet = false;
    bool isNumber = false;
};

/// Writes lines of cells into a buffer, in one format. One export on one thread; counts what it had to
/// change.
class LineWriter
{
public:
    LineWriter() = default;
    virtual ~LineWriter() = default;
    Q_DISABLE_COPY_MOVE(LineWriter)

    virtual void begin(const ColumnPlan &plan, QByteArray &out) = 0;
    /// As many cells as the plan has columns. The cells' texts may be changed.
    virtual void row(const ColumnPlan &plan, QVector<ExportCell> &cells, QByteArray &out) = 0;

    qint64 guarded() const { return m_guarded; }
    qint64 replaced() const { return m_replaced; }

protected:
    qint64 m_guarded = 0;
    qint64 m_replaced = 0;
};

} // namespace muster
