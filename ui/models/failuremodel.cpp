// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/failuremodel.h"

#include <algorithm>

#include "ui/text/format.h"
#include "ui/text/words.h"

namespace muster {

namespace {

bool sameGroup(const FailureGroup &a, const FailureGroup &b)
{
    return a.kind == b.kind && a.host == b.host && a.code == b.code;
}

} // namespace

FailureModel::FailureModel(QObject *parent)
    : QAbstractTableModel(parent)
{}

void FailureModel::set(const QVector<FailureGroup> &groups)
{
    if (groups == m_groups)
        return;
    const qsizetype common = std::min(groups.size(), m_groups.size());
    const bool inPlace = std::equal(groups.begin(), groups.begin() + common, m_groups.begin(), sameGroup);
    if (!inPlace) {
        // The order changed: what was selected is followed by what it is.
        Q_EMIT layoutAboutToBeChanged();
        const QModelIndexList old = persistentIndexList();
        QModelIndexList now;
        for (const QModelIndex &index : old) {
            const FailureGroup was = m_groups[index.row()];
            const auto it = std::find_if(groups.begin(), groups.end(),
                                         [&was](const FailureGroup &g) { return sameGroup(g, was); });
            now.append(it == groups.end() ? QModelIndex()
                                          : createIndex(int(it - groups.begin()), index.column()));
        }
        m_groups = groups;
        changePersistentIndexList(old, now);
        Q_EMIT layoutChanged();
        return;
    }
    const int before = int(m_groups.size());
    const int after = int(groups.size());
    if (after > before) {
        beginInsertRows({}, before, after - 1);
        m_groups = groups;
        endInsertRows();
    } else if (after < before) {
        beginRemoveRows({}, after, before - 1);
        m_groups = groups;
        endRemoveRows();
    } else {
        m_groups = groups;
    }
    if (!m_groups.isEmpty())
        Q_EMIT dataChanged(index(0, 0), index(after - 1, Columns - 1));
}

int FailureModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_groups.size());
}

int FailureModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : Columns;
}

QVariant FailureModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid() || index.row() >= m_groups.size())
        return {};
    const FailureGroup &group = m_groups[index.row()];
    switch (role) {
    case Qt::DisplayRole:
        if (index.column() == KindColumn)
            return words::of(group.kind);
        return index.column() == MeaningColumn ? words::meaning(group.kind) : format::count(group.count);
    case Qt::ToolTipRole:
        return index.column() == MeaningColumn ? words::meaning(group.kind) : selectorOf(group);
    case Qt::TextAlignmentRole:
        return int((index.column() == RowsColumn ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    case KeyRole: {
        const QString key = QLatin1String(failureKindName(group.kind));
        return group.code > 0 ? QStringLiteral("%1 %2").arg(key).arg(group.code) : key;
    }
    case HostRole:
        return QString::fromUtf8(group.host);
    case CountRole:
        return group.count;
    case ShareRole: { // bars are scaled to the largest
        qint64 most = 1;
        for (const FailureGroup &g : m_groups)
            most = std::max(most, g.count);
        return double(group.count) / double(most);
    }
    default:
        return {};
    }
}

QVariant FailureModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return int((section == RowsColumn ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    return section == KindColumn ? tr("Failure")
                                 : (section == MeaningColumn ? tr("What happened") : tr("Rows"));
}

QString selectorOf(const FailureGroup &group)
{
    QString text = QStringLiteral("state:failed kind:") + QLatin1String(failureKindName(group.kind));
    if (!group.host.isEmpty())
        text += QStringLiteral(" host:") + QString::fromUtf8(group.host);
    if (group.code > 0)
        text += QStringLiteral(" code:%1").arg(group.code);
    return text;
}

} // namespace muster
