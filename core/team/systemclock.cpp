// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/team/systemclock.h"

#include <algorithm>
#include <utility>

namespace muster {

SystemClock::SystemClock(QObject *parent, Millis longestSleep)
    : QObject(parent)
    , m_longestSleep(longestSleep)
{
    m_timer.setSingleShot(true);
    m_timer.setTimerType(Qt::PreciseTimer);
    connect(&m_timer, &QTimer::timeout, this, &SystemClock::fired);
}

SystemClock::~SystemClock() = default;

Moment SystemClock::now() const
{
    const auto mono = std::chrono::steady_clock::now().time_since_epoch();
    const auto utc = std::chrono::system_clock::now().time_since_epoch();
    return {Mono(std::chrono::duration_cast<Nanos>(mono)), Utc(std::chrono::duration_cast<Millis>(utc))};
}

void SystemClock::wakeAt(Mono when, std::function<void()> due)
{
    m_when = when;
    m_due = std::move(due);
    arm();
}

void SystemClock::arm()
{
    if (m_when == monoNever)
        return m_timer.stop();
    const Nanos wait = std::max(Nanos::zero(), m_when - now().mono);
    m_timer.start(std::min(std::chrono::ceil<Millis>(wait), m_longestSleep));
}

void SystemClock::fired()
{
    if (m_when > now().mono)
        return arm();
    m_when = monoNever;
    std::exchange(m_due, nullptr)();
}

} // namespace muster
