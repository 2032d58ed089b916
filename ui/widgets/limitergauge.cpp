// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/limitergauge.h"

#include <algorithm>
#include <QAbstractTextDocumentLayout>
#include <QEvent>
#include <QPainter>
#include <QPainterPath>
#include <QStyle>
#include <QTextDocument>
#include <QTextOption>

#include "ui/icons/icons.h"
#include "ui/palette/palette.h"
#include "ui/style/type.h"
#include "ui/widgets/barpaint.h"

namespace muster {

namespace {

// Lengths of look.md 4, at 10 pt.
constexpr int padding = 12;
constexpr int headFull = 20;
constexpr int headCompact = 18;
constexpr int labelColumn = 50;
constexpr int valueColumn = 90;
constexpr int columnGap = 10;
constexpr int firstRow = 20;
constexpr int nextRow = 18;
constexpr int noteRow = 14;
constexpr int compactTokens = 58;
constexpr int compactRate = 84;

void prepare(QTextDocument &document, const QFont &font, const QString &html, int width,
             Qt::LayoutDirection way)
{
    QTextOption option;
    option.setTextDirection(way);
    option.setWrapMode(QTextOption::WordWrap);
    document.setDocumentMargin(0);
    document.setDefaultFont(font);
    document.setDefaultTextOption(option);
    document.setHtml(html);
    document.setTextWidth(width);
}

} // namespace

LimiterGauge::LimiterGauge(QWidget *parent)
    : QWidget(parent)
{
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    setFocusPolicy(Qt::TabFocus);
}

int LimiterGauge::px(int pixels) const
{
    return type::scaled(font(), pixels);
}

void LimiterGauge::set(const GaugeFace &face, Size size)
{
    if (face == m_face && size == m_size)
        return;
    const int before = heightForWidth(width());
    m_face = face;
    m_size = size;
    setAccessibleName(face.accessibleName());
    const QString who =
        face.instance.isEmpty() ? face.name : face.name + QStringLiteral(" · ") + face.instance;
    setToolTip(
        QStringLiteral("<qt><b>%1</b><br>%2</qt>").arg(who.toHtmlEscaped(), face.sentence.toHtmlEscaped()));
    if (heightForWidth(width()) != before)
        updateGeometry();
    update();
}

QString LimiterGauge::sentenceHtml() const
{
    const QString rest = m_face.sentence.toHtmlEscaped();
    return m_face.binding ? QStringLiteral("<b>%1</b> %2").arg(m_face.lead().toHtmlEscaped(), rest) : rest;
}

int LimiterGauge::sentenceHeight(int width) const
{
    QTextDocument document;
    prepare(document, type::small(font()), sentenceHtml(), width, layoutDirection());
    const int line = QFontMetrics(type::small(font())).height();
    return std::min(int(document.size().height()), 3 * line + 2);
}

int LimiterGauge::valueWidth() const
{
    const QFontMetrics metrics(type::bold(type::small(font())));
    int width = px(valueColumn);
    for (const GaugeRow &row : m_face.rows)
        width = std::max(width, metrics.horizontalAdvance(row.value) + 2);
    return width;
}

int LimiterGauge::heightForWidth(int width) const
{
    if (m_size == Size::Compact)
        return px(48) + (m_face.reason.isEmpty() ? 0 : px(21));
    int height = px(6) + px(headFull) + px(2) + sentenceHeight(width - 2 * px(padding)) + px(5);
    for (int i = 0; i < m_face.rows.size(); ++i)
        height += px(i == 0 ? firstRow : nextRow) + (m_face.rows[i].note.isEmpty() ? 0 : px(noteRow));
    return height + px(8);
}

QSize LimiterGauge::sizeHint() const
{
    const int width = px(288);
    return {width, heightForWidth(width)};
}

QSize LimiterGauge::minimumSizeHint() const
{
    return {px(220), px(48)};
}

QRect LimiterGauge::place(const QRect &area) const
{
    return QStyle::visualRect(layoutDirection(), rect(), area);
}

void LimiterGauge::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange)
        updateGeometry();
    QWidget::changeEvent(event);
}

