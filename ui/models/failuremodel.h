// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <QVector>

#include "core/job/snapshot.h"

namespace muster {

/// Failures that ended rows, grouped by kind, host and code, most first; as the snapshot has them. GUI
/// thread.
class FailureModel final : public QAbstractTableModel
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(FailureModel)

public:
    enum Column { KindColumn, MeaningColumn, RowsColumn, Columns };
    enum DataRole { KeyRole = Qt::UserRole, HostRole, CountRole, ShareRole };

    explicit FailureModel(QObject *parent = nullptr);
    /// Keeps rows in place where only counts changed, so that selection and scroll stay.
    void set(const QVector<FailureGroup> &groups);
    const QVector<FailureGroup> &groups() const { return m_groups; }

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QVector<FailureGroup> m_groups;
};

/// The selector (spec 10) that names a group's rows.
QString selectorOf(const FailureGroup &group);

} // namespace muster
