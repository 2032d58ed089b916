// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace muster {

/// One pixel of the role Hair between two parts of the window. GUI thread.
class Hairline final : public QWidget
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(Hairline)

public:
    explicit Hairline(Qt::Orientation orientation, QWidget *parent = nullptr);

protected:
    void paintEvent(QPaintEvent *event) override;
};

} // namespace muster
