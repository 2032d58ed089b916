// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/refine/refinepool.h"

#include <mutex>
#include <QCoreApplication>
#include <QHash>
#include <QObject>
#include <QThread>
#include <QThreadPool>

namespace muster {

namespace {

/// Results on their way from the workers to the owner. Lives on the owner's thread; put() may be called from
/// any. One queued call carries all that has come until it runs.
class Inbox final : public QObject
{
public:
    explicit Inbox(std::function<void(quint64, RefineResult)> deliver)
        : m_deliver(std::move(deliver))
    {}

    void put(quint64 id, RefineResult result)
    {
        const std::scoped_lock lock(m_mutex);
        m_waiting.emplace_back(id, std::move(result));
        if (m_waiting.size() == 1)
            QMetaObject::invokeMethod(
                this, [this] { empty(); }, Qt::QueuedConnection);
    }

private:
    void empty()
    {
        std::vector<std::pair<quint64, RefineResult>> batch;
        {
            const std::scoped_lock lock(m_mutex);
            batch.swap(m_waiting);
        }
        // A callback may destroy the pool, and with it this object.
        const std::weak_ptr<bool> alive = m_alive;
        const auto deliver = m_deliver;
        for (auto &[id, result] : batch) {
            if (alive.expired())
                return;
            deliver(id, std::move(result));
        }
    }

    std::function<void(quint64, RefineResult)> m_deliver;
    std::shared_ptr<bool> m_alive = std::make_shared<bool>(true);
    std::mutex m_mutex;
    std::vector<std::pair<quint64, RefineResult>> m_waiting;
};

class ThreadedRefinePool final : public RefinePool
{
public:
    ThreadedRefinePool()
        : m_inbox([this](quint64 id, RefineResult result) { deliver(id, std::move(result)); })
    {
        m_threads.setMaxThreadCount(qBound(1, QThread::idealThreadCount() - 1, 4));
    }

    ~ThreadedRefinePool() override
    {
        m_threads.clear();
        m_threads.waitForDone();
    }

    void submit(std::shared_ptr<const RuleSet> rules, Answer answer, bool accepted,
                std::function<void(RefineResult)> done) override
    {
        const quint64 id = ++m_lastId;
        m_callbacks.insert(id, std::move(done));
        m_threads.start([this, id, rules = std::move(rules), answer = std::move(answer), accepted] {
            m_inbox.put(id, rules->judge(answer, accepted));
        });
    }

    int running() const override { return int(m_callbacks.size()); }

private:
    void deliver(quint64 id, RefineResult result)
    {
        const auto done = m_callbacks.take(id);
        done(std::move(result));
    }

    Inbox m_inbox; // after the threads are gone: declared first, destroyed last
    QHash<quint64, std::function<void(RefineResult)>> m_callbacks;
    quint64 m_lastId = 0;
    QThreadPool m_threads;
};

} // namespace

std::unique_ptr<RefinePool> makeRefinePool()
{
    return std::make_unique<ThreadedRefinePool>();
}

} // namespace muster
