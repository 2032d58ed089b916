// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/application.h"

#include <QCoreApplication>
#include <QFileInfo>

#include "app/console.h"
#include "core/view/storepagereader.h"
#include "ui/screenshot.h"

namespace muster {

Application::Application(DesktopPlan plan, QObject *parent)
    : QObject(parent)
    , m_plan(std::move(plan))
{
    m_engineThread.setObjectName(QStringLiteral("engine"));
}

Application::~Application()
{
    m_window.setRowSource(nullptr);
    if (m_engine)
        QMetaObject::invokeMethod(
            m_engine, [engine = m_engine] { delete engine; }, Qt::BlockingQueuedConnection);
    m_engineThread.quit();
    m_engineThread.wait();
}

template <typename F>
void Application::onEngine(F &&call)
{
    QMetaObject::invokeMethod(m_engine, [engine = m_engine, call = std::forward<F>(call)] { call(*engine); });
}

OrStop<void> Application::begin()
{
    qRegisterMetaType<Snapshot>();
    qRegisterMetaType<CrawlEnd>();
    connectWindow();
    if (!m_plan.screenshot.isEmpty()) {
        m_shotPending = true;
        m_screenshot = new Screenshot(&m_window, m_plan.screenshot,
                                      m_plan.size.isValid() ? m_plan.size : QSize(1280, 800), this);
        connect(m_screenshot, &Screenshot::finished, this, &Application::shot);
    }
    if (auto opened = openEngine(); !opened)
        return opened;
    m_rows = std::make_unique<StoreRowSource>(storePageReaders(m_plan.project));
    m_window.setProject(QFileInfo(m_plan.project).fileName(), false);
    m_window.setRowSource(m_rows.get());
    if (m_plan.size.isValid())
        m_window.resize(m_plan.size);
    m_window.show();
    if (m_plan.startAtOnce) {
        m_running = true;
        onEngine([](Engine &e) { e.start(); });
    } else {
        shoot();
    }
    return {};
}

/// The engine is made, opened and kept on its own thread; this one waits only for the opening.
OrStop<void> Application::openEngine()
{
    EnginePlan plan;
    plan.project = m_plan.project;
    plan.program = QStringLiteral("muster");
    m_engineThread.start();
    auto *starter = new QObject;
    starter->moveToThread(&m_engineThread);
    OrStop<void> opened;
    Snapshot first;
    QMetaObject::invokeMethod(
        starter,
        [&] {
            m_engine = new Engine(plan);
            opened = m_engine->open();
            first = m_engine->snapshot();
            starter->deleteLater();
        },
        Qt::BlockingQueuedConnection);
    if (!opened)
        return opened;
    connectEngine();
    m_window.apply(first);
    return opened;
}

void Application::connectEngine()
{
    connect(m_engine, &Engine::snapshotReady, this, [this](const Snapshot &s) {
        m_window.apply(s);
        const qint64 open = s.rows[JobState::Queued] + s.rows[JobState::InFlight];
        if (m_running && open * 2 < s.rows.takenIn())
            shoot(); // half way: there is something to see
    });
    connect(m_engine, &Engine::ended, this, &Application::crawlEnded);
}

void Application::connectWindow()
{
    connect(&m_window, &MainWindow::startRequested, this, [this] {
        m_running = true;
        onEngine([](Engine &e) { e.start(); });
    });
    connect(&m_window, &MainWindow::pauseRequested, this, [this] { onEngine([](Engine &e) { e.pause(); }); });
    connect(&m_window, &MainWindow::stopRequested, this, [this] { onEngine([](Engine &e) { e.stop(); }); });
    const auto reply = [this](const OrStop<ImportReport> &r) {
        QMetaObject::invokeMethod(this, [this, r] { importDone(r); });
    };
    connect(&m_window, &MainWindow::importRequested, this, [this, reply](const QString &path) {
        onEngine([path, reply](Engine &e) { e.importFile(path, reply); });
    });
    connect(&m_window, &MainWindow::importTextRequested, this, [this, reply](const QString &text) {
        onEngine([text, reply](Engine &e) { e.importText(text.toUtf8(), QStringLiteral("pasted"), reply); });
    });
    connect(&m_window, &MainWindow::retryFailedRequested, this, [this] {
        onEngine([this](Engine &e) {
            e.apply(Project::Verb::Retry, QStringLiteral("state:failed"),
                    [this](const auto &r) { QMetaObject::invokeMethod(this, [this, r] { retryDone(r); }); });
        });
    });
    connect(&m_window, &MainWindow::exportRequested, this, &Application::exportTo);
    connect(&m_window, &MainWindow::closing, this, &Application::closeWindow);
    connect(&m_signals, &UnixSignals::asked, this, &Application::closeWindow);
}

void Application::importDone(const OrStop<ImportReport> &result)
{
    if (!result) {
        m_window.showMessage(MessageKind::Problem, tr("The list was not taken in."), result.error().what);
        return;
    }
    const ImportCounts &c = result->counts;
    m_window.showMessage(
        MessageKind::Info, tr("%n rows were taken in.", nullptr, static_cast<int>(c.taken)),
        tr("%1 duplicates, %2 known, %3 refused.").arg(c.duplicates).arg(c.known).arg(c.refused));
}

void Application::retryDone(const OrStop<Project::Changed> &result)
{
    if (!result)
        m_window.showMessage(MessageKind::Problem, tr("Nothing was put back."), result.error().what);
    else
        m_window.showMessage(MessageKind::Info,
                             tr("%n rows are queued again.", nullptr, static_cast<int>(result->changed)));
}

void Application::exportTo(const QString &path)
{
    ExportPlan plan;
    plan.project = m_plan.project;
    plan.to = path;
    m_exports.start([this, plan] {
        const auto written = exportProject(plan);
        QMetaObject::invokeMethod(this, [this, written] {
            if (written)
                m_window.showMessage(MessageKind::Info, tr("Exported."), written->said);
            else
                m_window.showMessage(MessageKind::Problem, tr("Nothing was exported."), written.error().what);
        });
    });
}

void Application::crawlEnded(const CrawlEnd &end)
{
    m_running = false;
    if (m_closing) {
        QCoreApplication::exit(0);
        return;
    }
    if (!end.message.isEmpty())
        m_window.showMessage(MessageKind::Problem, end.message);
    if (!m_plan.exportTo.isEmpty()) {
        ExportPlan plan;
        plan.project = m_plan.project;
        plan.to = m_plan.exportTo;
        if (const auto written = exportProject(plan); !written)
            m_code = endWith(written.error());
    }
    shoot();
    endIfComplete();
}

void Application::shoot()
{
    if (m_screenshot && !std::exchange(m_shotAsked, true))
        m_screenshot->start();
}

void Application::shot(const QString &problem)
{
    m_shotPending = false;
    if (!problem.isEmpty()) {
        say(problem);
        m_code = static_cast<int>(ExitCode::CannotWrite);
    }
    endIfComplete();
}

/// With a picture asked for, the program ends when it is painted; with --headless, when the crawl is over
/// too.
void Application::endIfComplete()
{
    const bool askedToEnd = m_plan.endWhenDone || !m_plan.screenshot.isEmpty();
    if (askedToEnd && !m_shotPending && !m_running)
        QCoreApplication::exit(m_code);
}

/// Closing while a crawl runs stops it in good order first; what is queued stays queued.
void Application::closeWindow()
{
    m_closing = true;
    if (m_running)
        onEngine([](Engine &e) { e.stop(Millis(2'000)); });
    else
        QCoreApplication::exit(0);
}

} // namespace muster
