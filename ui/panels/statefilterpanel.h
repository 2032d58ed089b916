// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QListView>
#include <QVector>

#include "core/job/snapshot.h"
#include "ui/palette/roles.h"

class QStandardItemModel;

namespace muster {

/// The side filters with their counts: states, kinds of failure, hosts. Counts come from the snapshot's
/// counters, never from a query. A chosen entry is a selector (spec 10). GUI thread.
class StateFilterPanel final : public QListView
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(StateFilterPanel)

public:
    explicit StateFilterPanel(QWidget *parent = nullptr);
    void apply(const Snapshot &snapshot);
    /// Marks the entry of this selector; none where there is no such entry.
    void showFilter(const QString &selector);
    QSize sizeHint() const override;

Q_SIGNALS:
    void chosen(const QString &selector);

protected:
    void currentChanged(const QModelIndex &current, const QModelIndex &previous) override;

private:
    struct Line
    {
        QString word;
        QString brief; ///< where there is little room
        QString selector;
        QString glyph;
        Role colour = Role::Text;
        QString count;
        QString toolTip;
        bool section = false;
        bool choosable = true;
        int indent = 0;
    };
    QVector<Line> lines(const Snapshot &snapshot) const;
    void addStates(QVector<Line> &lines, const Ledger &ledger) const;
    void addKinds(QVector<Line> &lines, const QVector<FailureGroup> &failures) const;
    void addHosts(QVector<Line> &lines, const QVector<HostView> &hosts) const;
    void put(int row, const Line &line);

    QStandardItemModel *m_model = nullptr;
    QString m_selector;
    bool m_applying = false; ///< the program, not a person, moves the current entry
};

} // namespace muster
