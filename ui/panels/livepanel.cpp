// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/livepanel.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QVBoxLayout>

#include "ui/palette/palette.h"
#include "ui/style/type.h"
#include "ui/text/format.h"
#include "ui/widgets/sparkline.h"

namespace muster {

LivePanel::LivePanel(QWidget *parent)
    : QWidget(parent)
    , m_queuedLine(new Sparkline(Role::GreyFill, this))
    , m_rateLine(new Sparkline(Role::BlueFill, this))
    , m_tokensLine(new Sparkline(Role::WaitFill, this))
    , m_axis(new QWidget(this))
    , m_from(new QLabel(m_axis))
    , m_middle(new QLabel(m_axis))
{
    setAccessibleName(tr("Live"));
    m_queuedLine->setTitle(tr("Queue depth"));
    m_queuedLine->setZeroBased(false);
    m_rateLine->setTitle(tr("Requests per second"));
    m_tokensLine->setTitle(tr("Tokens"));
    auto *axis = new QHBoxLayout(m_axis);
    axis->setContentsMargins(type::scaled(font(), 30), 0, 0, 0);
    auto *now = new QLabel(tr("now"), m_axis);
    for (QLabel *label : {m_from, m_middle, now}) {
        label->setFont(type::caption(font()));
        label->setForegroundRole(QPalette::PlaceholderText);
    }
    axis->addWidget(m_from);
    axis->addStretch(1);
    axis->addWidget(m_middle);
    axis->addStretch(1);
    axis->addWidget(now);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(12 + 8, 2 + 4, 8 + 12, 8 + 4);
    column->setSpacing(4);
    column->addWidget(m_queuedLine, 1);
    column->addWidget(m_rateLine, 1);
    column->addWidget(m_tokensLine, 1);
    column->addWidget(m_axis);
    setSpan(m_span);
}

void LivePanel::setSpan(Millis span)
{
    m_span = span;
    const auto minutes = std::chrono::duration_cast<std::chrono::minutes>(span).count();
    m_from->setText(tr("−%1 min").arg(minutes));
    m_middle->setText(tr("−%1 min").arg(format::level(double(minutes) / 2)));
    redraw(m_last.asOf);
}

void LivePanel::addTokens(const Snapshot &snapshot)
{
    // The engine puts the binding limiter first; the drawn one stays until another binds.
    const LimiterView *shown = nullptr;
    for (const LimiterView &limiter : snapshot.limiters) {
        if (!limiter.tokens)
            continue;
        const QByteArray key = limiter.name + '\n' + limiter.instance;
        if (!shown || (limiter.binding && !shown->binding) || (key == m_limiter && !shown->binding))
            shown = &limiter;
    }
    if (!shown) {
        m_tokensNow.clear();
        return;
    }
    const QByteArray key = shown->name + '\n' + shown->instance;
    if (key != m_limiter) {
        m_limiter = key;
        m_tokens.clear();
        m_tokensLine->setTitle(
            shown->instance.isEmpty()
                ? tr("Tokens, %1").arg(QString::fromUtf8(shown->name))
                : tr("Tokens, %1 %2")
                      .arg(QString::fromUtf8(shown->name), QString::fromUtf8(shown->instance)));
    }
    m_tokens.add(snapshot.asOf, *shown->tokens);
    m_tokensNow = format::level(*shown->tokens);
}

void LivePanel::apply(const Snapshot &snapshot)
{
    m_queued.add(snapshot.asOf, double(snapshot.rows[JobState::Queued]));
    m_rate.add(snapshot.asOf, snapshot.requestsPerSecond);
    addTokens(snapshot);
    m_last.asOf = snapshot.asOf;
    m_last.rows = snapshot.rows;
    m_last.requestsPerSecond = snapshot.requestsPerSecond;
    redraw(snapshot.asOf);
}

void LivePanel::redraw(Utc now)
{
    m_queuedLine->set(m_queued, now, m_span, format::count(m_last.rows[JobState::Queued]));
    m_rateLine->set(m_rate, now, m_span, format::rate(m_last.requestsPerSecond));
    m_tokensLine->set(m_tokens, now, m_span, m_tokensNow);
    m_tokensLine->setVisible(m_tokens.size() > 0);
}

void LivePanel::paintEvent(QPaintEvent *)
{
    const Colours colours(palette());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(colours(Role::Hair));
    painter.setBrush(colours(Role::Base));
    painter.drawRoundedRect(QRectF(rect()).adjusted(12.5, 2.5, -8.5, -8.5), 6, 6);
}

} // namespace muster
