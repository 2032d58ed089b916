// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

#include "core/store/storereader.h"

namespace muster {

/// Where an export takes its rows from: the project's reader, or a test's own. One thread.
class ExportSource
{
public:
    ExportSource() = default;
    virtual ~ExportSource() = default;
    Q_DISABLE_COPY_MOVE(ExportSource)

    virtual StoreResult<QVector<QByteArray>> inputColumns() const = 0;
    virtual StoreResult<void> forEach(const Selector &where,
                                      const std::function<bool(const RowView &)> &each) const = 0;
    virtual StoreResult<void>
    forEachAttempt(const Selector &where,
                   const std::function<bool(const RowView &, const AttemptView &)> &each) const = 0;
    virtual StoreResult<QVector<FailureGroup>> failures(int most) const = 0;
};

} // namespace muster
