// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QTimer>

#include "core/team/clock.h"

namespace muster {

/// The machine's clocks and one precise QTimer, on the thread where it lives (the engine's). It never calls
/// early: where Qt does, it waits for the rest.
class SystemClock final : public QObject, public Clock
{
    Q_OBJECT

public:
    /// `longestSleep`: a wake-up further away is waited for in parts, as QTimer counts in an int.
    explicit SystemClock(QObject *parent = nullptr, Millis longestSleep = std::chrono::hours(1));
    ~SystemClock() override;
    Q_DISABLE_COPY_MOVE(SystemClock)

    Moment now() const override;
    void wakeAt(Mono when, std::function<void()> due) override;

private:
    void arm();
    void fired();

    const Millis m_longestSleep;
    QTimer m_timer;
    Mono m_when = monoNever;
    std::function<void()> m_due;
};

} // namespace muster
