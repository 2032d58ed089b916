// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/rowtablemodel.h"

#include <algorithm>
#include <limits>

namespace muster {

namespace {

constexpr int recountRestMs = 1000;
constexpr qsizetype changedCap = 2000; // of Snapshot::changed: more may have changed than it names

bool sameRows(const QVector<RowLine> &a, const QVector<RowLine> &b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const RowLine &x, const RowLine &y) { return x.row == y.row; });
}

} // namespace

RowTableModel::RowTableModel(QObject *parent)
    : QAbstractTableModel(parent)
{
    m_rest.setSingleShot(true);
    m_rest.setInterval(recountRestMs);
    connect(&m_rest, &QTimer::timeout, this, [this] {
        if (m_recountWanted)
            askRecount();
    });
}

void RowTableModel::setSource(RowSource *source)
{
    if (m_source)
        m_source->disconnect(this);
    m_source = source;
    if (m_source) {
        connect(m_source, &RowSource::counted, this, &RowTableModel::onCounted);
        connect(m_source, &RowSource::pageReady, this, &RowTableModel::onPage);
        connect(m_source, &RowSource::failed, this, &RowTableModel::onFailed);
        connect(m_source, &QObject::destroyed, this, [this] {
            m_source = nullptr;
            reset();
        });
    }
    reset();
}

void RowTableModel::setFilter(const QString &selector)
{
    if (selector == m_filter)
        return;
    m_filter = selector;
    reset();
}

void RowTableModel::reset()
{
    beginResetModel();
    ++m_generation;
    m_rows = 0;
    m_pages.clear();
    m_asked = -1;
    m_first = 0;
    m_last = 0;
    m_recountWanted = false;
    endResetModel();
    if (m_source)
        m_source->setFilter(m_filter, m_generation);
}

void RowTableModel::apply(const Snapshot &snapshot)
{
    m_now = snapshot.asOf;
    m_stoppedHosts.clear();
    for (const HostView &host : snapshot.hosts)
        if (host.state != HostState::Open)
            m_stoppedHosts.insert(host.host, host);
    markStale(snapshot.changed);
    // Without a filter rows only come; under one every change of a state may move a row in or out.
    const bool moved =
        m_filter.isEmpty() ? snapshot.rows.takenIn() != m_ledger.takenIn() : !(snapshot.rows == m_ledger);
    m_ledger = snapshot.rows;
    if (moved)
        askRecount();
    fetch();
    if (m_rows > 0) // countdowns
        Q_EMIT dataChanged(index(std::min(m_first, m_rows - 1), StateColumn),
                           index(std::min(m_last, m_rows - 1), WaitColumn), {Qt::DisplayRole});
}

void RowTableModel::askRecount()
{
    m_recountWanted = m_rest.isActive();
    if (m_recountWanted || !m_source)
        return;
    m_source->recount();
    m_rest.start();
}

void RowTableModel::markStale(const QVector<qint64> &changed)
{
    if (changed.isEmpty())
        return;
    const bool all = changed.size() >= changedCap;
    for (Page &page : m_pages) {
        if (page.stale || page.lines.isEmpty())
            continue;
        page.stale = all || std::any_of(changed.begin(), changed.end(), [&page](qint64 row) {
                         return row >= page.lines.first().row && row <= page.lines.last().row;
                     });
    }
}

void RowTableModel::setVisibleRows(int first, int last)
{
    m_first = std::max(0, first);
    m_last = std::max(m_first, last);
    fetch();
}

bool RowTableModel::wants(qint64 page) const
{
    if (page < 0 || page * RowSource::pageRows >= m_rows)
        return false;
    const auto it = m_pages.constFind(page);
    return it == m_pages.constEnd() || it->stale;
}

void RowTableModel::fetch()
{
    if (!m_source || m_asked >= 0 || m_rows == 0)
        return;
    const qint64 from = m_first / RowSource::pageRows;
    const qint64 to = m_last / RowSource::pageRows;
    qint64 next = -1;
    for (qint64 page = from; page <= to && next < 0; ++page)
        if (wants(page))
            next = page;
    // One page ahead is read as well, so that a slow scroll never meets an empty row; never refreshed.
    if (next < 0 && wants(to + 1) && !m_pages.contains(to + 1))
        next = to + 1;
    if (next < 0)
        return;
    m_asked = next;
    m_source->requestPage(next);
}

