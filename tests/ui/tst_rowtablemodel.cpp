// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/rowtablemodel.h"

#include <QAbstractItemModelTester>
#include <QItemSelectionModel>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>

#include "tests/ui/scenes.h"
#include "ui/panels/requestspanel.h"
#include "ui/style/look.h"

using namespace muster;

class TestRowTableModel : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { applyLook(*qApp, Theme::Light); }
    void cellsSayTheRow();
    void waitingRowsSayUntilWhen();
    void toolTipIsNoMarkup();
    void millionRowsLoadOnlyWhatIsSeen();
    void onlySeenStalePagesAreReadAgain();
    void growsAndShrinksWithoutReset();
    void growthAsksForOneCountAtATime();
    void selectionFollowsItsRow();
    void lateAnswersOfAnOldFilterAreDropped();
    void failureIsToldAndTheNextPageStillComes();
    void emptyPanelSaysWhatToDo();
    void sourceMayGo();
};

void TestRowTableModel::cellsSayTheRow()
{
    RowTableModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    scenes::Rows rows(300);
    model.setSource(&rows);
    QTRY_COMPARE(model.rowCount(), 300);
    QTRY_VERIFY(model.lineAt(0));
    QCOMPARE(model.index(3, RowTableModel::StateColumn).data().toString(), QStringLiteral("Failed"));
    QCOMPARE(model.index(0, RowTableModel::RequestColumn).data().toString(),
             QStringLiteral("Rue de Rivoli 88, Paris"));
    QCOMPARE(model.index(0, RowTableModel::CodeColumn).data().toString(), QStringLiteral("200"));
    QCOMPARE(model.index(0, RowTableModel::TimeColumn).data().toString(),
             QStringLiteral("117 ms").replace(u' ', QChar(QChar::Nbsp)));
    QCOMPARE(model.headerData(RowTableModel::HostColumn, Qt::Horizontal, Qt::DisplayRole).toString(),
             QStringLiteral("Host"));
    QVERIFY(!model.index(299, 0).data().isValid()); // its page is not here
    model.setVisibleRows(280, 299);
    QTRY_COMPARE(model.index(299, 0).data().toString(), QStringLiteral("300"));
}

