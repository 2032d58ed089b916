// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/limitergauge.h"

#include <QDir>
#include <QFile>
#include <QPainter>
#include <QTest>

#include "tests/ui/scenes.h"
#include "ui/palette/palette.h"
#include "ui/panels/limiterspanel.h"
#include "ui/style/look.h"
#include "ui/style/type.h"
#include "ui/text/format.h"

using namespace muster;

namespace {

struct Sheet
{
    const char *title;
    GaugeInput in;
    LimiterGauge::Size size;
};

GaugeInput input(const LimiterView &limiter)
{
    GaugeInput in;
    in.limiter = limiter;
    in.crawl = CrawlState::Running;
    in.asOf = utcFromMs(scenes::now);
    return in;
}

QVector<Sheet> sheets()
{
    using enum LimiterGauge::Size;
    LimiterView free = scenes::maps(10);
    free.usedPerSecond = 2.1;
    free.out = 2;
    GaugeInput draining = input(scenes::maps(4.6));
    draining.limiter.usedPerSecond = 12;
    draining.limiter.out = 6;
    draining.tokensBefore = 8.4;
    GaugeInput waiting = input(scenes::maps(0.4));
    waiting.limiter.waiting = 1988;
    waiting.limiter.binding = true;
    waiting.limiter.nextGrant = utcFromMs(scenes::now + 60);
    GaugeInput closed = input(scenes::maps(10));
    closed.limiter.binding = true;
    closed.limiter.usedPerSecond = 0;
    closed.limiter.out = 0;
    closed.host = scenes::closedHost();
    closed.closedFor = Millis(60'000);
    GaugeInput spent = input(scenes::maps(10));
    spent.limiter.quotas[0].used = 2500;
    spent.limiter.binding = true;
    spent.limiter.waiting = 18'907;
    spent.limiter.out = 0;
    spent.limiter.usedPerSecond = 0;
    GaugeInput paused = input(scenes::maps(10));
    paused.crawl = CrawlState::Paused;
    paused.crawlReason = QStringLiteral("You paused the crawl at 14:31.");
    paused.limiter.usedPerSecond = 0;
    paused.limiter.out = 0;
    GaugeInput held = closed;
    held.limiter.binding = false;
    held.host->state = HostState::Held;
    held.host->until.reset();
    held.host->reason =
        QStringLiteral("The key was refused with 401; nothing is sent until you release the host.");
    GaugeInput big = input(scenes::limiter("everything", "", 49, 64, "60/s", 60, 9.9));
    big.limiter.out = 7;
    big.limiter.atOnce = 64;
    GaugeInput places = input(LimiterView());
    places.limiter.name = "each-host";
    places.limiter.instance = "a.very.long.host.name.example.org";
    places.limiter.out = 2;
    places.limiter.atOnce = 2;
    places.limiter.waiting = 12;
    places.limiter.binding = true;
    GaugeInput compactClosed = closed;
    compactClosed.limiter = scenes::limiter("each-host", "geo.example.org", 20, 20, "20/s", 20, 0);
    GaugeInput compactDraining = input(scenes::limiter("per-proxy", "eu-1", 2.6, 6, "6/s", 6, 6.3));
    compactDraining.tokensBefore = 4.3;
    return {{"Free", input(free), Full},
            {"Draining", draining, Full},
            {"Empty, waiting (binds)", waiting, Full},
            {"Closed by Retry-After (binds)", closed, Full},
            {"Quota spent (binds)", spent, Full},
            {"Paused", paused, Full},
            {"Held", held, Full},
            {"Burst over 20", big, Full},
            {"All places taken (binds)", places, Full},
            {"Compact: closed", compactClosed, Compact},
            {"Compact: free",
             input(scenes::limiter("each-host", "maps.example.com", 14, 20, "20/s", 20, 9.9)), Compact},
            {"Compact: draining", compactDraining, Compact}};
}

QString plain(QString text)
{
    return text.replace(QChar(QChar::Nbsp), u' ');
}

} // namespace

class TestLimiterGauge : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { applyLook(*qApp, Theme::Light); }
    void words_data();
    void words();
    void rateIsShownInItsOwnUnit();
    void noRateNoTokens();
    void neverShowsATokenThatIsNotThere();
    void heightFollowsWidthAndWords();
    void cardsTellTheirGround_data();
    void cardsTellTheirGround();
    void panelOrdersAndRests();
    void panelShowsThreeBindingCardsAtMost();
    void panelSeesDraining();
    void sheet_data();
    void sheet();
};

