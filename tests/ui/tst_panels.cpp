// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractItemModelTester>
#include <QAction>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>

#include "tests/ui/scenes.h"
#include "ui/icons/icons.h"
#include "ui/models/failuremodel.h"
#include "ui/models/filterdelegate.h"
#include "ui/palette/palette.h"
#include "ui/panels/failurespanel.h"
#include "ui/panels/footer.h"
#include "ui/panels/livepanel.h"
#include "ui/panels/statefilterpanel.h"
#include "ui/style/look.h"
#include "ui/text/format.h"
#include "ui/text/words.h"
#include "ui/widgets/ledgerbar.h"
#include "ui/widgets/series.h"
#include "ui/widgets/sparkline.h"

using namespace muster;

// The small parts of the window, each alone.
class TestPanels : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { applyLook(*qApp, Theme::Light); }
    void everyEnumHasWordGlyphAndColour();
    void numbersAndTimes();
    void iconsAreRecoloured();
    void ledgerLineAddsUp();
    void footerTellsStateAndReason();
    void seriesKeepsAnHourThinned();
    void liveFollowsTheBindingLimiter();
    void failuresKeepTheSelectedGroup();
    void failuresLeadToTheirRows();
    void selectorsOfGroups();
    void filtersShowCountsAndOnlyWhatThereIs();
};

void TestPanels::everyEnumHasWordGlyphAndColour()
{
    const auto check = [](const Wording &w) {
        QVERIFY(!w.word.isEmpty());
        QVERIFY2(QFile::exists(QStringLiteral(":/icons/%1.svg").arg(w.glyph)), qPrintable(w.glyph));
    };
    QSet<QString> seen;
    for (const JobState state : allJobStates) {
        check(words::of(state));
        seen.insert(words::of(state).glyph + words::of(state).word);
    }
    QCOMPARE(seen.size(), int(jobStateCount));
    check(words::waitingToRetry());
    for (int i = 0; i <= int(CrawlState::Finished); ++i)
        check(words::of(CrawlState(i)));
    for (int i = 0; i <= int(GaugeState::Parked); ++i)
        check(words::of(GaugeState(i)));
    for (int i = 0; i <= int(HostState::Parked); ++i)
        check(words::of(HostState(i)));
    QSet<QString> phrases;
    for (std::size_t i = 0; i < failureKindCount; ++i) {
        phrases.insert(words::of(FailureKind(i)));
        QVERIFY(words::meaning(FailureKind(i)).endsWith(u'.'));
    }
    QCOMPARE(phrases.size(), int(failureKindCount));
    for (std::size_t i = 0; i < waitReasonCount; ++i)
        QVERIFY(!words::of(WaitReason(i)).isEmpty());
}

