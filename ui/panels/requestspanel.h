// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "core/job/snapshot.h"

class QStackedLayout;
class QTableView;

namespace muster {

class EmptyNote;
class RowSource;
class RowTableModel;

/// The table of rows with its filter, and what stands there when no row does. GUI thread.
class RequestsPanel final : public QWidget
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(RequestsPanel)

public:
    explicit RequestsPanel(QWidget *parent = nullptr);
    ~RequestsPanel() override;

    void apply(const Snapshot &snapshot);
    void setSource(RowSource *source); ///< not owned
    void setFilter(const QString &selector);
    QString filter() const;
    void setReadOnly(bool readOnly);
    QTableView *table() const { return m_table; }
    RowTableModel *model() const { return m_model; }

Q_SIGNALS:
    void addListWanted();
    void clearFilterWanted();
    void filterFailed(const QString &message);
    /// The table shows what there is: the first page, or that there is none.
    void settled();

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    void setUpTable();
    void showVisible();
    void showState(int rows);
    void fitColumns();
    void copyUrls() const;

    RowTableModel *m_model = nullptr;
    QTableView *m_table = nullptr;
    EmptyNote *m_note = nullptr;
    QStackedLayout *m_stack = nullptr;
    bool m_readOnly = false;
};

} // namespace muster
