// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include "core/job/snapshot.h"

class QAction;
class QMainWindow;
class QToolBar;

namespace muster {

/// What the window can do, as actions with their keys (ux.md 1.3), and where they stand: menus and toolbar.
/// What is possible follows the snapshot. Owned by the window, GUI thread.
class MainActions final : public QObject
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(MainActions)

public:
    explicit MainActions(QMainWindow *window);

    void apply(const Snapshot &snapshot, bool readOnly);
    /// In narrow windows only Start, Pause and Stop keep their words.
    void setNarrow(bool narrow);
    void fillMenus(const QList<QAction *> &docks);
    void fillToolBar(QToolBar *bar);

    QAction *start = nullptr;
    QAction *pause = nullptr;
    QAction *stop = nullptr;
    QAction *retryFailed = nullptr;
    QAction *addList = nullptr;
    QAction *paste = nullptr;
    QAction *exportRows = nullptr;
    QAction *quit = nullptr;
    QAction *find = nullptr;
    QAction *showRequests = nullptr;
    QAction *showFailures = nullptr;
    QAction *resetLayout = nullptr;
    QAction *fullScreen = nullptr;

private:
    QAction *make(const char *icon, const QString &text, const QKeySequence &key, const QString &toolTip);

    QMainWindow *m_window = nullptr;
    QToolBar *m_bar = nullptr;
};

} // namespace muster
