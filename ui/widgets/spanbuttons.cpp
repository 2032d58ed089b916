// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/spanbuttons.h"

#include <array>
#include <QButtonGroup>
#include <QHBoxLayout>
#include <QToolButton>

#include "ui/style/type.h"

namespace muster {

SpanButtons::SpanButtons(QWidget *parent)
    : QWidget(parent)
{
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 4, 0);
    row->setSpacing(0);
    auto *group = new QButtonGroup(this);
    const std::array<std::pair<QString, Millis>, 2> spans{
        {{tr("5 min"), Millis(300'000)}, {tr("1 h"), Millis(3'600'000)}}};
    for (const auto &[word, span] : spans) {
        auto *button = new QToolButton(this);
        button->setText(word);
        button->setFont(type::small(font()));
        button->setCheckable(true);
        button->setAutoRaise(true);
        button->setFixedHeight(type::scaled(font(), 24));
        button->setAccessibleName(tr("Show the last %1").arg(word));
        group->addButton(button);
        row->addWidget(button);
        const Millis chosenSpan = span;
        connect(button, &QToolButton::clicked, this, [this, chosenSpan] { Q_EMIT chosen(chosenSpan); });
    }
    group->buttons().first()->setChecked(true);
}

} // namespace muster