void RowTableModel::onCounted(quint64 generation, qint64 rows)
{
    if (generation != m_generation)
        return;
    const int now = int(std::min<qint64>(rows, std::numeric_limits<int>::max()));
    if (!m_filter.isEmpty())
        for (Page &page : m_pages)
            page.stale = true;
    const auto border = m_pages.find(std::min(now, m_rows) / RowSource::pageRows);
    if (border != m_pages.end() && now != m_rows)
        border->stale = true;
    if (now > m_rows) {
        beginInsertRows({}, m_rows, now - 1);
        m_rows = now;
        endInsertRows();
    } else if (now < m_rows) {
        beginRemoveRows({}, now, m_rows - 1);
        m_rows = now;
        for (auto it = m_pages.begin(); it != m_pages.end();)
            it = it.key() * RowSource::pageRows >= now ? m_pages.erase(it) : std::next(it);
        endRemoveRows();
    }
    Q_EMIT counted(m_rows);
    fetch();
}

void RowTableModel::onPage(quint64 generation, qint64 number, const QVector<RowLine> &rows)
{
    if (generation != m_generation)
        return;
    if (number == m_asked)
        m_asked = -1;
    if (number * RowSource::pageRows < m_rows) {
        const auto old = m_pages.find(number);
        const bool moved = old != m_pages.end() && !sameRows(old->lines, rows);
        const QVector<RowLine> before = moved ? old->lines : QVector<RowLine>();
        m_pages.insert(number, {rows, false, ++m_use});
        if (moved)
            follow(number, before);
        const int first = int(number * RowSource::pageRows);
        const int last = std::min(first + RowSource::pageRows, m_rows) - 1;
        Q_EMIT dataChanged(index(first, 0), index(last, Columns - 1));
        evict();
        Q_EMIT pageShown();
    }
    fetch();
}

void RowTableModel::onFailed(quint64 generation, const QString &message)
{
    if (generation != m_generation)
        return;
    m_asked = -1;
    Q_EMIT failed(message);
}

void RowTableModel::follow(qint64 page, const QVector<RowLine> &before)
{
    const int first = int(page * RowSource::pageRows);
    Q_EMIT layoutAboutToBeChanged(); // selections hand over their indexes only now
    QModelIndexList from;
    QModelIndexList to;
    for (const QModelIndex &old : persistentIndexList()) {
        const int at = old.row() - first;
        if (at < 0 || at >= before.size())
            continue;
        const int now = positionOf(before[at].row);
        if (now == old.row())
            continue;
        from.append(old);
        to.append(now < 0 ? QModelIndex() : index(now, old.column()));
    }
    changePersistentIndexList(from, to);
    Q_EMIT layoutChanged();
}

int RowTableModel::positionOf(qint64 row) const
{
    for (auto it = m_pages.constBegin(); it != m_pages.constEnd(); ++it) {
        const auto &lines = it->lines;
        const auto at = std::lower_bound(lines.begin(), lines.end(), row,
                                         [](const RowLine &l, qint64 r) { return l.row < r; });
        if (at != lines.end() && at->row == row)
            return int(it.key() * RowSource::pageRows + (at - lines.begin()));
    }
    return -1;
}

void RowTableModel::evict()
{
    while (m_pages.size() > mostPages) {
        auto oldest = m_pages.begin();
        for (auto it = m_pages.begin(); it != m_pages.end(); ++it)
            if (it->used < oldest->used)
                oldest = it;
        m_pages.erase(oldest);
    }
}

const RowLine *RowTableModel::lineAt(int row) const
{
    const auto it = m_pages.constFind(row / RowSource::pageRows);
    const int at = row % RowSource::pageRows;
    if (row < 0 || it == m_pages.constEnd() || at >= it->lines.size())
        return nullptr;
    it->used = ++m_use;
    return &it->lines[at];
}

int RowTableModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : m_rows;
}

int RowTableModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : Columns;
}

} // namespace muster
