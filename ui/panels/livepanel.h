// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "core/job/snapshot.h"
#include "ui/widgets/series.h"

class QLabel;

namespace muster {

class Sparkline;

/// Queue depth, requests a second and the tokens of the limiter that binds, on one time axis. Keeps what it
/// was shown for an hour. GUI thread.
class LivePanel final : public QWidget
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(LivePanel)

public:
    explicit LivePanel(QWidget *parent = nullptr);
    void apply(const Snapshot &snapshot);
    void setSpan(Millis span);

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    void redraw(Utc now);
    void addTokens(const Snapshot &snapshot);

    Series m_queued;
    Series m_rate;
    Series m_tokens;
    QByteArray m_limiter; ///< whose tokens are drawn
    QString m_tokensNow;
    Snapshot m_last;
    Millis m_span{300'000};
    Sparkline *m_queuedLine = nullptr;
    Sparkline *m_rateLine = nullptr;
    Sparkline *m_tokensLine = nullptr;
    QWidget *m_axis = nullptr;
    QLabel *m_from = nullptr;
    QLabel *m_middle = nullptr;
};

} // namespace muster
