// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/mainwindow.h"

#include <cmath>
#include <QAbstractButton>
#include <QAbstractScrollArea>
#include <QAction>
#include <QApplication>
#include <QDir>
#include <QFileDialog>
#include <QLineEdit>
#include <QListView>
#include <QMimeData>
#include <QPainter>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTabBar>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

#include "tests/ui/scenes.h"
#include "ui/dialogs/pastedialog.h"
#include "ui/panels/requestspanel.h"
#include "ui/screenshot.h"
#include "ui/style/look.h"
#include "ui/widgets/limitergauge.h"

using namespace muster;

namespace {

void feedHistory(MainWindow &window, const Snapshot &last)
{
    const int seconds = qEnvironmentVariableIsSet("MUSTER_SHOTS") ? 300 : 30;
    for (int second = -seconds; second < 0; ++second) {
        Snapshot s = last;
        if (second < -18)
            s.hosts.clear();
        s.asOf = last.asOf + Millis(second * 1000);
        s.rows[JobState::Queued] -= second * 9;
        s.rows[JobState::Done] += second * 9;
        s.requestsPerSecond = second > -240 && second < -215 ? 2.1 : 9.4 + 0.4 * std::sin(second);
        for (LimiterView &l : s.limiters)
            if (l.tokens)
                *l.tokens = std::clamp(*l.tokens + 0.3 * std::cos(second * 1.7), 0.0, l.burst);
        if (s.requestsPerSecond < 5 && !s.limiters.isEmpty())
            s.limiters[0].tokens = std::min(10.0, (second + 240) * 1.0);
        window.apply(s);
    }
    window.apply(last);
}

} // namespace

class TestMainWindow : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void commandsGoDownAsSignals();
    void actionsFollowTheState_data();
    void actionsFollowTheState();
    void readOnlyOffersNoWriting();
    void filtersAndFilterBoxAgree();
    void wrongFilterIsSaidInTheBar();
    void pasteAsksFirst();
    void dropOfAFileImportsIt();
    void fileDialogsDoNotBlock();
    void escapeClosesThenClears();
    void closedHostIsTold();
    void everyFocusableWidgetIsNamed();
    void screenshotWaitsForTheFirstPage();
    void sizeFromText();
    void pictures_data();
    void pictures();

private:
    static QAction *action(MainWindow &window, const QString &text)
    {
        for (QAction *a : window.actions())
            if (QString(a->text()).remove(u'&').startsWith(text))
                return a;
        return nullptr;
    }
};

void TestMainWindow::initTestCase()
{
    applyLook(*qApp, Theme::Light);
}

void TestMainWindow::commandsGoDownAsSignals()
{
    MainWindow window;
    window.apply(scenes::running());
    QSignalSpy pause(&window, &MainWindow::pauseRequested);
    QSignalSpy stop(&window, &MainWindow::stopRequested);
    QSignalSpy start(&window, &MainWindow::startRequested);
    QSignalSpy retry(&window, &MainWindow::retryFailedRequested);
    action(window, QStringLiteral("Pause"))->trigger();
    action(window, QStringLiteral("Stop"))->trigger();
    action(window, QStringLiteral("Start"))->trigger(); // not possible while it runs
    action(window, QStringLiteral("Retry 486 failed"))->trigger();
    QCOMPARE(pause.size(), 1);
    QCOMPARE(stop.size(), 1);
    QCOMPARE(start.size(), 0);
    QCOMPARE(retry.size(), 1);
    Snapshot paused = scenes::running();
    paused.state = CrawlState::Paused;
    window.apply(paused);
    action(window, QStringLiteral("Start"))->trigger();
    QCOMPARE(start.size(), 1);
    QCOMPARE(action(window, QStringLiteral("Start"))->shortcut(), QKeySequence(Qt::Key_F5));
}

void TestMainWindow::actionsFollowTheState_data()
{
    QTest::addColumn<int>("state");
    QTest::addColumn<bool>("start");
    QTest::addColumn<bool>("pause");
    QTest::addColumn<bool>("stop");
    QTest::newRow("idle") << int(CrawlState::Idle) << true << false << false;
    QTest::newRow("running") << int(CrawlState::Running) << false << true << true;
    QTest::newRow("paused") << int(CrawlState::Paused) << true << false << true;
    QTest::newRow("draining") << int(CrawlState::Draining) << false << false << false;
    QTest::newRow("offline") << int(CrawlState::Offline) << false << true << true;
    QTest::newRow("finished") << int(CrawlState::Finished) << true << false << false;
}

