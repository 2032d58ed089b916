// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/messagebar.h"

#include <algorithm>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QToolButton>

#include "ui/icons/icons.h"
#include "ui/palette/palette.h"
#include "ui/style/type.h"
#include "ui/text/format.h"
#include "ui/text/words.h"

namespace muster {

MessageBar::MessageBar(QWidget *parent)
    : QWidget(parent)
    , m_glyph(new QLabel(this))
    , m_text(new QLabel(this))
    , m_close(new QToolButton(this))
{
    setFixedHeight(type::scaled(font(), 38));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    m_text->setTextFormat(Qt::RichText);
    m_text->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_close->setIcon(icons::icon(QStringLiteral("close"), Role::Text2));
    m_close->setAutoRaise(true);
    m_close->setToolTip(tr("Close this message (Esc)"));
    m_close->setAccessibleName(tr("Close this message"));
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(14, 0, 6, 1);
    row->setSpacing(8);
    row->addWidget(m_glyph);
    row->addWidget(m_text, 1);
    row->addWidget(m_close);
    connect(m_close, &QToolButton::clicked, this, &MessageBar::dismiss);
}

void MessageBar::showMessage(MessageKind kind, const QString &fact, const QString &rest)
{
    m_own = true;
    switch (kind) {
    case MessageKind::Info:
        put(QStringLiteral("info"), Role::BlueWord, Role::InfoGround, fact, rest);
        break;
    case MessageKind::Warning:
        put(QStringLiteral("warning"), Role::WaitWord, Role::MessageGround, fact, rest);
        break;
    case MessageKind::Problem:
        put(QStringLiteral("failed"), Role::BadWord, Role::ErrorGround, fact, rest);
        break;
    }
    setShown(true);
}

void MessageBar::apply(const Snapshot &snapshot)
{
    if (m_own)
        return;
    const auto stopped = std::find_if(snapshot.hosts.begin(), snapshot.hosts.end(), [](const HostView &h) {
        return h.state != HostState::Open && h.waiting > 0;
    });
    if (stopped == snapshot.hosts.end())
        return setShown(false);
    m_about = stopped->host + '\n' + hostStateName(stopped->state);
    if (m_about == m_dismissed)
        return setShown(false);
    const Wording wording = words::of(stopped->state);
    const QString host = QString::fromUtf8(stopped->host);
    const QString word = wording.word.toLower();
    const QString fact =
        stopped->until
            ? tr("%1 is %2 until %3.").arg(host, word, format::clockFrom(*stopped->until, snapshot.asOf))
            : tr("%1 is %2.").arg(host, word);
    const QString waits = stopped->waiting == 1
                              ? tr("1 job waits for it.")
                              : tr("%1 jobs wait for it.").arg(format::count(stopped->waiting));
    const bool others = std::any_of(snapshot.hosts.begin(), snapshot.hosts.end(), [](const HostView &h) {
        return h.state == HostState::Open && h.waiting + h.inFlight > 0;
    });
    put(wording.glyph, wording.wordRole, Role::MessageGround, fact,
        (stopped->reason.isEmpty() ? waits : stopped->reason + u' ' + waits) +
            (others ? u' ' + tr("The other hosts go on.") : QString()));
    setShown(true);
}

void MessageBar::dismiss()
{
    if (!m_own)
        m_dismissed = m_about;
    m_own = false;
    setShown(false);
}

void MessageBar::put(const QString &glyph, Role word, Role ground, const QString &fact, const QString &rest)
{
    if (glyph == m_icon && word == m_word && ground == m_ground && fact == m_fact && rest == m_rest)
        return;
    m_icon = glyph;
    m_word = word;
    m_ground = ground;
    m_fact = fact;
    m_rest = rest;
    refresh();
    update();
}

void MessageBar::refresh()
{
    if (m_icon.isEmpty())
        return;
    m_glyph->setPixmap(
        icons::pixmap(m_icon, Colours(palette())(m_word), type::scaled(font(), 16), devicePixelRatioF()));
    const int fact = QFontMetrics(type::bold(font())).horizontalAdvance(m_fact);
    const QString rest =
        fontMetrics().elidedText(m_rest, Qt::ElideRight, std::max(0, m_text->width() - fact - 12));
    m_text->setText(QStringLiteral("<b>%1</b> %2").arg(m_fact.toHtmlEscaped(), rest.toHtmlEscaped()));
    m_text->setToolTip(text());
    m_text->setAccessibleName(text());
}

void MessageBar::setShown(bool shown)
{
    if (shown == m_shown)
        return;
    m_shown = shown;
    Q_EMIT shownChanged(shown);
}

void MessageBar::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    refresh();
}

void MessageBar::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::PaletteChange)
        refresh();
    QWidget::changeEvent(event);
}

void MessageBar::paintEvent(QPaintEvent *)
{
    const Colours colours(palette());
    QPainter painter(this);
    painter.fillRect(rect(), colours(m_ground));
    painter.fillRect(QRect(0, height() - 1, width(), 1), colours(Role::Hair));
}

} // namespace muster
