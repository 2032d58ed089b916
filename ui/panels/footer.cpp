// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/footer.h"

#include <QEvent>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>

#include "ui/icons/icons.h"
#include "ui/palette/palette.h"
#include "ui/style/type.h"
#include "ui/text/format.h"
#include "ui/text/words.h"
#include "ui/widgets/figure.h"
#include "ui/widgets/ledgerbar.h"

namespace muster {

Footer::Footer(QWidget *parent)
    : QWidget(parent)
    , m_glyph(new QLabel(this))
    , m_word(new QLabel(this))
    , m_detail(new QLabel(this))
    , m_ledger(new LedgerBar(this))
    , m_requests(new Figure(tr("Requests"), this))
    , m_tokens(new Figure(tr("Tokens"), this))
    , m_failed(new Figure(tr("Failed"), this))
    , m_bytes(new Figure(tr("Received"), this))
{
    setFixedHeight(type::scaled(font(), 52));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    m_word->setFont(type::bold(font()));
    m_detail->setFont(type::small(font()));
    m_detail->setTextFormat(Qt::PlainText);
    m_detail->setForegroundRole(QPalette::PlaceholderText);
    m_detail->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    auto *state = new QGridLayout;
    state->setHorizontalSpacing(6);
    state->setVerticalSpacing(1);
    state->addWidget(m_glyph, 0, 0);
    state->addWidget(m_word, 0, 1);
    state->addWidget(m_detail, 1, 1);
    state->setColumnMinimumWidth(0, type::scaled(font(), 14));
    state->setColumnMinimumWidth(1, type::scaled(font(), 126));
    state->setColumnStretch(1, 1);
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(16, 6, 6, 6);
    row->setSpacing(0);
    row->addLayout(state);
    row->addSpacing(20);
    row->addWidget(m_ledger, 1);
    row->addSpacing(14);
    for (Figure *figure : {m_requests, m_tokens, m_failed, m_bytes})
        row->addWidget(figure);
    apply(Snapshot());
}

void Footer::apply(const Snapshot &snapshot)
{
    m_last.state = snapshot.state;
    m_last.reason = snapshot.reason;
    m_last.rows = snapshot.rows;
    m_last.members = snapshot.members;
    m_last.asOf = snapshot.asOf;
    m_last.resumesAt = snapshot.resumesAt;
    showState();
    m_ledger->set(snapshot.rows);
    m_requests->set(format::rate(snapshot.requestsPerSecond), tr("/s"));
    const double ended = double(snapshot.rows[JobState::Failed] + snapshot.rows[JobState::Done]);
    const QStringList share = format::percent(ended > 0 ? double(snapshot.rows[JobState::Failed]) / ended : 0)
                                  .split(QChar(QChar::Nbsp));
    m_failed->set(share.value(0), u' ' + share.value(1));
    const QStringList bytes = format::bytesPerSecond(snapshot.bytesPerSecond).split(u' ');
    m_bytes->set(bytes.value(0), u' ' + bytes.value(1));
    const LimiterView *shown = nullptr;
    for (const LimiterView &limiter : snapshot.limiters)
        if (limiter.tokens && (!shown || (limiter.binding && !shown->binding)))
            shown = &limiter;
    m_tokens->setVisible(shown != nullptr);
    if (shown) {
        const QString name = QString::fromUtf8(shown->name);
        m_tokens->setName(tr("Tokens, %1").arg(name));
        m_tokens->set(format::level(*shown->tokens), tr(" of %1").arg(format::level(shown->burst)));
    }
    fit();
}

void Footer::setReadOnly(bool readOnly)
{
    m_readOnly = readOnly;
    showState();
}

QString Footer::stateDetail() const
{
    if (m_last.resumesAt)
        return tr("goes on %1").arg(format::clockFrom(*m_last.resumesAt, m_last.asOf));
    if (!m_last.reason.isEmpty())
        return m_last.reason;
    if (m_readOnly)
        return tr("read-only");
    if (m_last.members > 0)
        return tr("%1 in the team").arg(format::count(m_last.members));
    return m_last.rows[JobState::Queued] > 0 && m_last.state == CrawlState::Idle ? tr("ready to start")
                                                                                 : QString();
}

void Footer::showState()
{
    const Wording wording = words::of(m_last.state);
    m_glyph->setPixmap(icons::pixmap(wording.glyph, Colours(palette())(wording.wordRole),
                                     type::scaled(font(), 14), devicePixelRatioF()));
    m_word->setText(wording.word);
    const QString detail = stateDetail();
    m_detail->setText(m_detail->fontMetrics().elidedText(detail, Qt::ElideRight, type::scaled(font(), 126)));
    m_detail->setToolTip(detail);
    m_detail->setAccessibleName(detail);
}

void Footer::fit()
{
    // The last numbers leave first; what they say is in the panels too.
    m_bytes->setVisible(width() >= type::scaled(font(), 1100));
    m_failed->setVisible(width() >= type::scaled(font(), 860));
}

void Footer::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    fit();
}

void Footer::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::PaletteChange)
        showState();
    QWidget::changeEvent(event);
}

void Footer::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(QRect(0, 0, width(), 1), Colours(palette())(Role::Hair));
}

} // namespace muster