void TestMainWindow::actionsFollowTheState()
{
    QFETCH(int, state);
    MainWindow window;
    Snapshot s = scenes::running();
    s.state = CrawlState(state);
    window.apply(s);
    QTEST(action(window, QStringLiteral("Start"))->isEnabled(), "start");
    QTEST(action(window, QStringLiteral("Pause"))->isEnabled(), "pause");
    QTEST(action(window, QStringLiteral("Stop"))->isEnabled(), "stop");
}

void TestMainWindow::readOnlyOffersNoWriting()
{
    MainWindow window;
    window.setProject(QStringLiteral("places.muster"), true);
    window.apply(scenes::running());
    for (const char *name : {"Start", "Pause", "Stop", "Add list", "Add from", "Retry"})
        QVERIFY2(!action(window, QLatin1String(name))->isEnabled(), name);
    QVERIFY(action(window, QStringLiteral("Export"))->isEnabled());
    QVERIFY(window.windowTitle().contains(QLatin1String("read-only")));
}

void TestMainWindow::filtersAndFilterBoxAgree()
{
    MainWindow window;
    scenes::Rows rows(1000);
    window.setRowSource(&rows);
    window.apply(scenes::running());
    QSignalSpy changed(&window, &MainWindow::filterChanged);
    auto *list = window.findChild<QListView *>(QString(), Qt::FindChildrenRecursively);
    const auto all = window.findChildren<QListView *>();
    for (QListView *view : all)
        if (view->accessibleName() == QLatin1String("Filters"))
            list = view;
    QModelIndex failed;
    for (int row = 0; row < list->model()->rowCount(); ++row)
        if (list->model()->index(row, 0).data().toString() == QLatin1String("Failed"))
            failed = list->model()->index(row, 0);
    QVERIFY(failed.isValid());
    list->setCurrentIndex(failed);
    QCOMPARE(window.filter(), QStringLiteral("state:failed"));
    QCOMPARE(changed.size(), 1);
    auto *box = window.findChild<QLineEdit *>();
    QCOMPARE(box->text(), QStringLiteral("state:failed"));
    window.apply(scenes::running()); // the choice survives
    QCOMPARE(list->currentIndex().data().toString(), QStringLiteral("Failed"));
    box->clear();
    QCOMPARE(window.filter(), QString());
    QCOMPARE(list->currentIndex().data().toString(), QStringLiteral("All"));
    box->setText(QStringLiteral("code:503"));
    QTest::keyClick(box, Qt::Key_Return);
    QCOMPARE(window.filter(), QStringLiteral("code:503"));
    QVERIFY(!list->currentIndex().isValid());
    QCOMPARE(rows.filters,
             (QStringList{QString(), QStringLiteral("state:failed"), QString(), QStringLiteral("code:503")}));
}

void TestMainWindow::wrongFilterIsSaidInTheBar()
{
    MainWindow window;
    scenes::Rows rows(10);
    window.setRowSource(&rows);
    window.setFilter(QStringLiteral("wrong:1"));
    auto *bar = window.findChild<MessageBar *>();
    QTRY_VERIFY(bar->isShown());
    QVERIFY(bar->text().contains(QLatin1String("no key of a selector")));
    bar->dismiss();
    QVERIFY(!bar->isShown());
}

void TestMainWindow::pasteAsksFirst()
{
    MainWindow window;
    window.show();
    QSignalSpy import(&window, &MainWindow::importTextRequested);
    window.pasteList(QStringLiteral("https://a.example/1\n# no row\n\nhttps://a.example/2\n"));
    auto *dialog = window.findChild<PasteDialog *>();
    QVERIFY(dialog);
    QCOMPARE(import.size(), 0);
    QCOMPARE(PasteDialog::rowsIn(dialog->text()), 2);
    QPushButton *add = nullptr;
    for (auto *button : dialog->findChildren<QPushButton *>())
        if (button->isDefault())
            add = button;
    QVERIFY(add);
    QCOMPARE(QString(add->text()).remove(u'&'), QStringLiteral("Add 2 lines"));
    add->click();
    QCOMPARE(import.size(), 1);
    QVERIFY(import[0][0].toString().startsWith(QLatin1String("https://a.example/1")));
}

