// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QDockWidget;
class QHBoxLayout;

namespace muster {

/// The title of a dock: its name in bold, room for the panel's own buttons, float and close. Folded where
/// docks are tabs and the tab says the name. GUI thread, owned by its dock.
class DockTitle final : public QWidget
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(DockTitle)

public:
    explicit DockTitle(QDockWidget *dock);
    void addWidget(QWidget *widget);
    void setFolded(bool folded);

private:
    QWidget *m_inner = nullptr;
    QHBoxLayout *m_row = nullptr;
};

} // namespace muster