void TestRowTableModel::waitingRowsSayUntilWhen()
{
    RowTableModel model;
    scenes::Rows rows(50);
    model.setSource(&rows);
    QTRY_VERIFY(model.lineAt(0));
    Snapshot s = scenes::running();
    model.apply(s);
    QCOMPARE(model.index(7, RowTableModel::StateColumn).data().toString().replace(QChar(QChar::Nbsp), u' '),
             QStringLiteral("Retry in 8 s"));
    s.asOf += Millis(9'000);
    model.apply(s);
    QCOMPARE(model.index(7, RowTableModel::StateColumn).data().toString(), QStringLiteral("Retry now"));
    s.hosts[0].host = "maps.example.com";
    model.apply(s);
    QVERIFY(model.index(7, RowTableModel::WaitColumn)
                .data()
                .toString()
                .startsWith(QLatin1String("Closed until")));
}

void TestRowTableModel::toolTipIsNoMarkup()
{
    struct Hostile final : public RowSource
    {
        void setFilter(const QString &, quint64 generation) override
        {
            m_generation = generation;
            Q_EMIT counted(generation, 1);
        }
        void recount() override {}
        void requestPage(qint64 page) override
        {
            RowLine l;
            l.row = 1;
            l.url = "http://a/<img src=x>";
            Q_EMIT pageReady(m_generation, page, {l});
        }
        quint64 m_generation = 0;
    } source;
    RowTableModel model;
    model.setSource(&source); // answers at once: that must do as well
    QVERIFY(model.lineAt(0));
    QVERIFY(!model.index(0, 0).data(Qt::ToolTipRole).toString().contains(QLatin1String("<img")));
}

void TestRowTableModel::millionRowsLoadOnlyWhatIsSeen()
{
    RequestsPanel panel;
    panel.resize(900, 500);
    scenes::Rows rows(1'000'000);
    panel.setSource(&rows);
    panel.show();
    RowTableModel *model = panel.model();
    QTRY_COMPARE(model->rowCount(), 1'000'000);
    QTRY_VERIFY(model->lineAt(0));
    QScrollBar *bar = panel.table()->verticalScrollBar();
    for (int step = 1; step <= 100; ++step) // a fast scroll: most of it is never asked for
        bar->setValue(int(qint64(bar->maximum()) * step / 100));
    QTRY_VERIFY(model->lineAt(999'999));
    QVERIFY2(rows.pages.size() < 12, qPrintable(QString::number(rows.pages.size())));
    for (int page = 0; page < 150; ++page) { // a slow one: pages come and go
        model->setVisibleRows(page * 128, page * 128 + 20);
        QTRY_VERIFY(model->lineAt(page * 128));
    }
    QVERIFY(model->loadedPages() <= RowTableModel::mostPages);
    QVERIFY(!model->lineAt(0));
}

void TestRowTableModel::onlySeenStalePagesAreReadAgain()
{
    RowTableModel model;
    scenes::Rows rows(10'000);
    model.setSource(&rows);
    model.setVisibleRows(0, 20);
    QTRY_VERIFY(model.lineAt(0));
    QTRY_VERIFY(model.lineAt(128)); // the page ahead
    model.setVisibleRows(0, 20);
    QCoreApplication::processEvents();
    rows.pages.clear();
    Snapshot s = scenes::empty();
    s.rows.imported = 0;
    s.changed = {5000, 300}; // pages that are not here
    model.apply(s);
    s.changed = {130}; // here, not seen
    model.apply(s);
    QCoreApplication::processEvents();
    QCOMPARE(rows.pages, QVector<qint64>());
    rows.changedRow = 5;
    s.changed = {5};
    model.apply(s);
    QTRY_COMPARE(model.lineAt(4)->state, JobState::Skipped);
    QCOMPARE(rows.pages, QVector<qint64>{0});
    model.setVisibleRows(128, 140); // now it is seen
    QCOMPARE(rows.pages, (QVector<qint64>{0, 1}));
}

void TestRowTableModel::growsAndShrinksWithoutReset()
{
    RowTableModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    scenes::Rows rows(100);
    model.setSource(&rows);
    QTRY_VERIFY(model.lineAt(99));
    QSignalSpy reset(&model, &QAbstractItemModel::modelReset);
    QPersistentModelIndex kept = model.index(50, 0);
    rows.setRows(400);
    rows.recount();
    QTRY_COMPARE(model.rowCount(), 400);
    model.setVisibleRows(100, 120);
    QTRY_VERIFY(model.lineAt(120)); // the half page was read again
    rows.setRows(60);
    rows.recount();
    QTRY_COMPARE(model.rowCount(), 60);
    QVERIFY(kept.isValid());
    QCOMPARE(kept.row(), 50);
    QCOMPARE(reset.size(), 0);
}

void TestRowTableModel::growthAsksForOneCountAtATime()
{
    RowTableModel model;
    scenes::Rows rows(100);
    model.setSource(&rows);
    QTRY_COMPARE(model.rowCount(), 100);
    rows.counts = 0;
    Snapshot s = scenes::empty();
    for (int i = 1; i <= 20; ++i) {
        s.rows.imported = i * 100;
        model.apply(s);
    }
    QCOMPARE(rows.counts, 1);
    QSignalSpy counted(&model, &RowTableModel::counted);
    QTRY_COMPARE(counted.size(), 1);
    rows.setRows(2000);
    QTRY_COMPARE(model.rowCount(), 2000); // the last of them is not forgotten
    QCOMPARE(rows.counts, 2);
}

void TestRowTableModel::selectionFollowsItsRow()
{
    RowTableModel model;
    scenes::Rows rows(1000);
    model.setSource(&rows);
    model.setFilter(QStringLiteral("state:queued"));
    QTRY_VERIFY(model.lineAt(50));
    QItemSelectionModel selection(&model);
    selection.setCurrentIndex(model.index(50, 0),
                              QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    const qint64 row = model.lineAt(50)->row;
    rows.first += 10; // ten rows before it left the filter
    rows.setRows(990);
    rows.recount();
    QTRY_COMPARE(model.lineAt(40)->row, row);
    QCOMPARE(selection.currentIndex().row(), 40);
    QCOMPARE(selection.selectedRows().size(), 1);
}

void TestRowTableModel::lateAnswersOfAnOldFilterAreDropped()
{
    RowTableModel model;
    scenes::Rows rows(1000);
    model.setSource(&rows);
    const quint64 old = 1;
    model.setFilter(QStringLiteral("state:done"));
    Q_EMIT rows.counted(old - 1, 77);
    QCOMPARE(model.rowCount(), 0);
    Q_EMIT rows.pageReady(old - 1, 0, {scenes::line(1)});
    QVERIFY(!model.lineAt(0));
    QTRY_COMPARE(model.rowCount(), 1000);
}

void TestRowTableModel::failureIsToldAndTheNextPageStillComes()
{
    RowTableModel model;
    scenes::Rows rows(1000);
    model.setSource(&rows);
    QSignalSpy failed(&model, &RowTableModel::failed);
    model.setFilter(QStringLiteral("wrong:x"));
    QTRY_COMPARE(failed.size(), 1);
    model.setFilter(QString());
    QTRY_VERIFY(model.lineAt(0));
}

void TestRowTableModel::emptyPanelSaysWhatToDo()
{
    RequestsPanel panel;
    panel.show();
    QVERIFY(!panel.table()->isVisible());
    scenes::Rows rows(0);
    QSignalSpy settled(&panel, &RequestsPanel::settled);
    panel.setSource(&rows);
    QTRY_COMPARE(settled.size(), 1);
    QVERIFY(!panel.table()->isVisible());
    rows.setRows(5);
    rows.recount();
    QTRY_VERIFY(panel.table()->isVisible());
}

void TestRowTableModel::sourceMayGo()
{
    RowTableModel model;
    auto rows = std::make_unique<scenes::Rows>(10);
    model.setSource(rows.get());
    QTRY_COMPARE(model.rowCount(), 10);
    rows.reset();
    QCOMPARE(model.rowCount(), 0);
    model.apply(scenes::running());
}

QTEST_MAIN(TestRowTableModel)
#include "tst_rowtablemodel.moc"
