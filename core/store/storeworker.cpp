// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/storeworker.h"

#include <algorithm>
#include <chrono>

#include "core/store/connection.h"

namespace muster {

namespace {

using namespace std::chrono_literals;

constexpr auto firstPause = 100ms;
constexpr auto longestPause = 5s;
constexpr auto idleAfter = 1s;

} // namespace

StoreWorker::StoreWorker(std::function<void(std::function<void()>)> deliver)
    : m_deliver(std::move(deliver))
    , m_again(this)
    , m_idle(this)
{
    m_again.setSingleShot(true);
    m_idle.setSingleShot(true);
    m_idle.setInterval(idleAfter);
    connect(&m_again, &QTimer::timeout, this, &StoreWorker::pump);
    connect(&m_idle, &QTimer::timeout, this, [this] {
        if (m_project)
            m_project->checkpoint(true);
    });
}

StoreWorker::~StoreWorker() = default;

bool StoreWorker::isTransient(const StoreError &error)
{
    using Kind = StoreError::Kind;
    return error.kind == Kind::Busy || error.kind == Kind::Full || error.kind == Kind::ReadOnly ||
           error.kind == Kind::Gone;
}

StoreResult<QStringList> StoreWorker::open(const QString &path)
{
    MUSTER_TAKE(project, Project::open(path));
    m_project = std::move(project);
    return m_project->openingNotes();
}

void StoreWorker::add(Task task)
{
    bool first = false;
    {
        const std::lock_guard lock(m_mutex);
        first = m_inbox.empty();
        m_inbox.push_back(std::move(task));
    }
    if (first)
        QMetaObject::invokeMethod(this, &StoreWorker::pump, Qt::QueuedConnection);
}

void StoreWorker::pump()
{
    if (!m_project || m_again.isActive())
        return;
    for (;;) {
        {
            // Again before each task: arm requests that came while the last commit ran go together.
            const std::lock_guard lock(m_mutex);
            std::move(m_inbox.begin(), m_inbox.end(), std::back_inserter(m_queue));
            m_inbox.clear();
        }
        if (m_queue.empty())
            break;
        if (!workOne(false))
            return;
    }
    m_idle.start();
}

bool StoreWorker::workOne(bool last)
{
    StoreResult<void> r;
    if (!m_queue.front().run) {
        r = armTogether(last);
    } else {
        r = m_queue.front().run(*m_project, last);
        if (r)
            m_queue.pop_front();
    }
    if (!r) {
        trouble(r.error());
        return false;
    }
    recovered();
    m_project->checkpoint(false);
    return true;
}

StoreResult<void> StoreWorker::armTogether(bool last)
{
    const auto end = std::find_if(m_queue.begin(), m_queue.end(), [](const Task &t) { return bool(t.run); });
    const auto count = std::distance(m_queue.begin(), end);
    QVector<Arming> all;
    for (auto it = m_queue.begin(); it != end; ++it)
        all += it->armings;
    const StoreResult<qint64> together = m_project->arm(all);
    if (!together && isTransient(together.error()) && !last)
        return tl::make_unexpected(together.error());
    for (auto n = count; n > 0; --n) {
        Task task = std::move(m_queue.front());
        m_queue.pop_front();
        // One that cannot be sent must not take the others with it.
        const bool alone = !together && count > 1;
        const StoreResult<qint64> result = alone ? m_project->arm(task.armings) : together;
        replyArmed(std::move(task), result);
    }
    return {};
}

void StoreWorker::replyArmed(Task task, const StoreResult<qint64> &result)
{
    m_deliver([reply = std::move(task.armed), result] { reply(result); });
}

void StoreWorker::trouble(const StoreError &error)
{
    const auto pause =
        std::min<std::chrono::milliseconds>(firstPause * (1 << std::min(m_faults, 10)), longestPause);
    ++m_faults;
    m_again.start(pause);
    if (m_told == error.what)
        return;
    m_told = error.what;
    m_deliver([this, why = error.what] { Q_EMIT troubled(why); });
}

void StoreWorker::recovered()
{
    m_faults = 0;
    if (m_told.isEmpty())
        return;
    m_told.clear();
    m_deliver([this] { Q_EMIT troubled(QString()); });
}

void StoreWorker::finish()
{
    m_again.stop();
    m_idle.stop();
    {
        const std::lock_guard lock(m_mutex);
        std::move(m_inbox.begin(), m_inbox.end(), std::back_inserter(m_queue));
        m_inbox.clear();
    }
    while (m_project && !m_queue.empty() && workOne(true)) {
    }
    m_queue.clear();
    m_project.reset();
}

} // namespace muster

#include <moc_storeworker.cpp>
