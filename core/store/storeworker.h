// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <QObject>
#include <QTimer>

#include "core/store/jobstore.h"
#include "core/store/project.h"

namespace muster {

/// What SqliteJobStore runs on its store thread: one queue, worked off in order. Arm requests that stand next
/// to each other become one transaction. A transient fault leaves the queue as it is and is tried again after
/// a back-off by a timer. Lives on the store thread; owned by SqliteJobStore; add() comes from any thread.
class StoreWorker final : public QObject
{
    Q_OBJECT

public:
    /// `deliver` takes what is to be done on the owner's thread; called from the store thread.
    explicit StoreWorker(std::function<void(std::function<void()>)> deliver);
    ~StoreWorker() override;
    Q_DISABLE_COPY_MOVE(StoreWorker)

    struct Task
    {
        /// Does it; an error that may pass keeps the task. Otherwise it has called `deliver` itself.
        std::function<StoreResult<void>(Project &, bool last)> run;
        QVector<Arming> armings; ///< instead of `run`
        JobStore::Reply<qint64> armed;
    };

    StoreResult<QStringList> open(const QString &path); ///< on the store thread, once
    void add(Task task);
    void deliver(std::function<void()> what) { m_deliver(std::move(what)); }
    /// Works the queue off once more and closes the project. Store thread; nothing is added after it.
    void finish();

    static bool isTransient(const StoreError &error);

Q_SIGNALS:
    void troubled(const QString &why); ///< emitted on the owner's thread; empty: over

private:
    void pump();
    bool workOne(bool last);
    StoreResult<void> armTogether(bool last);
    void replyArmed(Task task, const StoreResult<qint64> &result);
    void trouble(const StoreError &error);
    void recovered();

    std::function<void(std::function<void()>)> m_deliver;
    std::unique_ptr<Project> m_project;
    std::mutex m_mutex; ///< guards the inbox
    std::deque<Task> m_inbox;
    std::deque<Task> m_queue;
    QTimer m_again; ///< after a transient fault
    QTimer m_idle;  ///< for the checkpoint when nothing goes on
    int m_faults = 0;
    QString m_told;
};

} // namespace muster