void TestMainWindow::dropOfAFileImportsIt()
{
    MainWindow window;
    QSignalSpy import(&window, &MainWindow::importRequested);
    QMimeData mime;
    mime.setUrls({QUrl::fromLocalFile(QStringLiteral("/tmp/list.csv"))});
    QDragEnterEvent enter(QPoint(10, 10), Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&window, &enter);
    QVERIFY(enter.isAccepted());
    QDropEvent drop(QPointF(10, 10), Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&window, &drop);
    QCOMPARE(import.size(), 1);
    QCOMPARE(import[0][0].toString(), QStringLiteral("/tmp/list.csv"));
}

void TestMainWindow::fileDialogsDoNotBlock()
{
    MainWindow window;
    window.setProject(QStringLiteral("places.muster"), false);
    window.show();
    QSignalSpy import(&window, &MainWindow::importRequested);
    QSignalSpy exported(&window, &MainWindow::exportRequested);
    window.openAddList();
    auto *add = window.findChild<QFileDialog *>();
    QVERIFY(add && add->isVisible());
    Q_EMIT add->fileSelected(QStringLiteral("/tmp/a.txt"));
    QCOMPARE(import.size(), 1);
    delete add;
    window.openExport();
    auto *save = window.findChild<QFileDialog *>();
    QVERIFY(save && save->isVisible());
    QCOMPARE(save->acceptMode(), QFileDialog::AcceptSave);
    QCOMPARE(save->defaultSuffix(), QStringLiteral("csv"));
    Q_EMIT save->filterSelected(QStringLiteral("JSON Lines (*.jsonl)"));
    QCOMPARE(save->defaultSuffix(), QStringLiteral("jsonl"));
    Q_EMIT save->fileSelected(QStringLiteral("/tmp/a.jsonl"));
    QCOMPARE(exported.size(), 1);
    delete save;
    window.setProject(QStringLiteral("places.muster"), true);
    window.openAddList();
    QVERIFY(!window.findChild<QFileDialog *>());
}

void TestMainWindow::escapeClosesThenClears()
{
    MainWindow window;
    scenes::Rows rows(10);
    window.setRowSource(&rows);
    window.setFilter(QStringLiteral("state:done"));
    window.showMessage(MessageKind::Warning, QStringLiteral("Disk is low."), QStringLiteral("Free some."));
    auto *bar = window.findChild<MessageBar *>();
    window.apply(scenes::running()); // does not push the program's message away
    QVERIFY(bar->text().startsWith(QLatin1String("Disk is low.")));
    QTest::keyClick(&window, Qt::Key_Escape);
    QCOMPARE(window.filter(), QStringLiteral("state:done"));
    QTest::keyClick(&window, Qt::Key_Escape);
    QCOMPARE(window.filter(), QString());
}

void TestMainWindow::closedHostIsTold()
{
    MainWindow window;
    auto *bar = window.findChild<MessageBar *>();
    window.apply(scenes::running());
    QVERIFY(bar->isShown());
    QVERIFY(bar->text().startsWith(QLatin1String("geo.example.org is closed until")));
    QVERIFY(bar->text().contains(QLatin1String("3,116 jobs wait")));
    bar->dismiss();
    window.apply(scenes::running());
    QVERIFY(!bar->isShown()); // closed by a person: not again
}

void TestMainWindow::everyFocusableWidgetIsNamed()
{
    MainWindow window;
    scenes::Rows rows(1000);
    window.setRowSource(&rows);
    feedHistory(window, scenes::running());
    window.show();
    window.pasteList(QStringLiteral("x"));
    int seen = 0;
    for (QWidget *widget : window.findChildren<QWidget *>()) {
        if (widget->focusPolicy() == Qt::NoFocus || !widget->isVisible() ||
            widget->objectName().startsWith(u"qt_"))
            continue;
        const auto *button = qobject_cast<QAbstractButton *>(widget);
        const auto *page = qobject_cast<QAbstractScrollArea *>(widget->parentWidget());
        if (page && page->viewport() == widget)
            continue;
        ++seen;
        QVERIFY2(!widget->accessibleName().isEmpty() || (button && !button->text().isEmpty()) ||
                     qobject_cast<QDialog *>(widget),
                 widget->metaObject()->className());
    }
    QVERIFY(seen > 10);
}

