// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/exportsource.h"

namespace muster {

/// The project file. The reader outlives it.
class StoreExportSource final : public ExportSource
{
public:
    explicit StoreExportSource(const StoreReader &reader)
        : m_reader(reader)
    {}
    StoreResult<QVector<QByteArray>> inputColumns() const override { return m_reader.inputColumns(); }
    StoreResult<void> forEach(const Selector &where,
                              const std::function<bool(const RowView &)> &each) const override
    {
        return m_reader.forEach(where, each);
    }
    StoreResult<void>
    forEachAttempt(const Selector &where,
                   const std::function<bool(const RowView &, const AttemptView &)> &each) const override
    {
        return m_reader.forEachAttempt(where, each);
    }
    StoreResult<QVector<FailureGroup>> failures(int most) const override { return m_reader.failures(most); }

private:
    const StoreReader &m_reader;
};

} // namespace muster
