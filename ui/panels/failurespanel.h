// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "core/job/snapshot.h"

class QLabel;
class QPushButton;
class QStackedLayout;
class QTableView;

namespace muster {

class EmptyNote;
class FailureModel;

/// Failures by kind, host and code with their counts, most first; from a group one step to its rows. GUI
/// thread.
class FailuresPanel final : public QWidget
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(FailuresPanel)

public:
    explicit FailuresPanel(QWidget *parent = nullptr);
    void apply(const Snapshot &snapshot);
    void setReadOnly(bool readOnly);
    FailureModel *model() const { return m_model; }
    QTableView *table() const { return m_table; }

Q_SIGNALS:
    void showRowsWanted(const QString &selector);
    void retryFailedWanted();

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    QWidget *makeHead();
    void setUpTable();
    void showSelected();
    QString summary() const;

    FailureModel *m_model = nullptr;
    QTableView *m_table = nullptr;
    QLabel *m_summary = nullptr;
    QPushButton *m_show = nullptr;
    QPushButton *m_retry = nullptr;
    EmptyNote *m_note = nullptr;
    QStackedLayout *m_stack = nullptr;
    Ledger m_ledger;
    bool m_readOnly = false;
};

} // namespace muster
