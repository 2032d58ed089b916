// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <QThread>

#include "core/view/pagereader.h"
#include "core/view/rowsource.h"

namespace muster {

class RowReaderWorker;

/// RowSource over a project file: one thread of its own that owns the reader and does every query; this
/// object lives on the GUI thread and only passes values. The reader is opened on that thread, at the first
/// question. A page is found by its anchor (the row number at every 128th place), so that a jump into the
/// middle of a million rows costs one keyset query. The destructor waits for the query that runs.
class StoreRowSource final : public RowSource
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(StoreRowSource)

public:
    explicit StoreRowSource(PageReaderFactory open, QObject *parent = nullptr);
    ~StoreRowSource() override;

    void setFilter(const QString &selector, quint64 generation) override;
    void recount() override;
    void requestPage(qint64 page) override;

private:
    QThread m_thread;
    RowReaderWorker *m_worker = nullptr; ///< lives on m_thread, deleted there
    quint64 m_generation = 0;
    bool m_recounting = false; ///< asked and not answered
    bool m_recountAgain = false;
};

} // namespace muster
