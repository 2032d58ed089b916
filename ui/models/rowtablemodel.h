// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <QHash>
#include <QTimer>
#include <QVector>

#include "core/job/snapshot.h"
#include "core/view/rowsource.h"

namespace muster {

/// The rows of a project as a table that holds only the pages one looks at: a million rows cost a count and
/// some dozens of pages of 128. One page is asked for at a time, always the next that is seen, so that a fast
/// scroll never queues up what it has left behind. A snapshot's changed rows make their pages stale; stale
/// pages are read again only where they are seen. Under a filter rows come and go: selected rows are followed
/// by their number. GUI thread.
class RowTableModel final : public QAbstractTableModel
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(RowTableModel)

public:
    enum Column {
        RowColumn,
        StateColumn,
        HostColumn,
        RequestColumn,
        CodeColumn,
        TimeColumn,
        WaitColumn,
        Columns
    };
    enum DataRole { LineRole = Qt::UserRole }; ///< the whole RowLine
    static constexpr int mostPages = 48;

    explicit RowTableModel(QObject *parent = nullptr);

    /// Not owned; may be null. Forgets everything shown.
    void setSource(RowSource *source);
    void setFilter(const QString &selector);
    QString filter() const { return m_filter; }
    void apply(const Snapshot &snapshot);
    /// What the view shows now, in rows of the table.
    void setVisibleRows(int first, int last);

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    const RowLine *lineAt(int row) const; ///< null where its page is not here
    qsizetype loadedPages() const { return m_pages.size(); }

Q_SIGNALS:
    void counted(int rows);
    void pageShown();
    void failed(const QString &message);

private:
    struct Page
    {
        QVector<RowLine> lines;
        bool stale = false;
        mutable quint64 used = 0; ///< the greatest was looked at last
    };

    void reset();
    void onCounted(quint64 generation, qint64 rows);
    void onPage(quint64 generation, qint64 page, const QVector<RowLine> &rows);
    void onFailed(quint64 generation, const QString &message);
    void markStale(const QVector<qint64> &changed);
    void askRecount();
    void fetch();
    bool wants(qint64 page) const;
    void evict();
    void follow(qint64 page, const QVector<RowLine> &before);
    int positionOf(qint64 row) const;
    QString text(const RowLine &line, int column) const;
    QString waitText(const RowLine &line) const;
    QString toolTip(const RowLine &line) const;

    RowSource *m_source = nullptr;
    QString m_filter;
    quint64 m_generation = 0;
    int m_rows = 0;
    QHash<qint64, Page> m_pages;
    qint64 m_asked = -1; ///< the page that is on its way
    int m_first = 0;
    int m_last = 0;
    mutable quint64 m_use = 0;
    Ledger m_ledger;
    Utc m_now{};
    QHash<QByteArray, HostView> m_stoppedHosts;
    QTimer m_rest; ///< between two counts
    bool m_recountWanted = false;
};

} // namespace muster