void LimiterGauge::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    paintCard(painter);
    const QRect inner = rect().adjusted(px(padding), px(6), -px(padding), -px(6));
    const bool full = m_size == Size::Full;
    const QRect head(inner.left(), inner.top(), inner.width(), px(full ? headFull : headCompact));
    paintHead(painter, head);
    if (!full)
        return paintCompact(painter, QRect(inner.left(), head.bottom() + px(3), inner.width(), px(16)));
    const int sentence = sentenceHeight(inner.width());
    const QRect text(inner.left(), head.bottom() + px(3), inner.width(), sentence);
    paintSentence(painter, text);
    paintGrid(painter, QRect(inner.left(), text.bottom() + 1 + px(5), inner.width(), px(firstRow)));
}

void LimiterGauge::paintCard(QPainter &painter) const
{
    const Colours colours(palette());
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF card = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
    const QColor line = colours(m_face.binding ? Role::WaitFill : Role::Hair);
    painter.setPen(hasFocus() ? QPen(colours(Role::Accent), 1.5) : QPen(line, 1));
    painter.setBrush(colours(m_face.binding ? Role::BindingGround : Role::Base));
    painter.drawRoundedRect(card, 6, 6);
    if (m_face.binding) { // the stripe, inside the card's rounding
        QPainterPath shape;
        shape.addRoundedRect(card, 6, 6);
        painter.setClipPath(shape);
        painter.fillRect(place(QRect(0, 0, 4, height())), colours(Role::WaitFill));
    }
    painter.restore();
}

void LimiterGauge::paintHead(QPainter &painter, const QRect &area) const
{
    const Colours colours(palette());
    const Wording wording = words::of(m_face.state);
    const QFont plain = font();
    const QFont strong = type::bold(plain);
    const int flags = int(Qt::AlignVCenter | Qt::AlignLeft) | Qt::TextSingleLine;
    painter.setPen(colours(wording.wordRole));
    int right = area.right() + 1;
    const auto fromRight = [&](const QFont &f, const QString &text) {
        const int width = QFontMetrics(f).horizontalAdvance(text);
        right -= width;
        painter.setFont(f);
        painter.drawText(place(QRect(right, area.top(), width + 1, area.height())), flags, text);
    };
    if (!m_face.until.isEmpty()) {
        fromRight(strong, m_face.until);
        right -= px(6);
    }
    fromRight(plain, wording.word);
    right -= px(5) + px(14);
    icons::paint(&painter, wording.glyph, colours(wording.wordRole),
                 place(QRect(right, area.top(), px(14), area.height())));
    right -= px(8);

    painter.setFont(strong);
    painter.setPen(colours(Role::Text));
    const int room = right - area.left();
    const QString name = QFontMetrics(strong).elidedText(m_face.name, Qt::ElideRight, room);
    const int used = QFontMetrics(strong).horizontalAdvance(name);
    painter.drawText(place(QRect(area.left(), area.top(), used + 1, area.height())), flags, name);
    const int left = area.left() + used + px(6);
    if (m_face.instance.isEmpty() || right - left < px(24))
        return;
    const QFont small = type::small(plain);
    painter.setFont(small);
    painter.setPen(colours(Role::Text2));
    painter.drawText(place(QRect(left, area.top(), right - left, area.height())), flags,
                     QFontMetrics(small).elidedText(m_face.instance, Qt::ElideMiddle, right - left));
}

void LimiterGauge::paintSentence(QPainter &painter, const QRect &area) const
{
    QTextDocument document;
    prepare(document, type::small(font()), sentenceHtml(), area.width(), layoutDirection());
    QAbstractTextDocumentLayout::PaintContext context;
    context.palette = palette();
    context.palette.setColor(QPalette::Text, Colours(palette())(Role::Text));
    painter.save();
    painter.translate(area.topLeft());
    painter.setClipRect(QRect(QPoint(), area.size()));
    document.documentLayout()->draw(&painter, context);
    painter.restore();
}