void TestLimiterGauge::words_data()
{
    QTest::addColumn<int>("sheet");
    QTest::addColumn<QString>("name");
    QTest::newRow("free") << 0 << QStringLiteral("maps, free, 10 of 10 tokens");
    QTest::newRow("draining") << 1 << QStringLiteral("maps, draining 6 s, 4.6 of 10 tokens");
    QTest::newRow("waiting") << 2
                             << QStringLiteral("maps, waiting 0.1 s, 0.4 of 10 tokens, holds the crawl back");
    QTest::newRow("spent") << 4
                           << QStringLiteral(
                                  "maps, quota spent 18 h 0 min, 10 of 10 tokens, holds the crawl back");
    QTest::newRow("paused") << 5 << QStringLiteral("maps, paused, 10 of 10 tokens");
    QTest::newRow("held") << 6 << QStringLiteral("maps, held, 10 of 10 tokens");
    QTest::newRow("places")
        << 8
        << QStringLiteral(
               "each-host a.very.long.host.name.example.org, waiting, 2 of 2 out, holds the crawl back");
}

void TestLimiterGauge::words()
{
    QFETCH(int, sheet);
    QFETCH(QString, name);
    LimiterGauge gauge;
    gauge.set(faceOf(sheets()[sheet].in), LimiterGauge::Size::Full);
    QCOMPARE(plain(gauge.accessibleName()), name);
}

void TestLimiterGauge::rateIsShownInItsOwnUnit()
{
    GaugeInput in = input(scenes::limiter("api", "", 1, 2, "30/min", 0.5, 0.45));
    QCOMPARE(faceOf(in).rows[1].value, QStringLiteral("27.0 of 30/min"));
    in = input(scenes::limiter("api", "", 0, 1, "1/7s", 1.0 / 7, 1.0 / 7));
    in.limiter.waiting = 3;
    QCOMPARE(faceOf(in).rows[1].value, QStringLiteral("1.0 of 1/7s"));
    QVERIFY(faceOf(in).sentence.endsWith(QLatin1String("one goes out every 7 s.")));
}

void TestLimiterGauge::noRateNoTokens()
{
    const GaugeFace face = faceOf(sheets()[8].in);
    QCOMPARE(face.rows.size(), 1);
    QVERIFY(face.rows[0].guilty);
    QVERIFY(face.sentence.contains(QLatin1String("until one of its 2 places is free")));
}

void TestLimiterGauge::neverShowsATokenThatIsNotThere()
{
    QCOMPARE(format::level(0.99), QStringLiteral("0.9"));
    QCOMPARE(format::level(9.999), QStringLiteral("9.9"));
    QCOMPARE(format::level(10), QStringLiteral("10"));
    QCOMPARE(format::level(0.3 + 0.6), QStringLiteral("0.9")); // 0.8999… of the binary kind
}

void TestLimiterGauge::heightFollowsWidthAndWords()
{
    LimiterGauge gauge;
    gauge.set(faceOf(sheets()[3].in), LimiterGauge::Size::Full);
    QVERIFY(gauge.heightForWidth(220) >= gauge.heightForWidth(600) + type::scaled(gauge.font(), 14));
    gauge.set(faceOf(sheets()[10].in), LimiterGauge::Size::Compact);
    QCOMPARE(gauge.heightForWidth(288), type::scaled(gauge.font(), 48));
    gauge.set(faceOf(sheets()[9].in), LimiterGauge::Size::Compact);
    QVERIFY(gauge.heightForWidth(288) > type::scaled(gauge.font(), 48));
}

void TestLimiterGauge::cardsTellTheirGround_data()
{
    QTest::addColumn<bool>("dark");
    QTest::newRow("light") << false;
    QTest::newRow("dark") << true;
}

void TestLimiterGauge::cardsTellTheirGround()
{
    QFETCH(bool, dark);
    const Theme theme = dark ? Theme::Dark : Theme::Light;
    applyLook(*qApp, theme);
    for (const Sheet &s : sheets()) {
        LimiterGauge gauge;
        const GaugeFace face = faceOf(s.in);
        gauge.set(face, s.size);
        gauge.resize(296, gauge.heightForWidth(296));
        const QImage image = gauge.grab().toImage();
        const Role ground = face.binding ? Role::BindingGround : Role::Base;
        QCOMPARE(image.pixelColor(image.width() - 6, image.height() / 2).rgb(),
                 colourOf(ground, theme).rgb());
        if (face.binding)
            QCOMPARE(image.pixelColor(2, image.height() / 2).rgb(), colourOf(Role::WaitFill, theme).rgb());
    }
    applyLook(*qApp, Theme::Light);
}