void TestPanels::numbersAndTimes()
{
    const auto plain = [](QString text) { return text.replace(QChar(QChar::Nbsp), u' '); };
    QCOMPARE(format::count(40'000), QStringLiteral("40,000"));
    QCOMPARE(format::shortCount(999), QStringLiteral("999"));
    QCOMPARE(format::shortCount(8'000), QStringLiteral("8k"));
    QCOMPARE(format::shortCount(2'500), QStringLiteral("2.5k"));
    QCOMPARE(format::shortCount(28'000), QStringLiteral("28k"));
    QCOMPARE(format::shortCount(1'200'000), QStringLiteral("1.2M"));
    QCOMPARE(format::rate(0.05), QStringLiteral("0.050"));
    QCOMPARE(format::rate(123.4), QStringLiteral("123"));
    QCOMPARE(plain(format::percent(0.032)), QStringLiteral("3.2 %"));
    QCOMPARE(plain(format::took(80)), QStringLiteral("80 ms"));
    QCOMPARE(plain(format::took(12'440)), QStringLiteral("12.4 s"));
    QCOMPARE(plain(format::took(185'000)), QStringLiteral("3 min 5 s"));
    QCOMPARE(plain(format::countdown(Millis(60))), QStringLiteral("0.1 s"));
    QCOMPARE(plain(format::countdown(Millis(-5))), QStringLiteral("0.0 s"));
    QCOMPARE(format::countdown(Millis(41'001)), QStringLiteral("0:42"));
    QCOMPARE(format::countdown(Millis(3'599'000)), QStringLiteral("59:59"));
    QCOMPARE(plain(format::countdown(Millis(66'420'000))), QStringLiteral("18 h 27 min"));
    QCOMPARE(plain(format::secondsLeft(Millis(7'100))), QStringLiteral("8 s"));
    QCOMPARE(format::secondsLeft(Millis(9'500)), QStringLiteral("0:10"));
    QCOMPARE(format::secondsLeft(Millis(41'001)), QStringLiteral("0:42"));
}

void TestPanels::iconsAreRecoloured()
{
    const QColor colour = colourOf(Role::BadWord, Theme::Light);
    const QImage image = icons::pixmap(QStringLiteral("stop"), colour, 32, 2).toImage();
    QCOMPARE(image.size(), QSize(64, 64));
    int painted = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) {
            const QColor at = image.pixelColor(x, y);
            if (at.alpha() < 255)
                continue;
            ++painted;
            QCOMPARE(at.rgb(), colour.rgb());
        }
    QVERIFY(painted > 50);
    QVERIFY(!icons::icon(QStringLiteral("start")).pixmap(16, 16).isNull());
    QTest::ignoreMessage(QtWarningMsg, "no such icon: nothing");
    QVERIFY(!icons::pixmap(QStringLiteral("nothing"), colour, 8, 1).isNull());
}

void TestPanels::ledgerLineAddsUp()
{
    LedgerBar bar;
    QCOMPARE(bar.line(), QStringLiteral("no rows yet"));
    bar.set(scenes::running().rows);
    QCOMPARE(bar.line(),
             QStringLiteral("40,000 = 14,702 done + 486 failed + 251 duplicate + 31 refused + 7 in flight "
                            "+ 24,523 queued"));
    bar.resize(900, 34);
    const QImage wide = bar.grab().toImage();
    bar.resize(300, 34);
    const QImage narrow = bar.grab().toImage();
    QCOMPARE(wide.pixelColor(100, 9).rgb(), colourOf(Role::OkFill, Theme::Light).rgb());
    QCOMPARE(narrow.pixelColor(290, 9).rgb(), colourOf(Role::Track, Theme::Light).rgb());
}

void TestPanels::footerTellsStateAndReason()
{
    Footer footer;
    Snapshot s = scenes::running();
    s.state = CrawlState::Paused;
    s.reason = QStringLiteral("You paused the crawl.");
    footer.apply(s);
    const auto has = [&footer](const QString &text) {
        for (const QWidget *w : footer.findChildren<QWidget *>())
            if (w->accessibleName().contains(text))
                return true;
        return false;
    };
    QVERIFY(has(s.reason));
    QVERIFY(has(QStringLiteral("Requests 9.9")));
    QVERIFY(has(QStringLiteral("Tokens, maps 0.4")));
    s.resumesAt = utcFromMs(scenes::now + 60'000);
    footer.apply(s);
    QVERIFY(has(QStringLiteral("goes on ") + format::clock(*s.resumesAt)));
}

void TestPanels::seriesKeepsAnHourThinned()
{
    Series series;
    const Utc start = utcFromMs(scenes::now);
    for (int i = 0; i < 4 * 4000; ++i) // four a second: the last of a second counts
        series.add(start + Millis(i * 250), i);
    QVERIFY(series.size() <= 3601);
    const Utc end = start + Millis((4 * 4000 - 1) * 250);
    const auto hour = series.since(end - Series::kept, 300);
    QVERIFY(hour.size() <= 300);
    QCOMPARE(hour.last().value, 4 * 4000 - 1.0);
    QCOMPARE(series.since(end - Millis(60'000), 300).size(), 61); // both ends
    series.add(start, 5);                                         // the clock was set back
    QCOMPARE(series.size(), 1);
    QVERIFY(Series().since(start, 10).isEmpty());
}

void TestPanels::liveFollowsTheBindingLimiter()
{
    LivePanel panel;
    panel.resize(300, 240);
    Snapshot s = scenes::running();
    const auto named = [&panel](const QString &text) {
        for (const Sparkline *line : panel.findChildren<Sparkline *>())
            if (line->accessibleName() == text)
                return true;
        return false;
    };
    panel.apply(s);
    QVERIFY(named(QStringLiteral("Queue depth 24,523")));
    QVERIFY(named(QStringLiteral("Tokens, maps 0.4")));
    s.limiters[0].binding = false;
    s.limiters[2].binding = true;
    s.asOf += Millis(1000);
    panel.apply(s);
    QVERIFY(named(QStringLiteral("Tokens, each-host maps.example.com 14")));
    panel.setSpan(Millis(3'600'000));
    QVERIFY(!panel.grab().isNull());
}

void TestPanels::failuresKeepTheSelectedGroup()
{
    FailureModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    auto groups = scenes::running().failures;
    model.set(groups);
    QPersistentModelIndex third = model.index(2, 0);
    groups[2].count = 500; // it overtakes
    std::swap(groups[0], groups[2]);
    model.set(groups);
    QCOMPARE(third.row(), 0);
    QCOMPARE(model.index(0, FailureModel::RowsColumn).data().toString(), QStringLiteral("500"));
    QSignalSpy layout(&model, &QAbstractItemModel::layoutChanged);
    groups[0].count = 501;
    model.set(groups);
    groups.removeLast();
    model.set(groups);
    groups.append({FailureKind::Proxy, "eu-2", 407, 1});
    model.set(groups);
    QCOMPARE(layout.size(), 0); // counts alone move nothing
    QCOMPARE(model.rowCount(), 8);
    model.set({});
    QVERIFY(!third.isValid());
}

void TestPanels::failuresLeadToTheirRows()
{
    FailuresPanel panel;
    panel.apply(scenes::running());
    QSignalSpy wanted(&panel, &FailuresPanel::showRowsWanted);
    panel.table()->selectRow(1);
    for (auto *button : panel.findChildren<QPushButton *>())
        if (button->text().contains(QLatin1String("rows")))
            button->click();
    QCOMPARE(wanted.size(), 1);
    QCOMPARE(wanted[0][0].toString(),
             QStringLiteral("state:failed kind:http_5xx host:geo.example.org code:503"));
}

void TestPanels::selectorsOfGroups()
{
    QCOMPARE(selectorOf({FailureKind::Dns, "", 0, 3}), QStringLiteral("state:failed kind:dns"));
    QCOMPARE(selectorOf({FailureKind::Tls, "a.example", 0, 3}),
             QStringLiteral("state:failed kind:tls host:a.example"));
}

void TestPanels::filtersShowCountsAndOnlyWhatThereIs()
{
    StateFilterPanel panel;
    const auto text = [&panel] {
        QStringList all;
        for (int row = 0; row < panel.model()->rowCount(); ++row) {
            const QModelIndex index = panel.model()->index(row, 0);
            all.append(index.data().toString() + u' ' + index.data(FilterDelegate::CountRole).toString());
        }
        return all;
    };
    QCOMPARE(text(), (QStringList{QStringLiteral("State "), QStringLiteral("All 0"),
                                  QStringLiteral("Queued 0"), QStringLiteral("In flight 0"),
                                  QStringLiteral("Done 0"), QStringLiteral("Failed 0")}));
    panel.apply(scenes::running());
    QVERIFY(text().contains(QStringLiteral("Waiting to retry 96")));
    QVERIFY(text().contains(QStringLiteral("Error rule 212")));
    QVERIFY(text().contains(QStringLiteral("4 more kinds 41")));
    QVERIFY(text().contains(QStringLiteral("geo.example.org 3,116")));
    QVERIFY(!text().contains(QStringLiteral("Skipped 0")));
    QSignalSpy chosen(&panel, &StateFilterPanel::chosen);
    panel.showFilter(QStringLiteral("state:done"));
    QCOMPARE(chosen.size(), 0); // the program's choice is not a person's
    QCOMPARE(panel.currentIndex().data().toString(), QStringLiteral("Done"));
    QTest::keyClick(&panel, Qt::Key_Down);
    QCOMPARE(chosen.size(), 1);
    QCOMPARE(chosen[0][0].toString(), QStringLiteral("state:failed"));
    panel.apply(scenes::empty());
    QCOMPARE(panel.currentIndex().data().toString(), QStringLiteral("Failed"));
}

QTEST_MAIN(TestPanels)
#include "tst_panels.moc"
