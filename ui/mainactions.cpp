// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/mainactions.h"

#include <QAction>
#include <QKeySequence>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>
#include <QToolBar>
#include <QToolButton>

#include "ui/icons/icons.h"
#include "ui/text/format.h"

namespace muster {

MainActions::MainActions(QMainWindow *window)
    : QObject(window)
    , m_window(window)
{
    start = make("start", tr("&Start"), Qt::Key_F5, tr("Start, or go on after a pause"));
    pause = make("pause", tr("&Pause"), Qt::Key_F6, tr("Send nothing more; what is in flight lands"));
    stop = make("stop", tr("S&top"), Qt::SHIFT | Qt::Key_F5,
                tr("End the run; what is not answered in 10 s goes back to the queue"));
    retryFailed = make("retry", tr("&Retry failed"), Qt::CTRL | Qt::SHIFT | Qt::Key_R,
                       tr("Give all failed rows their tries again"));
    addList =
        make("add-list", tr("&Add list…"), Qt::CTRL | Qt::SHIFT | Qt::Key_O, tr("Add URLs from a file"));
    paste = make("clipboard", tr("Add from &clipboard…"), QKeySequence(QKeySequence::Paste),
                 tr("Add the URLs you copied"));
    exportRows =
        make("export", tr("&Export…"), Qt::CTRL | Qt::SHIFT | Qt::Key_E, tr("Write the rows to a CSV"));
    quit = make("close", tr("&Quit"), Qt::CTRL | Qt::Key_Q, {});
    find = make("search", tr("&Filter"), Qt::CTRL | Qt::Key_F, {});
    find->setShortcuts(
        {QKeySequence(Qt::CTRL | Qt::Key_F), QKeySequence(Qt::CTRL | Qt::Key_E), QKeySequence(Qt::Key_F3)});
    showRequests = make("host", tr("&Requests"), Qt::ALT | Qt::Key_1, {});
    showFailures = make("failed", tr("Fai&lures"), Qt::ALT | Qt::Key_3, {});
    resetLayout = make("columns", tr("Reset la&yout"), Qt::CTRL | Qt::Key_0, {});
    fullScreen = make("float", tr("F&ull screen"), Qt::Key_F11, {});
    fullScreen->setCheckable(true);
    quit->setMenuRole(QAction::QuitRole);
    connect(quit, &QAction::triggered, window, &QWidget::close);
    connect(fullScreen, &QAction::toggled, window, [window](bool on) {
        window->setWindowState(on ? window->windowState() | Qt::WindowFullScreen
                                  : window->windowState() & ~Qt::WindowFullScreen);
    });
}

QAction *MainActions::make(const char *icon, const QString &text, const QKeySequence &key,
                           const QString &toolTip)
{
    auto *action = new QAction(icons::icon(QLatin1String(icon)), text, m_window);
    action->setShortcut(key);
    action->setIconVisibleInMenu(false);
    if (!toolTip.isEmpty())
        action->setToolTip(QStringLiteral("%1 (%2)").arg(toolTip, key.toString(QKeySequence::NativeText)));
    m_window->addAction(action);
    return action;
}

void MainActions::fillMenus(const QList<QAction *> &docks)
{
    QMenuBar *bar = m_window->menuBar();
    QMenu *file = bar->addMenu(tr("&File"));
    file->addActions({addList, paste, exportRows});
    file->addSeparator();
    file->addAction(quit);
    QMenu *crawl = bar->addMenu(tr("&Crawl"));
    crawl->addActions({start, pause, stop});
    crawl->addSeparator();
    crawl->addAction(retryFailed);
    QMenu *view = bar->addMenu(tr("&View"));
    view->addActions({showRequests, showFailures, find});
    view->addSeparator();
    view->addActions(docks);
    view->addSeparator();
    view->addActions({resetLayout, fullScreen});
}

void MainActions::fillToolBar(QToolBar *bar)
{
    m_bar = bar;
    bar->addActions({start, pause, stop});
    bar->addSeparator();
    bar->addActions({addList, retryFailed, exportRows});
    for (QAction *action : bar->actions())
        if (auto *button = qobject_cast<QToolButton *>(bar->widgetForAction(action))) {
            button->setFocusPolicy(Qt::TabFocus);
            button->setAccessibleName(QString(action->text()).remove(u'&'));
        }
    setNarrow(false);
}

void MainActions::setNarrow(bool narrow)
{
    for (QAction *action : {addList, retryFailed, exportRows})
        if (auto *button = qobject_cast<QToolButton *>(m_bar->widgetForAction(action)))
            button->setToolButtonStyle(narrow ? Qt::ToolButtonIconOnly : Qt::ToolButtonTextBesideIcon);
}

void MainActions::apply(const Snapshot &snapshot, bool readOnly)
{
    const CrawlState s = snapshot.state;
    const bool under = s == CrawlState::Running || s == CrawlState::Offline;
    const bool resting = s == CrawlState::Idle || s == CrawlState::Finished;
    const qint64 failed = snapshot.rows[JobState::Failed];
    start->setEnabled(!readOnly &&
                      (s == CrawlState::Paused || (resting && snapshot.rows[JobState::Queued] > 0)));
    pause->setEnabled(!readOnly && under);
    stop->setEnabled(!readOnly && (under || s == CrawlState::Paused));
    addList->setEnabled(!readOnly);
    paste->setEnabled(!readOnly);
    exportRows->setEnabled(snapshot.rows.takenIn() > 0);
    retryFailed->setEnabled(!readOnly && failed > 0);
    retryFailed->setText(failed > 0 ? tr("&Retry %1 failed").arg(format::count(failed))
                                    : tr("&Retry failed"));
}

} // namespace muster
