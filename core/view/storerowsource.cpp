// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/view/storerowsource.h"

#include <utility>

#include "core/view/rowreaderworker.h"

namespace muster {

StoreRowSource::StoreRowSource(PageReaderFactory open, QObject *parent)
    : RowSource(parent)
    , m_worker(new RowReaderWorker(std::move(open)))
{
    qRegisterMetaType<QVector<RowLine>>("QVector<muster::RowLine>");
    m_worker->moveToThread(&m_thread);
    connect(&m_thread, &QThread::finished, m_worker, &QObject::deleteLater);
    connect(m_worker, &RowReaderWorker::pageReady, this, &RowSource::pageReady);
    connect(m_worker, &RowReaderWorker::failed, this, [this](quint64 generation, const QString &message) {
        m_recounting = false;
        m_recountAgain = false;
        Q_EMIT failed(generation, message);
    });
    connect(m_worker, &RowReaderWorker::counted, this, [this](quint64 generation, qint64 rows) {
        if (generation != m_generation)
            return;
        m_recounting = false;
        Q_EMIT counted(generation, rows);
        if (std::exchange(m_recountAgain, false))
            recount();
    });
    m_thread.setObjectName(QStringLiteral("rows"));
    m_thread.start();
}

StoreRowSource::~StoreRowSource()
{
    m_thread.quit();
    m_thread.wait();
}

void StoreRowSource::setFilter(const QString &selector, quint64 generation)
{
    m_generation = generation;
    m_recounting = true;
    m_recountAgain = false;
    QMetaObject::invokeMethod(
        m_worker, [w = m_worker, selector, generation] { w->setFilter(selector, generation); },
        Qt::QueuedConnection);
}

void StoreRowSource::recount()
{
    if (m_recounting) {
        m_recountAgain = true;
        return;
    }
    m_recounting = true;
    QMetaObject::invokeMethod(
        m_worker, [w = m_worker] { w->recount(); }, Qt::QueuedConnection);
}

void StoreRowSource::requestPage(qint64 page)
{
    QMetaObject::invokeMethod(
        m_worker, [w = m_worker, page, g = m_generation] { w->readPage(page, g); }, Qt::QueuedConnection);
}

} // namespace muster
