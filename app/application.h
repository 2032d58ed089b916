// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <QObject>
#include <QThread>
#include <QThreadPool>

#include "app/engine.h"
#include "app/exporting.h"
#include "app/unixsignals.h"
#include "core/view/storerowsource.h"
#include "ui/mainwindow.h"

namespace muster {

class Screenshot;

/// What the window program was asked to do.
struct DesktopPlan
{
    QString project;
    bool startAtOnce = false; ///< the practice crawl
    QString exportTo;         ///< at the end of the crawl
    QString screenshot;       ///< paint the window there and end
    QSize size;
    bool endWhenDone = false; ///< end the program with the crawl
};

/// The window program: builds window and engine, moves the engine to its thread, and carries commands down
/// and snapshots up. Nothing of the engine is touched from here but by calls posted to its thread.
class Application final : public QObject
{
    Q_OBJECT

public:
    explicit Application(DesktopPlan plan, QObject *parent = nullptr);
    ~Application() override;
    Q_DISABLE_COPY_MOVE(Application)

    /// Opens the project and shows the window; the event loop then does the rest.
    OrStop<void> begin();

private:
    OrStop<void> openEngine();
    void connectWindow();
    void connectEngine();
    template <typename F>
    void onEngine(F &&call);
    void importDone(const OrStop<ImportReport> &result);
    void retryDone(const OrStop<Project::Changed> &result);
    void exportTo(const QString &path);
    void crawlEnded(const CrawlEnd &end);
    void shoot();
    void shot(const QString &problem);
    void endIfComplete();
    void closeWindow();

    const DesktopPlan m_plan;
    UnixSignals m_signals;
    QThread m_engineThread;
    Engine *m_engine = nullptr; ///< lives on m_engineThread
    std::unique_ptr<StoreRowSource> m_rows;
    MainWindow m_window;
    Screenshot *m_screenshot = nullptr; ///< made before the rows come, so that it sees them settle
    int m_code = 0;                     ///< what the program ends with
    bool m_shotAsked = false;
    bool m_shotPending = false;
    bool m_closing = false;
    bool m_running = false;
    QThreadPool m_exports; ///< last: its tasks end before what they report to
};

} // namespace muster
