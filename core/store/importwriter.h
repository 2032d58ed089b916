// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

#include "core/store/desk.h"

namespace muster {

/// Takes one import in as one batch: 5,000 rows a transaction, unfinished until finish(). Store thread.
class ImportWriter final
{
public:
    explicit ImportWriter(Desk &desk)
        : m_desk(desk)
    {}

    StoreResult<qint64> begin(const BatchInfo &info, Utc at, bool share);
    StoreResult<void> add(qint64 batch, const QVector<IntakeRow> &rows,
                          const std::function<void()> &committed);
    StoreResult<ImportCounts> finish(qint64 batch);
    StoreResult<void> drop(qint64 batch);
    bool isOpen() const { return m_batch > 0; }
    /// What a crash left: every unfinished batch goes. Their number.
    StoreResult<int> dropUnfinished();

private:
    StoreResult<void> take(const IntakeRow &row, ImportCounts &counts);
    StoreResult<void> checkOpen(qint64 batch) const;
    StoreResult<void> remove(qint64 batch);
    void close();

    Desk &m_desk;
    qint64 m_batch = 0;
    bool m_share = true;
    ImportCounts m_counts;
};

} // namespace muster
