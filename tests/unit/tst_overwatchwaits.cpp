// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest/QtTest>

#include "tests/support/testcrawl.h"
#include "tests/unit/scripts.h"

using namespace muster;
using Script = FakeFetcher::Script;

/// Where time goes: waits by reason, shares of limiters, a store that is busy, full or gone.
class TestOverwatchWaits final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    /// All time of a member, from draw to record, has a reason.
    void waitsAddUp()
    {
        TestCrawl crawl;
        LimiterSettings &all = crawl.limiter(QStringLiteral("all"));
        all.rate = QStringLiteral("7/s");
        crawl.limiter(QStringLiteral("host"), QStringLiteral("host")).atOnce = 1;
        crawl.rules = std::make_shared<FakeRules>();
        Script moved = status(301), refused = status(429, "2");
        moved.redirectTo = "http://b.example/there";
        crawl.store.add("http://a.example/", 30);
        crawl.fetcher.script("http://a.example/3", {moved});
        crawl.fetcher.script("http://a.example/9", {refused, status(200)});
        crawl.fetcher.script("http://a.example/11", {failing(FailureKind::Connect), status(200)});
        crawl.start();
        QHash<qint64, qint64> drawn;
        const Moment begin = crawl.clock.now();
        QVERIFY(crawl.finish());
        Waits sum;
        for (const auto &[number, row] : crawl.store.rows())
            for (const AttemptRecord &attempt : row.attempts)
                sum += attempt.waits;
        const auto of = [&](WaitReason r) { return sum[r]; };
        QVERIFY(of(WaitReason::Bucket) > 0 && of(WaitReason::HostClosed) > 0);
        QVERIFY(of(WaitReason::FirstByte) > 0 && of(WaitReason::Connect) > 0);
        QVERIFY(of(WaitReason::Refine) > 0 && of(WaitReason::Record) > 0);
        // A row that never failed was drawn at the start: its time is the wall time up to its record.
        const auto &last = crawl.store.row(30);
        qint64 total = 0;
        for (const qint64 ms : last.job.waits.ms)
            total += ms;
        const qint64 ended =
            toMs(last.attempts.first().timings.startedAt) + last.attempts.first().timings.totalMs;
        QVERIFY(std::abs(total - (ended - toMs(begin.utc))) < 60);
        QCOMPARE(crawl.team->snapshot().waits, sum);
    }

    /// RL-10 and item 7 of the route: slow hosts ahead do not hold up a quick one.
    void caseRL10_data()
    {
        QTest::addColumn<int>("slowHosts");
        QTest::newRow("RL-10") << 0;
        QTest::newRow("twenty slow hosts") << 20;
    }
    void caseRL10()
    {
        QFETCH(int, slowHosts);
        const auto crawlFor = [&](bool alone) {
            TestCrawl crawl;
            LimiterSettings &slow = crawl.limiter(QStringLiteral("slow"), QStringLiteral("host"));
            slow.match = QStringLiteral("slow*");
            slow.rate = QStringLiteral("1/s");
            slow.atOnce = 2;
            crawl.limiter(QStringLiteral("quick"), QStringLiteral("host")).atOnce = 20;
            crawl.settings.team.memberCap = 100;
            if (!alone) {
                crawl.store.add("http://slow.example/", slowHosts == 0 ? 10'000 : 500);
                for (int host = 0; host < slowHosts; ++host)
                    crawl.store.add("http://slow" + QByteArray::number(host) + ".example/", 500);
            }
            crawl.store.add("http://quick.example/", 500);
            crawl.start();
            crawl.runFor(Millis(10'000));
            const auto at = crawl.fetcher.startsAt("quick.example");
            return at.size() == 500 ? crawl.seconds(at.last()) : 1e9;
        };
        const double alone = crawlFor(true);
        const double among = crawlFor(false);
        qInfo("alone %.3f s, among slow hosts %.3f s", alone, among);
        QVERIFY(among <= alone * 1.1);
    }

    /// CC-01: never one more than allowed, while a second list comes in.
    void caseCC01_data()
    {
        QTest::addColumn<int>("limit");
        QTest::newRow("CC-01 one") << 1;
        QTest::newRow("CC-01 six") << 6;
    }
    void caseCC01()
    {
        QFETCH(int, limit);
        TestCrawl crawl;
        crawl.limiter(QStringLiteral("all")).atOnce = limit;
        crawl.store.add("http://a.example/", 250);
        crawl.fetcher.fallback.delay = Millis(7);
        crawl.start();
        for (int i = 0; i < 250; ++i) {
            crawl.store.add("http://b.example/" + QByteArray::number(i));
            crawl.team->storeChanged(crawl.store.ledger());
            crawl.runFor(Millis(2));
        }
        QVERIFY(crawl.finish());
        QCOMPARE(crawl.fetcher.mostOpen(), limit);
        QCOMPARE(crawl.store.count(JobState::Done), 500);
        QCOMPARE(crawl.wrong(), QStringList());
    }

    /// QU-04: what is stopped while it waits has cost nothing.
    void caseQU04()
    {
        TestCrawl crawl;
        LimiterSettings &all = crawl.limiter(QStringLiteral("all"));
        all.rate = QStringLiteral("10/d");
        all.burst = 10;
        all.start = QStringLiteral("full");
        all.atOnce = 1;
        crawl.store.add("http://a.example/", 20);
        crawl.fetcher.fallback.delay = Millis(1000);
        crawl.start();
        crawl.runFor(Millis(4500));
        crawl.team->stop();
        QVERIFY(crawl.finish());
        QCOMPARE(crawl.store.count(JobState::Done), 5);
        QVERIFY(crawl.team->snapshot().limiters.first().tokens.value() >= 5);
        QCOMPARE(crawl.wrong(), QStringList());
    }

    /// A slow limiter refuses once and then holds for many snapshots: it is marked in each of them, in none
    /// while something else is what holds the crawl.
    void bindsAsLongAsItHolds()
    {
        TestCrawl crawl;
        crawl.limiter(QStringLiteral("slow")).rate = QStringLiteral("1/4s");
        crawl.limiter(QStringLiteral("idle")).rate = QStringLiteral("100/s");
        crawl.store.add("http://a.example/", 20);
        crawl.fetcher.fallback.delay = Millis(1500); // it lands, and is told, while nobody is refused anew
        crawl.start();
        crawl.runFor(Millis(30'000));
        int told = 0;
        for (const Snapshot &s : crawl.snapshots)
            for (const LimiterView &view : s.limiters) {
                told += view.name == "slow" && view.waiting > 0;
                QCOMPARE(view.binding, view.name == "slow" && view.waiting > 0);
            }
        QVERIFY2(told >= 10, qPrintable(QString::number(told)));
        crawl.team->pause();
        QVERIFY(!crawl.team->snapshot().limiters.first().binding);
        crawl.team->resume();
        QVERIFY(crawl.team->snapshot().limiters.first().binding);
    }

    void theCapIsNoLimiter()
    {
        TestCrawl crawl;
        crawl.settings.team.memberCap = 2;
        crawl.limiter(QStringLiteral("api")).rate = QStringLiteral("10/s");
        crawl.store.add("http://a.example/", 20);
        crawl.fetcher.fallback.delay = Millis(60'000);
        crawl.start();
        crawl.runFor(Millis(5'000));
        QCOMPARE(crawl.team->snapshot().inFlight, 2);
        QVERIFY(!crawl.team->snapshot().limiters.first().binding);
    }

    void theOneThatRefusesMostBinds()
    {
        TestCrawl crawl;
        crawl.limiter(QStringLiteral("all")).rate = QStringLiteral("20/s");
        LimiterSettings &slow = crawl.limiter(QStringLiteral("slow"));
        slow.match = QStringLiteral("a.example");
        slow.rate = QStringLiteral("1/5s");
        for (int host = 0; host < 10; ++host)
            crawl.store.add("http://" + QByteArray(1, char('a' + host)) + ".example/", 200);
        crawl.start();
        crawl.runFor(Millis(20'000));
        const Snapshot last = crawl.snapshots.last();
        QCOMPARE(last.limiters.first().name, QByteArray("all"));
        QVERIFY(last.limiters.first().binding);
        QVERIFY(last.limiters[1].waiting > 0 && !last.limiters[1].binding);
    }

    /// The store is busy or full: the team waits, says so and goes on.
    void storeTrouble_data()
    {
        QTest::addColumn<int>("where");
        QTest::newRow("closed hosts") << 0;
        QTest::newRow("draw") << 1;
        QTest::newRow("arm") << 2;
        QTest::newRow("retire") << 3;
        QTest::newRow("listed") << 4;
    }
    void storeTrouble()
    {
        QFETCH(int, where);
        TestCrawl crawl;
        QVector<StoreError> *const fail[] = {&crawl.store.failClosed, &crawl.store.failDraw,
                                             &crawl.store.failArm, &crawl.store.failRetire,
                                             &crawl.store.failListed};
        const StoreError full{StoreError::Kind::Full, QStringLiteral("the disk is full")};
        *fail[where] = {full, full, full};
        crawl.store.add("http://a.example/", 5);
        Script away = status(302);
        away.redirectTo = "http://other.example/z";
        crawl.fetcher.script("http://a.example/0", {away});
        crawl.start();
        crawl.runFor(Millis(1500));
        QVERIFY(crawl.team->snapshot().reason.contains(QStringLiteral("the disk is full")) || where == 4);
        QVERIFY(crawl.finish());
        QCOMPARE(crawl.store.count(JobState::Done), 5);
        QVERIFY(crawl.logLines(QStringLiteral("the disk is full")) >= 1);
        QVERIFY(crawl.store.draws < 100 && crawl.store.arms < 100 && crawl.store.retires < 100);
        QCOMPARE(crawl.wrong(), QStringList());
    }

    void storeGone()
    {
        TestCrawl crawl;
        crawl.store.add("http://a.example/", 500);
        crawl.settings.team.memberCap = 20;
        crawl.start();
        crawl.runFor(Millis(30));
        crawl.store.failRetire = {{StoreError::Kind::Gone, QStringLiteral("the file was removed")}};
        QVERIFY(crawl.finish(Millis(2000)));
        QCOMPARE(crawl.end->why, CrawlEnd::Why::StoreGone);
        QCOMPARE(crawl.end->message, QStringLiteral("the file was removed"));
        crawl.runFor(Millis(1000));
        QCOMPARE(crawl.fetcher.inFlight(), 0);
        crawl.team->stop();
        crawl.team->resume();
    }
};

QTEST_GUILESS_MAIN(TestOverwatchWaits)
#include "tst_overwatchwaits.moc"