void TestMainWindow::screenshotWaitsForTheFirstPage()
{
    QTemporaryDir dir;
    MainWindow window;
    scenes::Rows rows(5000);
    Screenshot shot(&window, dir.filePath(QStringLiteral("window.png")), {900, 600});
    QSignalSpy finished(&shot, &Screenshot::finished);
    shot.start();
    window.setRowSource(&rows);
    QTRY_COMPARE(finished.size(), 1);
    QCOMPARE(finished[0][0].toString(), QString());
    QVERIFY(!rows.pages.isEmpty());
    const QImage image(dir.filePath(QStringLiteral("window.png")));
    QCOMPARE(image.size(), QSize(900, 600) * window.devicePixelRatioF());
}

void TestMainWindow::sizeFromText()
{
    QCOMPARE(Screenshot::sizeFrom(QStringLiteral("1280x800")), QSize(1280, 800));
    QVERIFY(!Screenshot::sizeFrom(QStringLiteral("12x800")).isValid());
    QVERIFY(!Screenshot::sizeFrom(QStringLiteral("1280x")).isValid());
    QVERIFY(!Screenshot::sizeFrom(QStringLiteral("1280x800 ")).isValid());
}

void TestMainWindow::pictures_data()
{
    QTest::addColumn<QString>("scene");
    QTest::addColumn<QSize>("size");
    QTest::addColumn<bool>("dark");
    const bool all = qEnvironmentVariableIsSet("MUSTER_SHOTS");
    for (const bool dark : {false, true})
        for (const char *scene : {"running", "empty", "failures", "paused", "paste"})
            for (const QSize size : {QSize(1280, 800), QSize(900, 600)})
                if (all || dark == (size.width() == 900))
                    QTest::addRow("%s-%d-%s", scene, size.width(), dark ? "dark" : "light")
                        << QString::fromLatin1(scene) << size << dark;
}

void TestMainWindow::pictures()
{
    QFETCH(QString, scene);
    QFETCH(QSize, size);
    QFETCH(bool, dark);
    applyLook(*qApp, dark ? Theme::Dark : Theme::Light);
    MainWindow window;
    window.resize(size);
    window.setProject(QStringLiteral("places.muster"), false);
    scenes::Rows rows(scene == QLatin1String("empty") ? 0 : 40'000);
    QSignalSpy settled(&window, &MainWindow::settled);
    window.setRowSource(&rows);
    const bool none = scene == QLatin1String("empty");
    Snapshot s = none ? scenes::empty() : scenes::running();
    if (scene == QLatin1String("paused")) {
        s.state = CrawlState::Paused;
        s.reason = QStringLiteral("You paused the crawl at 14:31.");
        s.hosts.removeFirst();
        for (LimiterView &l : s.limiters) {
            l.binding = false;
            l.waiting = 0;
            l.usedPerSecond = 0;
            l.out = 0;
        }
    }
    window.show();
    if (none)
        window.apply(s);
    else
        feedHistory(window, s);
    QTRY_VERIFY(!settled.isEmpty());
    if (scene == QLatin1String("failures"))
        window.findChild<QTabBar *>(QStringLiteral("views"))->setCurrentIndex(1);
    else if (auto *panel = window.findChild<RequestsPanel *>(); rows.setRows(40'000), !rows.pages.isEmpty())
        panel->table()->selectRow(7);
    QCoreApplication::processEvents();
    QWidget *shown = &window;
    if (scene == QLatin1String("paste")) {
        window.pasteList(
            QStringLiteral("https://maps.example.com/item/1\nhttps://maps.example.com/item/2\n"));
        shown = window.findChild<PasteDialog *>();
        QCoreApplication::processEvents();
    }
    const QPixmap picture = shown->grab();
    QVERIFY(!picture.isNull());
    QVERIFY(shown != &window || picture.size() == size * window.devicePixelRatioF());
    if (const QByteArray dir = qgetenv("MUSTER_SHOTS"); !dir.isEmpty())
        QVERIFY(picture.save(QDir(QFile::decodeName(dir))
                                 .filePath(QLatin1String(QTest::currentDataTag()) + QStringLiteral(".png"))));
    applyLook(*qApp, Theme::Light);
}

QTEST_MAIN(TestMainWindow)
#include "tst_mainwindow.moc"
