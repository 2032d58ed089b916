// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/view/rowreaderworker.h"

#include <utility>

#include "core/view/rowsource.h"

namespace muster {

RowReaderWorker::RowReaderWorker(PageReaderFactory open)
    : m_open(std::move(open))
{}

void RowReaderWorker::fail(const QString &message)
{
    Q_EMIT failed(m_generation, message);
}

bool RowReaderWorker::ready()
{
    if (m_reader)
        return true;
    auto opened = m_open();
    if (!opened) {
        fail(opened.error().what);
        return false;
    }
    m_reader = *std::move(opened);
    return true;
}

void RowReaderWorker::setFilter(const QString &selector, quint64 generation)
{
    m_generation = generation;
    m_anchors.clear();
    m_filterHolds = false;
    if (!ready())
        return;
    auto where = m_reader->parse(selector);
    if (!where)
        return fail(where.error());
    m_where = *std::move(where);
    m_filterHolds = true;
    count();
}

void RowReaderWorker::recount()
{
    if (m_filterHolds && ready())
        count();
    else
        Q_EMIT counted(m_generation, 0);
}

void RowReaderWorker::count()
{
    const auto rows = m_reader->count(m_where);
    if (!rows)
        return fail(rows.error().what);
    auto anchors = m_reader->anchors(m_where, RowSource::pageRows);
    if (!anchors)
        return fail(anchors.error().what);
    m_anchors = *std::move(anchors);
    Q_EMIT counted(m_generation, *rows);
}

void RowReaderWorker::readPage(qint64 page, quint64 generation)
{
    if (generation != m_generation || !m_filterHolds || !ready())
        return;
    // Past the anchors there was nothing when they were taken: an empty page, the next count tells more.
    if (page < 0 || page >= m_anchors.size()) {
        Q_EMIT pageReady(m_generation, page, {});
        return;
    }
    const auto rows = m_reader->page(m_where, m_anchors[page] - 1, RowSource::pageRows);
    if (!rows)
        return fail(rows.error().what);
    Q_EMIT pageReady(m_generation, page, *rows);
}

} // namespace muster
