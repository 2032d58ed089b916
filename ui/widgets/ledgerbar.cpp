// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/ledgerbar.h"

#include <array>
#include <QPainter>
#include <QPainterPath>
#include <QStyle>

#include "ui/icons/icons.h"
#include "ui/palette/palette.h"
#include "ui/style/type.h"
#include "ui/text/format.h"
#include "ui/text/words.h"

namespace muster {

namespace {

// What has ended first, then what is under way, then what waits: the bar fills from the left.
constexpr std::array<JobState, jobStateCount> order{
    JobState::Done,    JobState::Failed,   JobState::Skipped, JobState::Duplicate,
    JobState::Refused, JobState::InFlight, JobState::Queued};

} // namespace

LedgerBar::LedgerBar(QWidget *parent)
    : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    set(Ledger());
}

void LedgerBar::set(const Ledger &ledger)
{
    m_ledger = ledger;
    const QString text = line();
    setAccessibleName(tr("Ledger: %1").arg(text));
    setToolTip(text);
    update();
}

QString LedgerBar::line() const
{
    QStringList parts;
    for (const JobState state : order)
        if (m_ledger[state] > 0)
            parts.append(format::count(m_ledger[state]) + u' ' + words::of(state).word.toLower());
    const QString whole = format::count(m_ledger.takenIn());
    return parts.isEmpty() ? tr("no rows yet")
                           : whole + QStringLiteral(" = ") + parts.join(QStringLiteral(" + "));
}

QSize LedgerBar::sizeHint() const
{
    return {type::scaled(font(), 420), type::scaled(font(), 34)};
}

QSize LedgerBar::minimumSizeHint() const
{
    return {type::scaled(font(), 180), type::scaled(font(), 34)};
}

int LedgerBar::lineWidth(bool words) const
{
    const QFontMetrics small(type::small(font()));
    int width = small.horizontalAdvance(format::count(m_ledger.takenIn()) + QStringLiteral(" =  "));
    for (const JobState state : order)
        if (m_ledger[state] > 0) {
            width += type::scaled(font(), 16 + 14) + small.horizontalAdvance(format::count(m_ledger[state]));
            if (words)
                width += small.horizontalAdvance(u' ' + words::of(state).word.toLower());
        }
    return width;
}

void LedgerBar::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Colours colours(palette());
    const bool mirrored = layoutDirection() == Qt::RightToLeft;
    const QRectF bar(0, type::scaled(font(), 5), width(), type::scaled(font(), 8));
    QPainterPath shape;
    shape.addRoundedRect(bar, 3, 3);
    painter.fillPath(shape, colours(Role::Track));
    painter.save();
    painter.setClipPath(shape);
    if (mirrored) {
        painter.translate(width(), 0);
        painter.scale(-1, 1);
    }
    const double whole = double(std::max<qint64>(1, m_ledger.takenIn()));
    double at = 0;
    for (const JobState state : order) {
        if (state == JobState::Queued || m_ledger[state] == 0)
            continue;
        // A state with rows is seen, however few they are.
        const double part = std::max(2.0, bar.width() * double(m_ledger[state]) / whole);
        painter.fillRect(QRectF(at, bar.top(), std::max(1.0, part - 1), bar.height()),
                         colours(words::of(state).fillRole));
        at += part;
    }
    painter.restore();

    const QFont small = type::small(font());
    const QFontMetrics metrics(small);
    const bool withWords = lineWidth(true) <= width();
    const int top = type::scaled(font(), 16);
    const int high = height() - top;
    const int flags = int(Qt::AlignVCenter | Qt::AlignLeft) | Qt::TextSingleLine;
    int x = 0;
    painter.setFont(small);
    const auto put = [&](const QString &text, Role role) {
        const int wide = metrics.horizontalAdvance(text);
        painter.setPen(colours(role));
        painter.drawText(QStyle::visualRect(layoutDirection(), rect(), QRect(x, top, wide + 1, high)), flags,
                         text);
        x += wide;
    };
    if (m_ledger.takenIn() == 0)
        return put(line(), Role::Text2);
    if (withWords || lineWidth(false) <= width())
        put(format::count(m_ledger.takenIn()) + QStringLiteral(" = "), Role::Text);
    for (const JobState state : order) {
        if (m_ledger[state] == 0)
            continue;
        const Wording wording = words::of(state);
        const int glyph = type::scaled(font(), 12);
        icons::paint(&painter, wording.glyph, colours(wording.wordRole),
                     QStyle::visualRect(layoutDirection(), rect(), QRect(x, top, glyph, high)));
        x += type::scaled(font(), 16);
        put(format::count(m_ledger[state]), Role::Text);
        if (withWords)
            put(u' ' + wording.word.toLower(), Role::Text2);
        x += type::scaled(font(), 12);
    }
}

} // namespace muster
