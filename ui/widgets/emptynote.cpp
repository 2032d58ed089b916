// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/emptynote.h"

#include <QEvent>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "ui/icons/icons.h"
#include "ui/palette/palette.h"
#include "ui/style/type.h"

namespace muster {

EmptyNote::EmptyNote(QWidget *parent)
    : QWidget(parent)
    , m_glyph(new QLabel(this))
    , m_fact(new QLabel(this))
    , m_hint(new QLabel(this))
    , m_button(new QPushButton(this))
{
    setBackgroundRole(QPalette::Base);
    setAutoFillBackground(true);
    m_fact->setFont(type::title(font()));
    m_hint->setForegroundRole(QPalette::PlaceholderText);
    m_fact->setTextFormat(Qt::PlainText);
    m_hint->setTextFormat(Qt::PlainText);
    m_hint->setWordWrap(true);
    m_hint->setAlignment(Qt::AlignHCenter);
    m_hint->setMinimumWidth(type::scaled(font(), 320));
    m_button->setProperty("muster.primary", true);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(16, 16, 16, 16);
    column->setSpacing(8);
    column->addStretch(2);
    column->addWidget(m_glyph, 0, Qt::AlignHCenter);
    column->addSpacing(4);
    column->addWidget(m_fact, 0, Qt::AlignHCenter);
    column->addWidget(m_hint);
    column->addSpacing(12);
    column->addWidget(m_button, 0, Qt::AlignHCenter);
    column->addStretch(3);
    connect(m_button, &QPushButton::clicked, this, &EmptyNote::pressed);
}

void EmptyNote::set(const QString &icon, const QString &fact, const QString &hint, const QString &button)
{
    m_icon = icon;
    m_fact->setText(fact);
    m_hint->setText(hint);
    m_button->setText(button);
    m_button->setVisible(!button.isEmpty());
    updateIcon();
}

QString EmptyNote::fact() const
{
    return m_fact->text();
}

void EmptyNote::updateIcon()
{
    if (!m_icon.isEmpty())
        m_glyph->setPixmap(icons::pixmap(m_icon, Colours(palette())(Role::Text2), type::scaled(font(), 32),
                                         devicePixelRatioF()));
}

void EmptyNote::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::PaletteChange)
        updateIcon();
    QWidget::changeEvent(event);
}

} // namespace muster
