// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/docktitle.h"

#include <QDockWidget>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

#include "ui/icons/icons.h"
#include "ui/style/type.h"

namespace muster {

DockTitle::DockTitle(QDockWidget *dock)
    : QWidget(dock)
    , m_inner(new QWidget(this))
    , m_row(new QHBoxLayout(m_inner))
{
    auto *outer = new QHBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(m_inner);
    m_row->setContentsMargins(16, 0, 6, 0);
    m_row->setSpacing(2);
    auto *name = new QLabel(dock->windowTitle(), m_inner);
    name->setFont(type::bold(font()));
    m_row->addWidget(name);
    m_row->addStretch(1);
    const auto button = [&](const char *icon, const QString &what) {
        auto *b = new QToolButton(m_inner);
        b->setIcon(icons::icon(QLatin1String(icon), Role::Text2));
        b->setIconSize({14, 14});
        b->setAutoRaise(true);
        b->setFixedSize(type::scaled(font(), 24), type::scaled(font(), 24));
        b->setToolTip(what);
        b->setAccessibleName(what);
        m_row->addWidget(b);
        return b;
    };
    auto *floating = button("float", tr("Float %1").arg(dock->windowTitle()));
    auto *close = button("close", tr("Close %1").arg(dock->windowTitle()));
    connect(floating, &QToolButton::clicked, dock, [dock] { dock->setFloating(!dock->isFloating()); });
    connect(close, &QToolButton::clicked, dock, &QDockWidget::close);
    setFolded(false);
}

void DockTitle::addWidget(QWidget *widget)
{
    m_row->insertWidget(m_row->count() - 2, widget);
}

void DockTitle::setFolded(bool folded)
{
    m_inner->setVisible(!folded);
    m_inner->setFixedHeight(type::scaled(font(), 32));
    setMaximumHeight(folded ? 0 : type::scaled(font(), 32));
}

} // namespace muster