void TestLimiterGauge::panelOrdersAndRests()
{
    LimitersPanel panel;
    Snapshot s = scenes::running();
    panel.apply(s);
    QCOMPARE(panel.cards().size(), 4);
    QVERIFY(panel.cards()[0]->face().binding);
    QCOMPARE(panel.cards()[0]->cardSize(), LimiterGauge::Size::Full);
    QCOMPARE(panel.cards()[1]->face().state, GaugeState::Closed);
    QCOMPARE(panel.cards()[1]->cardSize(), LimiterGauge::Size::Compact);
    LimiterGauge *first = panel.cards()[0];
    s.limiters[0].binding = false;
    s.limiters[0].waiting = 0;
    s.limiters[2].binding = true;
    s.limiters[2].waiting = 3;
    s.asOf += Millis(250);
    panel.apply(s);
    QCOMPARE(panel.cards()[0], first); // the order rests
    s.asOf += Millis(2000);
    panel.apply(s);
    QVERIFY(panel.cards()[0] != first);
    QCOMPARE(panel.cards()[0]->face().instance, QStringLiteral("maps.example.com"));
    s.limiters.clear();
    panel.apply(s);
    QVERIFY(panel.cards().isEmpty());
}

void TestLimiterGauge::panelShowsThreeBindingCardsAtMost()
{
    LimitersPanel panel;
    Snapshot s = scenes::empty();
    for (int i = 0; i < 7; ++i) {
        LimiterView l = scenes::limiter("each-host", QByteArray("h" + QByteArray::number(i)).constData(), 0,
                                        1, "1/s", 1, 1);
        l.binding = true;
        l.waiting = 5;
        s.limiters.append(l);
    }
    panel.apply(s);
    int shown = 0;
    for (const LimiterGauge *card : panel.cards())
        shown += card->isHidden() ? 0 : 1;
    QCOMPARE(shown, 3);
}

void TestLimiterGauge::panelSeesDraining()
{
    LimitersPanel panel;
    Snapshot s = scenes::empty();
    s.state = CrawlState::Running;
    s.limiters = {scenes::limiter("maps", "", 10, 10, "10/s", 10, 12)};
    for (int beat = 0; beat < 20; ++beat) {
        panel.apply(s);
        s.asOf += Millis(250);
        s.limiters[0].tokens = *s.limiters[0].tokens - 0.25;
    }
    QCOMPARE(panel.cards()[0]->face().state, GaugeState::Draining);
    for (int beat = 0; beat < 30; ++beat) {
        panel.apply(s);
        s.asOf += Millis(250);
    }
    QCOMPARE(panel.cards()[0]->face().state, GaugeState::Free);
}

void TestLimiterGauge::sheet_data()
{
    cardsTellTheirGround_data();
}

void TestLimiterGauge::sheet()
{
    QFETCH(bool, dark);
    applyLook(*qApp, dark ? Theme::Dark : Theme::Light);
    QWidget page;
    page.resize(1284, 640);
    int column = 0;
    int top = 18;
    int deepest = 0;
    for (const Sheet &s : sheets()) {
        auto *gauge = new LimiterGauge(&page);
        gauge->set(faceOf(s.in), s.size);
        gauge->setGeometry(20 + column * 316, top, 296, gauge->heightForWidth(296));
        QVERIFY(gauge->geometry().bottom() < page.height());
        deepest = std::max(deepest, gauge->geometry().bottom());
        if (++column == 4) {
            column = 0;
            top = deepest + 20;
        }
    }
    const QPixmap picture = page.grab();
    QVERIFY(!picture.isNull());
    if (const QByteArray dir = qgetenv("MUSTER_SHOTS"); !dir.isEmpty())
        QVERIFY(picture.save(QDir(QFile::decodeName(dir))
                                 .filePath(QStringLiteral("gauges-") +
                                           QLatin1String(QTest::currentDataTag()) + QStringLiteral(".png"))));
    applyLook(*qApp, Theme::Light);
}

QTEST_MAIN(TestLimiterGauge)
#include "tst_limitergauge.moc"
