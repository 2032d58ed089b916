// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "core/job/moment.h"

namespace muster {

/// How far back the live plots look: 5 min or 1 h. GUI thread.
class SpanButtons final : public QWidget
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(SpanButtons)

public:
    explicit SpanButtons(QWidget *parent = nullptr);

Q_SIGNALS:
    void chosen(muster::Millis span);
};

} // namespace muster
