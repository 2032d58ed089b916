// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/mainwindow.h"

#include <QAction>
#include <QClipboard>
#include <QCloseEvent>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QStackedWidget>
#include <QTabBar>
#include <QTimer>
#include <QToolBar>
#include <QVBoxLayout>

#include "ui/dialogs/pastedialog.h"
#include "ui/icons/icons.h"
#include "ui/mainactions.h"
#include "ui/panels/failurespanel.h"
#include "ui/panels/footer.h"
#include "ui/panels/limiterspanel.h"
#include "ui/panels/livepanel.h"
#include "ui/panels/requestspanel.h"
#include "ui/panels/statefilterpanel.h"
#include "ui/style/type.h"
#include "ui/text/format.h"
#include "ui/widgets/docktitle.h"
#include "ui/widgets/hairline.h"
#include "ui/widgets/spanbuttons.h"

namespace muster {

namespace {

constexpr int filterPauseMs = 350;

QToolBar *makeBar(QMainWindow *window, const QString &name)
{
    auto *bar = new QToolBar(name, window);
    bar->setObjectName(name);
    bar->setMovable(false);
    bar->setFloatable(false);
    bar->setContextMenuPolicy(Qt::PreventContextMenu);
    return bar;
}

} // namespace

MainWindow::MainWindow(QWidget *parent)
    : QMainWindow(parent)
    , m_actions(new MainActions(this))
    , m_filterPause(new QTimer(this))
{
    setMinimumSize(type::scaled(font(), 720), type::scaled(font(), 480));
    resize(type::scaled(font(), 1280), type::scaled(font(), 800));
    setAcceptDrops(true);
    setContextMenuPolicy(Qt::NoContextMenu);
    makeBars();
    makeCentre();
    makeDocks();
    connectAll();
    m_filters->setFocus(); // not a button: Space must not start or stop anything unasked
    setProject({}, false);
    apply(Snapshot());
}

void MainWindow::makeBars()
{
    QToolBar *tools = makeBar(this, tr("Tools"));
    tools->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    tools->setFixedHeight(type::scaled(font(), 42));
    m_actions->fillToolBar(tools);
    auto *gap = new QWidget(tools);
    gap->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    tools->addWidget(gap);
    m_filterBox = new QLineEdit(tools);
    m_filterBox->setPlaceholderText(tr("Filter, e.g. code:503"));
    m_filterBox->setAccessibleName(tr("Filter"));
    m_filterBox->setToolTip(
        tr("state: kind: code: host: batch: run: row: url: and names of fields; blank is and, a comma "
           "is or, a minus in front is not"));
    m_filterBox->setClearButtonEnabled(true);
    m_filterBox->setFixedWidth(type::scaled(font(), 252));
    m_filterBox->addAction(icons::icon(QStringLiteral("search"), Role::Text2), QLineEdit::LeadingPosition);
    tools->addWidget(m_filterBox);
    addToolBar(tools);

    addToolBarBreak();
    m_messagePlace = makeBar(this, tr("Message"));
    m_message = new MessageBar(m_messagePlace);
    m_messagePlace->layout()->setContentsMargins(0, 0, 0, 0);
    m_messagePlace->addWidget(m_message);
    addToolBar(m_messagePlace);
    m_messagePlace->hide();

    QToolBar *foot = makeBar(this, tr("Status"));
    foot->layout()->setContentsMargins(0, 0, 0, 0);
    m_footer = new Footer(foot);
    foot->addWidget(m_footer);
    addToolBar(Qt::BottomToolBarArea, foot);
}

void MainWindow::makeCentre()
{
    m_filters = new StateFilterPanel(this);
    m_requests = new RequestsPanel(this);
    m_failures = new FailuresPanel(this);
    m_tabs = new QTabBar(this);
    m_tabs->setDrawBase(false);
    m_tabs->setExpanding(false);
    m_tabs->setAutoFillBackground(true);
    m_tabs->setBackgroundRole(QPalette::Base);
    m_tabs->setObjectName(QStringLiteral("views"));
    m_tabs->setAccessibleName(tr("Views"));
    m_tabs->addTab(tr("Requests"));
    m_tabs->addTab(tr("Failures"));
    m_failedCount = new QLabel(m_tabs);
    m_failedCount->setFont(type::small(font()));
    m_failedCount->setForegroundRole(QPalette::BrightText);
    m_tabs->setTabButton(1, QTabBar::RightSide, m_failedCount);
    m_pages = new QStackedWidget(this);
    m_pages->addWidget(m_requests);
    m_pages->addWidget(m_failures);
    auto *centre = new QWidget(this);
    auto *row = new QHBoxLayout(centre);
    auto *column = new QVBoxLayout;
    for (QBoxLayout *box : {static_cast<QBoxLayout *>(row), static_cast<QBoxLayout *>(column)}) {
        box->setContentsMargins(0, 0, 0, 0);
        box->setSpacing(0);
    }
    column->addWidget(m_tabs);
    column->addWidget(new Hairline(Qt::Horizontal, centre));
    column->addWidget(m_pages, 1);
    row->addWidget(m_filters);
    row->addWidget(new Hairline(Qt::Vertical, centre));
    row->addLayout(column, 1);
    setCentralWidget(centre);
}

void MainWindow::makeDocks()
{
    m_limiters = new LimitersPanel(this);
    m_live = new LivePanel(this);
    const auto dock = [this](const QString &name, QWidget *panel, QWidget *extra) {
        auto *d = new QDockWidget(name, this);
        d->setObjectName(name);
        d->setWidget(panel);
        auto *title = new DockTitle(d);
        if (extra)
            title->addWidget(extra);
        d->setTitleBarWidget(title);
        m_dockTitles.append(title);
        return d;
    };
    m_limitersDock = dock(tr("Limiters"), m_limiters, nullptr);
    auto *spans = new SpanButtons(this);
    connect(spans, &SpanButtons::chosen, m_live, &LivePanel::setSpan);
    m_liveDock = dock(tr("Live"), m_live, spans);
    setTabPosition(Qt::RightDockWidgetArea, QTabWidget::North);
    m_actions->fillMenus({m_limitersDock->toggleViewAction(), m_liveDock->toggleViewAction()});
    layOutDocks();
}

void MainWindow::connectAll()
{
    connect(m_actions->start, &QAction::triggered, this, &MainWindow::startRequested);
    connect(m_actions->pause, &QAction::triggered, this, &MainWindow::pauseRequested);
    connect(m_actions->stop, &QAction::triggered, this, &MainWindow::stopRequested);
    connect(m_actions->retryFailed, &QAction::triggered, this, &MainWindow::retryFailedRequested);
    connect(m_actions->addList, &QAction::triggered, this, &MainWindow::openAddList);
    connect(m_actions->exportRows, &QAction::triggered, this, &MainWindow::openExport);
    connect(m_actions->paste, &QAction::triggered, this,
            [this] { pasteList(QGuiApplication::clipboard()->text()); });
    connect(m_actions->find, &QAction::triggered, m_filterBox, [this] {
        m_filterBox->setFocus(Qt::ShortcutFocusReason);
        m_filterBox->selectAll();
    });
    connect(m_actions->showRequests, &QAction::triggered, this, [this] { showTab(0); });
    connect(m_actions->showFailures, &QAction::triggered, this, [this] { showTab(1); });
    connect(m_actions->resetLayout, &QAction::triggered, this, &MainWindow::layOutDocks);
    connect(m_tabs, &QTabBar::currentChanged, m_pages, &QStackedWidget::setCurrentIndex);
    connect(m_message, &MessageBar::shownChanged, m_messagePlace, &QWidget::setVisible);

    m_filterPause->setSingleShot(true);
    m_filterPause->setInterval(filterPauseMs);
    connect(m_filterBox, &QLineEdit::textEdited, m_filterPause, qOverload<>(&QTimer::start));
    connect(m_filterBox, &QLineEdit::textChanged, this, [this](const QString &text) {
        if (text.isEmpty()) // by the clear button as well
            setFilter({});
    });
    const auto typed = [this] { setFilter(m_filterBox->text()); };
    connect(m_filterBox, &QLineEdit::returnPressed, this, typed);
    connect(m_filterPause, &QTimer::timeout, this, typed);
    connect(m_filters, &StateFilterPanel::chosen, this, &MainWindow::setFilter);
    connect(m_requests, &RequestsPanel::clearFilterWanted, this, [this] { setFilter({}); });
    connect(m_requests, &RequestsPanel::addListWanted, this, &MainWindow::openAddList);
    connect(m_requests, &RequestsPanel::filterFailed, this, [this](const QString &message) {
        showMessage(MessageKind::Problem, tr("The rows cannot be shown."), message);
    });
    connect(m_requests, &RequestsPanel::settled, this, &MainWindow::settled);
    connect(m_failures, &FailuresPanel::retryFailedWanted, this, &MainWindow::retryFailedRequested);
    connect(m_failures, &FailuresPanel::showRowsWanted, this, [this](const QString &selector) {
        setFilter(selector);
        showTab(0);
    });
}

void MainWindow::apply(const Snapshot &snapshot)
{
    m_actions->apply(snapshot, m_readOnly);
    m_message->apply(snapshot);
    m_filters->apply(snapshot);
    m_requests->apply(snapshot);
    m_failures->apply(snapshot);
    m_limiters->apply(snapshot);
    m_live->apply(snapshot);
    m_footer->apply(snapshot);
    const qint64 failed = snapshot.rows[JobState::Failed];
    showFailedCount(failed > 0 ? format::count(failed) : QString());
}

void MainWindow::showFailedCount(const QString &count)
{
    const bool sameWidth = count.size() == m_failedCount->text().size();
    m_failedCount->setText(count);
    if (sameWidth)
        return;
    m_failedCount->adjustSize();
    m_tabs->setTabButton(1, QTabBar::RightSide, nullptr); // the bar asks for the size only then
    m_tabs->setTabButton(1, QTabBar::RightSide, m_failedCount);
}

void MainWindow::setProject(const QString &title, bool readOnly)
{
    m_title = title;
    m_readOnly = readOnly;
    const QString name = readOnly ? tr("%1 (read-only)").arg(title) : title;
    setWindowTitle(title.isEmpty() ? tr("Muster") : tr("%1 — Muster").arg(name));
    m_requests->setReadOnly(readOnly);
    m_failures->setReadOnly(readOnly);
    m_footer->setReadOnly(readOnly);
}

void MainWindow::setRowSource(RowSource *source)
{
    m_requests->setSource(source);
}

void MainWindow::showMessage(MessageKind kind, const QString &fact, const QString &rest)
{
    m_message->showMessage(kind, fact, rest);
}

QString MainWindow::filter() const
{
    return m_requests->filter();
}

void MainWindow::setFilter(const QString &selector)
{
    m_filterPause->stop();
    if (m_filterBox->text().trimmed() != selector.trimmed())
        m_filterBox->setText(selector);
    if (selector.trimmed() == filter())
        return;
    m_requests->setFilter(selector);
    m_filters->showFilter(filter());
    Q_EMIT filterChanged(filter());
}

void MainWindow::showTab(int tab)
{
    m_tabs->setCurrentIndex(tab);
    m_pages->currentWidget()->setFocus(Qt::ShortcutFocusReason);
}

} // namespace muster
