// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <iterator>
#include <mutex>
#include <QtGlobal>
#include <vector>

namespace muster {

/// Values on their way from one thread to another. The sender posts one wake-up when put() says that the box
/// was empty, so that a batch costs one event, not one for each value. Any thread; owned by the receiver.
template <typename T>
class Mailbox final
{
public:
    Mailbox() = default;
    Q_DISABLE_COPY_MOVE(Mailbox)

    /// True when the receiver has to be woken.
    bool put(T value)
    {
        const std::lock_guard lock(m_mutex);
        m_values.push_back(std::move(value));
        return m_values.size() == 1;
    }
    bool put(std::vector<T> values)
    {
        const std::lock_guard lock(m_mutex);
        const bool wake = m_values.empty() && !values.empty();
        if (m_values.empty())
            m_values.swap(values);
        else
            std::move(values.begin(), values.end(), std::back_inserter(m_values));
        return wake;
    }
    std::vector<T> takeAll()
    {
        std::vector<T> out;
        const std::lock_guard lock(m_mutex);
        out.swap(m_values);
        return out;
    }

private:
    std::mutex m_mutex;
    std::vector<T> m_values;
};

} // namespace muster
