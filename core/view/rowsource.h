// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QVector>

#include "core/view/rowline.h"

namespace muster {

/// Port: the rows of a project as a table asks for them, page by page and without waiting. All calls return
/// at once; answers come as signals on the caller's thread. Every answer carries the generation of the filter
/// it belongs to, so that a late page of an old filter can be told and dropped. Owned by whoever wires the
/// window.
class RowSource : public QObject
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(RowSource)

public:
    static constexpr int pageRows = 128;

    explicit RowSource(QObject *parent = nullptr)
        : QObject(parent)
    {}
    ~RowSource() override = default;

    /// Shows the rows that the selector (spec 10) names; empty: all. Answered by `counted` or `failed`.
    virtual void setFilter(const QString &selector, quint64 generation) = 0;
    /// Counts again: rows were taken in, or left the filter. Calls made before the answer become one.
    virtual void recount() = 0;
    /// Asks for the rows from `page` x pageRows on. Answered by `pageReady` or `failed`.
    virtual void requestPage(qint64 page) = 0;

Q_SIGNALS:
    void counted(quint64 generation, qint64 rows);
    void pageReady(quint64 generation, qint64 page, const QVector<muster::RowLine> &rows);
    /// One sentence for a person: the selector cannot be read, the file is gone.
    void failed(quint64 generation, const QString &message);
};

} // namespace muster
