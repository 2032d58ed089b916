// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMainWindow>

#include "core/job/snapshot.h"
#include "ui/widgets/messagebar.h"

class QDockWidget;
class QLabel;
class QLineEdit;
class QTabBar;
class QStackedWidget;
class QTimer;

namespace muster {

class DockTitle;
class FailuresPanel;
class Footer;
class LimitersPanel;
class LivePanel;
class MainActions;
class RequestsPanel;
class RowSource;
class StateFilterPanel;

/// The window of one project: holds the panels, hands each the snapshot, and passes a person's wishes down as
/// signals. It knows no engine; panels do not know each other. GUI thread.
class MainWindow final : public QMainWindow
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(MainWindow)

public:
    explicit MainWindow(QWidget *parent = nullptr);

    void apply(const Snapshot &snapshot);
    /// `title`: the project's name as people know it, "places.muster".
    void setProject(const QString &title, bool readOnly);
    void setRowSource(RowSource *source); ///< not owned; null: no project
    void showMessage(MessageKind kind, const QString &fact, const QString &rest = {});

    QString filter() const;
    void setFilter(const QString &selector);

public Q_SLOTS:
    void openAddList();
    void openExport();
    void pasteList(const QString &text);

Q_SIGNALS:
    void startRequested();
    void pauseRequested();
    void stopRequested();
    void importRequested(const QString &path);
    void importTextRequested(const QString &text);
    void exportRequested(const QString &path);
    void retryFailedRequested();
    void filterChanged(const QString &selector);
    /// The table shows what there is.
    void settled();
    /// A person closes the window.
    void closing();

protected:
    void resizeEvent(QResizeEvent *event) override;
    void dragEnterEvent(QDragEnterEvent *event) override;
    void dropEvent(QDropEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void closeEvent(QCloseEvent *event) override;

private:
    void makeBars();
    void makeCentre();
    void makeDocks();
    void connectAll();
    void setNarrow(bool narrow);
    void layOutDocks();
    void showTab(int tab);
    void showFailedCount(const QString &count);

    MainActions *m_actions = nullptr;
    QLineEdit *m_filterBox = nullptr;
    QTimer *m_filterPause = nullptr; ///< typing rests before the store is asked
    QToolBar *m_messagePlace = nullptr;
    MessageBar *m_message = nullptr;
    StateFilterPanel *m_filters = nullptr;
    QTabBar *m_tabs = nullptr;
    QStackedWidget *m_pages = nullptr;
    QLabel *m_failedCount = nullptr;
    RequestsPanel *m_requests = nullptr;
    FailuresPanel *m_failures = nullptr;
    LimitersPanel *m_limiters = nullptr;
    LivePanel *m_live = nullptr;
    Footer *m_footer = nullptr;
    QDockWidget *m_limitersDock = nullptr;
    QDockWidget *m_liveDock = nullptr;
    QList<DockTitle *> m_dockTitles;
    QString m_title;
    bool m_readOnly = false;
    bool m_narrow = false;
};

} // namespace muster