void LimiterGauge::paintGrid(QPainter &painter, QRect area) const
{
    const Colours colours(palette());
    const bool mirrored = layoutDirection() == Qt::RightToLeft;
    const QFont small = type::small(font());
    const int value = valueWidth();
    const int single = int(Qt::TextSingleLine | Qt::AlignVCenter);
    const int leading = single | int(mirrored ? Qt::AlignRight : Qt::AlignLeft);
    const int trailing = single | int(mirrored ? Qt::AlignLeft : Qt::AlignRight);
    const int label = std::max(
        px(labelColumn),
        QFontMetrics(small).horizontalAdvance(m_face.rows.isEmpty() ? QString() : m_face.rows[0].label) +
            px(8));
    for (const GaugeRow &row : m_face.rows) {
        const Role guilty = row.bar == GaugeRow::Bar::Hatch ? Role::BadWord : Role::WaitWord;
        painter.setFont(small);
        painter.setPen(colours(row.guilty ? guilty : Role::Text2));
        painter.drawText(place(QRect(area.left(), area.top(), label, area.height())), leading, row.label);
        const int barWidth = area.width() - label - px(columnGap) - value;
        const int barHeight = px(12);
        const QRect bar(area.left() + label, area.top() + (area.height() - barHeight) / 2, barWidth,
                        barHeight);
        barpaint::row(painter, place(bar), row, colours, mirrored);
        painter.setFont(row.guilty ? type::bold(small) : small);
        painter.setPen(colours(row.guilty ? guilty : Role::Text));
        painter.drawText(place(QRect(area.right() + 1 - value, area.top(), value, area.height())), trailing,
                         row.value);
        area.moveTop(area.bottom() + 1);
        area.setHeight(px(nextRow));
        if (row.note.isEmpty())
            continue;
        painter.setFont(type::caption(font()));
        painter.setPen(colours(Role::Text2));
        painter.drawText(
            place(QRect(area.left() + label, area.top() - px(1), area.width() - label, px(noteRow))), leading,
            row.note);
        area.moveTop(area.top() + px(noteRow));
    }
}

void LimiterGauge::paintCompact(QPainter &painter, QRect area) const
{
    if (m_face.rows.isEmpty())
        return;
    const Colours colours(palette());
    const bool mirrored = layoutDirection() == Qt::RightToLeft;
    const QFont small = type::small(font());
    const int single = int(Qt::TextSingleLine | Qt::AlignVCenter);
    const int trailing = single | int(mirrored ? Qt::AlignLeft : Qt::AlignRight);
    const GaugeRow &first = m_face.rows.first();
    const bool hatch = first.bar == GaugeRow::Bar::Hatch;
    // Without a name in front the number says what it counts: "7 of 64 out".
    const QString value =
        first.bar == GaugeRow::Bar::Thin ? first.value + u' ' + first.label.toLower() : first.value;
    const int tokens =
        hatch ? px(compactTokens) : std::max(px(compactTokens), QFontMetrics(small).horizontalAdvance(value));
    const int barWidth = area.width() - px(6 + compactRate) - tokens;
    const int barHeight = px(12);
    const QRect bar(area.left(), area.top() + (area.height() - barHeight) / 2, barWidth, barHeight);
    barpaint::row(painter, place(bar), first, colours, mirrored);
    painter.setFont(small);
    int right = area.right() + 1;
    if (hatch) {
        painter.setPen(colours(Role::Text2));
        painter.drawText(place(QRect(bar.right(), area.top(), right - bar.right(), area.height())), trailing,
                         first.value);
    } else {
        const bool second = m_face.rows.size() > 1 && m_face.rows[1].bar == GaugeRow::Bar::Thin;
        painter.setPen(colours(Role::Text2));
        if (second)
            painter.drawText(
                place(QRect(right - px(compactRate), area.top(), px(compactRate), area.height())), trailing,
                m_face.rows[1].value);
        painter.setPen(colours(Role::Text));
        const int edge = second ? right - px(compactRate) : right;
        painter.drawText(place(QRect(edge - tokens, area.top(), tokens, area.height())), trailing, value);
    }
    if (m_face.reason.isEmpty())
        return;
    painter.setPen(colours(Role::Text2));
    area.moveTop(area.bottom() + px(2));
    area.setHeight(px(18));
    painter.drawText(area, single | int(mirrored ? Qt::AlignRight : Qt::AlignLeft),
                     QFontMetrics(small).elidedText(m_face.reason, Qt::ElideRight, area.width()));
}

} // namespace muster
