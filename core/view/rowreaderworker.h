// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <QObject>
#include <QVector>

#include "core/view/pagereader.h"

namespace muster {

/// The part of StoreRowSource that blocks: lives on the reader thread, owns the reader, answers by signals.
class RowReaderWorker final : public QObject
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(RowReaderWorker)

public:
    explicit RowReaderWorker(PageReaderFactory open);

    void setFilter(const QString &selector, quint64 generation);
    void recount();
    void readPage(qint64 page, quint64 generation);

Q_SIGNALS:
    void counted(quint64 generation, qint64 rows);
    void pageReady(quint64 generation, qint64 page, const QVector<muster::RowLine> &rows);
    void failed(quint64 generation, const QString &message);

private:
    bool ready();
    void fail(const QString &message);
    void count();

    PageReaderFactory m_open;
    std::unique_ptr<PageReader> m_reader;
    Selector m_where;
    QVector<qint64> m_anchors; ///< row number of the first row of each page
    quint64 m_generation = 0;
    bool m_filterHolds = true; ///< the last selector could be read
};

} // namespace muster
