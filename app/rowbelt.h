// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <QVector>

#include "core/job/intakerow.h"

namespace muster {

/// Between the thread that reads a list and the one that writes it down: a few batches at most, so that
/// neither waits for long and memory does not grow with the list. Any thread; owned by one import.
class RowBelt final
{
public:
    RowBelt() = default;
    Q_DISABLE_COPY_MOVE(RowBelt)

    /// The reader's: waits for room. False: nobody takes any more.
    bool put(QVector<IntakeRow> rows)
    {
        std::unique_lock lock(m_mutex);
        m_changed.wait(lock, [this] { return m_batches.size() < most || m_stopped; });
        if (m_stopped)
            return false;
        m_batches.push_back(std::move(rows));
        m_changed.notify_all();
        return true;
    }
    /// The reader's last word.
    void finish()
    {
        const std::lock_guard lock(m_mutex);
        m_finished = true;
        m_changed.notify_all();
    }
    /// The writer's: waits for the next batch; nothing once the reader has finished.
    std::optional<QVector<IntakeRow>> take()
    {
        std::unique_lock lock(m_mutex);
        m_changed.wait(lock, [this] { return !m_batches.empty() || m_finished; });
        if (m_batches.empty())
            return std::nullopt;
        QVector<IntakeRow> rows = std::move(m_batches.front());
        m_batches.pop_front();
        m_changed.notify_all();
        return rows;
    }
    /// The writer's: it takes no more, the reader is to end.
    void stop()
    {
        const std::lock_guard lock(m_mutex);
        m_stopped = true;
        m_changed.notify_all();
    }

private:
    static constexpr std::size_t most = 2;

    std::mutex m_mutex; ///< guards all below
    std::condition_variable m_changed;
    std::deque<QVector<IntakeRow>> m_batches;
    bool m_finished = false;
    bool m_stopped = false;
};

} // namespace muster
