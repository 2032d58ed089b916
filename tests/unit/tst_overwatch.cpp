// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest/QtTest>

#include "tests/support/testcrawl.h"
#include "tests/unit/scripts.h"

using namespace muster;
using Script = FakeFetcher::Script;

/// The life of a crawl: start, pause, stop, dismissal, its bounds and its orders.
class TestOverwatch final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void goesFromListToDone()
    {
        TestCrawl crawl;
        crawl.store.add("http://a.example/", 50);
        crawl.start();
        QVERIFY(crawl.finish());
        QCOMPARE(crawl.end->why, CrawlEnd::Why::Dismissed);
        QVERIFY(crawl.team->isDismissed());
        QCOMPARE(crawl.store.count(JobState::Done), 50);
        QCOMPARE(crawl.fetcher.starts().size(), 50);
        QCOMPARE(crawl.wrong(), QStringList());
    }

    void endsAtOnceWithNothingToDo()
    {
        TestCrawl crawl;
        crawl.start();
        QVERIFY(crawl.finish(Millis(100)));
        QCOMPARE(crawl.end->why, CrawlEnd::Why::Dismissed);
    }

    void stopsWithGrace_data()
    {
        QTest::addColumn<QString>("method");
        QTest::addColumn<int>("sentAfter");
        QTest::addColumn<JobState>("state");
        QTest::newRow("F99 headers") << QStringLiteral("GET") << 1 << JobState::Queued;
        QTest::newRow("F99 connecting") << QStringLiteral("GET") << 90'000 << JobState::Queued;
        QTest::newRow("POST sent") << QStringLiteral("POST") << 1 << JobState::Failed;
        QTest::newRow("POST not sent") << QStringLiteral("POST") << 90'000 << JobState::Queued;
    }
    void stopsWithGrace()
    {
        QFETCH(QString, method);
        QFETCH(int, sentAfter);
        QFETCH(JobState, state);
        TestCrawl crawl;
        crawl.settings.request.method = method;
        LimiterSettings &all = crawl.limiter(QStringLiteral("all"));
        all.rate = QStringLiteral("1/h");
        all.start = QStringLiteral("full");
        Script slow;
        slow.delay = Millis(60'000);
        slow.sentAfter = Millis(sentAfter);
        crawl.store.add("http://a.example/", 10); // one flies, the others wait for a token
        crawl.fetcher.script("http://a.example/0", {slow});
        crawl.start();
        crawl.runFor(Millis(300));
        QCOMPARE(crawl.team->snapshot().inFlight, 1);
        crawl.team->stop(Millis(1000));
        QVERIFY(crawl.finish(Millis(1200)));
        QCOMPARE(crawl.end->why, CrawlEnd::Why::Stopped);
        QCOMPARE(crawl.store.row(1).state, state);
        QCOMPARE(crawl.store.count(JobState::Queued), state == JobState::Queued ? 10 : 9);
        if (state == JobState::Queued)
            QCOMPARE(crawl.store.row(1).job.tries, 0);
        else
            QCOMPARE(crawl.store.row(1).failure.detail, QByteArray("send_uncertain"));
        const double tokens = crawl.team->snapshot().limiters.first().tokens.value();
        QVERIFY2(sentAfter > 1 ? tokens >= 1 : tokens < 0.1, "a token returns only if nothing was sent");
        QCOMPARE(crawl.wrong(), QStringList());
    }

    /// F99 in every other moment: nothing drawn yet, in the line, refining, storing; by stop and by delete.
    void leavesNothingBehind_data()
    {
        QTest::addColumn<int>("afterMs");
        QTest::addColumn<bool>("stop");
        for (const bool stop : {true, false})
            for (const int ms : {0, 1, 2, 3, 5, 10, 22, 23, 24, 25, 60, 73, 74, 75, 76, 300})
                QTest::addRow("F99 %s after %d ms", stop ? "stop" : "delete", ms) << ms << stop;
    }
    void leavesNothingBehind()
    {
        QFETCH(int, afterMs);
        QFETCH(bool, stop);
        TestCrawl crawl;
        crawl.limiter(QStringLiteral("all")).atOnce = 3;
        crawl.store.add("http://a.example/", 40);
        crawl.store.latency = Millis(2);
        crawl.rules = std::make_shared<FakeRules>();
        crawl.start();
        crawl.runFor(Millis(afterMs));
        if (stop) {
            crawl.team->stop(Millis(5));
            QVERIFY(crawl.finish(Millis(2000)));
            QCOMPARE(crawl.end->why, CrawlEnd::Why::Stopped);
            QCOMPARE(crawl.wrong(), QStringList());
            QCOMPARE(crawl.store.count(JobState::Done) + crawl.store.count(JobState::Queued), 40);
        } else {
            crawl.team.reset();
            crawl.runFor(Millis(1000));
            QCOMPARE(crawl.fetcher.inFlight(), 0);
            QCOMPARE(crawl.clock.armedFor(), monoNever);
        }
    }

    void pauseLetsFlightsLand()
    {
        TestCrawl crawl;
        crawl.limiter(QStringLiteral("all")).atOnce = 2;
        crawl.store.add("http://a.example/", 20);
        crawl.start();
        crawl.runFor(Millis(50));
        crawl.team->pause();
        crawl.team->pause();
        crawl.runFor(Millis(1000));
        const auto sent = crawl.fetcher.starts().size();
        QCOMPARE(crawl.team->snapshot().state, CrawlState::Paused);
        QCOMPARE(crawl.team->snapshot().inFlight, 0);
        crawl.runFor(Millis(60'000));
        QCOMPARE(crawl.fetcher.starts().size(), sent);
        crawl.team->resume();
        crawl.team->resume();
        QVERIFY(crawl.finish());
        QCOMPARE(crawl.store.count(JobState::Done), 20);
        QVERIFY(crawl.store.row(20).attempts.first().waits[WaitReason::Held] > 60'000);
        QCOMPARE(crawl.wrong(), QStringList());
    }

    void dismissedFiresOnceMore()
    {
        TestCrawl crawl;
        LimiterSettings &all = crawl.limiter(QStringLiteral("all"));
        all.rate = QStringLiteral("10/s");
        crawl.settings.team.drawAhead = 20;
        crawl.store.add("http://a.example/", 50);
        crawl.fetcher.fallback = failing(FailureKind::Connect);
        crawl.start();
        crawl.runFor(Millis(250));
        crawl.team->dismiss();
        crawl.team->dismiss();
        QVERIFY(crawl.finish());
        QCOMPARE(crawl.end->why, CrawlEnd::Why::Dismissed);
        QVERIFY(crawl.store.count(JobState::Failed) > 0);
        QVERIFY(crawl.store.count(JobState::Queued) > 20);
        for (const auto &[number, row] : crawl.store.rows())
            QVERIFY(row.attempts.size() <= 2);
        QVERIFY(crawl.logLines(QStringLiteral("the team is dismissed")) > 0);
        QCOMPARE(crawl.wrong(), QStringList());
    }

    void limitStopsByItself()
    {
        TestCrawl crawl;
        crawl.store.add("http://a.example/", 20);
        Script moved = status(302);
        moved.redirectTo = "http://b.example/there";
        crawl.fetcher.scriptHost("a.example", moved);
        crawl.start();
        crawl.team->setLimit(5);
        QVERIFY(crawl.finish());
        QCOMPARE(crawl.end->why, CrawlEnd::Why::Stopped);
        QCOMPARE(crawl.store.count(JobState::Done), 5);
        QCOMPARE(crawl.store.count(JobState::Queued), 15);
        QCOMPARE(crawl.wrong(), QStringList());
    }

    void cap()
    {
        TestCrawl crawl;
        crawl.settings.team.memberCap = 7;
        crawl.store.add("http://a.example/", 100);
        crawl.store.latency = Millis(5);
        crawl.start();
        int most = 0;
        while (!crawl.end) {
            crawl.runFor(Millis(1));
            most = std::max(most, crawl.fetcher.inFlight());
        }
        QCOMPARE(most, 7);
        for (const int size : crawl.store.batchSizes)
            QVERIFY(size <= 7);
        QCOMPARE(crawl.store.count(JobState::Done), 100);
        QCOMPARE(crawl.wrong(), QStringList());
    }

    void liveOrders()
    {
        TestCrawl crawl;
        LimiterSettings &all = crawl.limiter(QStringLiteral("all"));
        all.rate = QStringLiteral("1/h");
        crawl.store.add("http://a.example/", 20);
        crawl.start();
        crawl.runFor(Millis(10'000));
        QCOMPARE(crawl.fetcher.starts().size(), 0);
        QCOMPARE(crawl.team->snapshot().limiters.first().waiting, 20);
        QVERIFY(crawl.team->snapshot().limiters.first().binding);
        QVERIFY(crawl.team->snapshot().limiters.first().nextGrant.has_value());
        QVERIFY(crawl.team->snapshot().reason.contains(QStringLiteral("limiter all")));
        crawl.settings.limiters[0].rate = QStringLiteral("10/s");
        crawl.team->setOrders(crawl.orders());
        crawl.runFor(Millis(1050));
        QVERIFY(crawl.fetcher.starts().size() >= 9 && crawl.fetcher.starts().size() <= 11);
        crawl.settings.limiters.clear();
        crawl.team->setOrders(crawl.orders());
        QVERIFY(crawl.finish(Millis(1000)));
        QCOMPARE(crawl.wrong(), QStringList());
    }

    void newRowsWhileItRuns()
    {
        TestCrawl crawl;
        QVector<qint64> served;
        crawl.store.add("http://a.example/", 5);
        crawl.fetcher.fallback.delay = Millis(5000);
        crawl.start();
        crawl.team->setServicing([&](const Retired &r, qint64) { served.append(r.job.row); });
        crawl.runFor(Millis(1000));
        crawl.store.add("http://b.example/", 5);
        crawl.team->storeChanged(crawl.store.ledger());
        QVERIFY(crawl.finish());
        QCOMPARE(crawl.store.count(JobState::Done), 10);
        QCOMPARE(served.size(), 10);
    }

    void refusesTheImpossible()
    {
        TestCrawl crawl;
        LimiterSettings &all = crawl.limiter(QStringLiteral("all"));
        all.rate = QStringLiteral("100/s");
        all.costColumn = QStringLiteral("weight");
        crawl.store.add("http://a.example/impossible");
        crawl.store.add("http://a.example/weighty");
        crawl.store.add("http://a.example/plain");
        crawl.store.setColumns(2, {"weight"}, {"7"});
        crawl.store.setColumns(3, {"weight"}, {"1"});
        crawl.start();
        QVERIFY(crawl.finish());
        QCOMPARE(crawl.store.row(1).state, JobState::Refused);
        QCOMPARE(crawl.store.row(1).failure.note, QStringLiteral("column `q` is empty"));
        QCOMPARE(crawl.store.row(2).state, JobState::Refused);
        QVERIFY(crawl.store.row(2).failure.note.contains(QStringLiteral("limiter all")));
        QCOMPARE(crawl.store.row(3).state, JobState::Done);
        QCOMPARE(crawl.wrong(), QStringList());
    }

    void plansFollowTheSettings()
    {
        TestCrawl crawl;
        crawl.settings.request.read = QStringLiteral("headers");
        crawl.settings.request.userAgent = QStringLiteral("mine");
        crawl.settings.request.totalTimeout = 1.5;
        crawl.settings.limiters = {};
        crawl.limiter(QStringLiteral("all")).atOnce = 5;
        crawl.store.add("http://a.example/", 5);
        crawl.fetcher.script("http://a.example/1", {status(500, "70"), status(200)});
        crawl.start();
        QCOMPARE(crawl.team->snapshot().state, CrawlState::Running);
        crawl.team->start(); // it runs already
        QVERIFY(crawl.finish());
        const FlightPlan &plan = crawl.fetcher.starts().first().plan;
        QCOMPARE(plan.readAtMost, 0);
        QCOMPARE(plan.userAgent, QByteArray("mine"));
        QCOMPARE(plan.totalTimeout, Millis(1500));
        QCOMPARE(plan.lanes, 5);
        // Never before a Retry-After, also where it closes nobody.
        QVERIFY(crawl.fetcher.starts().last().at - crawl.startedAt >= Millis(70'000));
        QCOMPARE(crawl.team->snapshot().state, CrawlState::Finished);
    }

    /// Nothing moves: no timer fires.
    void idleSleeps()
    {
        TestCrawl crawl;
        LimiterSettings &all = crawl.limiter(QStringLiteral("all"));
        all.rate = QStringLiteral("1/h");
        crawl.store.add("http://a.example/", 5);
        crawl.start();
        crawl.runFor(Millis(1000));
        const int wakeUps = crawl.clock.wakeUps();
        crawl.runFor(std::chrono::minutes(58));
        QCOMPARE(crawl.clock.wakeUps(), wakeUps);
        QVERIFY(crawl.finish());
    }
};

QTEST_GUILESS_MAIN(TestOverwatch)
#include "tst_overwatch.moc"
