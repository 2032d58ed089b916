// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/sqlitejobstore.h"

#include <mutex>
#include <vector>

#include "core/store/connection.h"
#include "core/store/storeworker.h"

namespace muster {

struct SqliteJobStore::Private
{
    explicit Private(SqliteJobStore *owner)
        : q(owner)
        , worker(new StoreWorker([this](std::function<void()> what) { deliver(std::move(what)); }))
    {}

    /// From the store thread: one event brings all replies that are there when it arrives.
    void deliver(std::function<void()> what)
    {
        bool first = false;
        {
            const std::lock_guard lock(mutex);
            first = outbox.empty();
            outbox.push_back(std::move(what));
        }
        if (first)
            QMetaObject::invokeMethod(
                q, [this] { handOver(); }, Qt::QueuedConnection);
    }
    void handOver()
    {
        std::vector<std::function<void()>> now;
        {
            const std::lock_guard lock(mutex);
            now.swap(outbox);
        }
        for (const auto &what : now)
            what();
    }
    /// A call of the project whose result goes to `reply`.
    template <typename T, typename Call>
    void ask(Call call, Reply<T> reply)
    {
        StoreWorker::Task task;
        task.run = [this, call = std::move(call), reply = std::move(reply)](Project &p,
                                                                            bool last) -> StoreResult<void> {
            StoreResult<T> result = call(p);
            if (!result && !last && StoreWorker::isTransient(result.error()))
                return tl::make_unexpected(result.error());
            deliver([reply, result = std::move(result)] { reply(result); });
            return {};
        };
        worker->add(std::move(task));
    }

    SqliteJobStore *q;
    QThread thread;
    StoreWorker *worker; ///< deleted by the thread when it ends
    QStringList notes;
    std::mutex mutex; ///< guards the outbox
    std::vector<std::function<void()>> outbox;
};

SqliteJobStore::SqliteJobStore()
    : d(std::make_unique<Private>(this))
{
    d->thread.setObjectName(QStringLiteral("store"));
    d->worker->moveToThread(&d->thread);
    connect(&d->thread, &QThread::finished, d->worker, &QObject::deleteLater);
    connect(d->worker, &StoreWorker::troubled, this, &SqliteJobStore::troubled, Qt::DirectConnection);
    d->thread.start();
}

SqliteJobStore::~SqliteJobStore()
{
    QMetaObject::invokeMethod(d->worker, &StoreWorker::finish, Qt::BlockingQueuedConnection);
    d->thread.quit();
    d->thread.wait();
}

StoreResult<void> SqliteJobStore::open(const QString &path)
{
    StoreResult<QStringList> notes;
    StoreWorker *worker = d->worker;
    QMetaObject::invokeMethod(
        worker, [worker, &notes, &path] { notes = worker->open(path); }, Qt::BlockingQueuedConnection);
    if (!notes)
        return tl::make_unexpected(notes.error());
    d->notes = *notes;
    return {};
}

QStringList SqliteJobStore::openingNotes() const
{
    return d->notes;
}

void SqliteJobStore::post(std::function<void(Project &)> work, std::function<void()> then)
{
    StoreWorker::Task task;
    task.run = [p = d.get(), work = std::move(work), then = std::move(then)](Project &project,
                                                                             bool) -> StoreResult<void> {
        work(project);
        if (then)
            p->deliver(then);
        return {};
    };
    d->worker->add(std::move(task));
}

void SqliteJobStore::draw(DrawOrder order, Reply<Drawn> reply)
{
    d->ask<Drawn>([order = std::move(order)](Project &p) { return p.draw(order); }, std::move(reply));
}

void SqliteJobStore::giveBack(QVector<qint64> rows)
{
    post([rows = std::move(rows)](Project &p) { p.giveBack(rows); });
}

void SqliteJobStore::arm(QVector<Arming> armings, Reply<qint64> reply)
{
    d->worker->add({{}, std::move(armings), std::move(reply)});
}

void SqliteJobStore::retire(QVector<Retired> batch, Reply<RetireReceipt> reply)
{
    d->ask<RetireReceipt>([batch = std::move(batch)](Project &p) { return p.retire(batch); },
                          std::move(reply));
}

void SqliteJobStore::closedHosts(Reply<QHash<QByteArray, Utc>> reply)
{
    d->ask<QHash<QByteArray, Utc>>([](Project &p) { return p.closedHosts(); }, std::move(reply));
}

void SqliteJobStore::isListedHost(QByteArray host, Reply<bool> reply)
{
    d->ask<bool>([host = std::move(host)](Project &p) { return p.isListedHost(host); }, std::move(reply));
}

} // namespace muster

#include <moc_sqlitejobstore.cpp>
