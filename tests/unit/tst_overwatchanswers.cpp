// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest/QtTest>

#include "tests/support/testcrawl.h"
#include "tests/unit/scripts.h"

using namespace muster;
using Script = FakeFetcher::Script;

/// What the team makes of answers: retries, refusals, rules, writes.
class TestOverwatchAnswers final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void retriesAndGivesUp()
    {
        TestCrawl crawl;
        const qint64 flaky = crawl.store.add("http://a.example/flaky");
        const qint64 dead = crawl.store.add("http://a.example/dead");
        const qint64 gone = crawl.store.add("http://a.example/gone");
        crawl.fetcher.script("http://a.example/flaky",
                             {status(503), failing(FailureKind::Connect), status(200)});
        crawl.fetcher.script("http://a.example/dead", {failing(FailureKind::Stalled)});
        crawl.fetcher.script("http://a.example/gone", {status(404)});
        crawl.start();
        QVERIFY(crawl.finish());
        QCOMPARE(crawl.store.row(flaky).state, JobState::Done);
        QCOMPARE(crawl.store.row(flaky).job.tries, 3);
        QCOMPARE(crawl.store.row(dead).state, JobState::Failed);
        QCOMPARE(crawl.store.row(dead).job.tries, 4);
        QCOMPARE(crawl.store.row(dead).failure.kind, FailureKind::Stalled);
        QCOMPARE(crawl.fetcher.startsOf("http://a.example/gone"), 1);
        QCOMPARE(crawl.store.row(gone).failure.kind, FailureKind::Http4xx);
        QCOMPARE(crawl.logLines(QStringLiteral("queued again after")), 5);
        QCOMPARE(crawl.wrong(), QStringList());
    }

    void toldToWait_data()
    {
        QTest::addColumn<int>("code");
        QTest::addColumn<QByteArray>("retryAfter");
        QTest::addColumn<double>("least");
        QTest::newRow("F71 seconds") << 429 << QByteArray("7") << 7.0;
        QTest::newRow("F71 zero") << 429 << QByteArray("0") << 1.0;
        QTest::newRow("F71 two") << 429 << QByteArray("5, 60") << 60.0;
        QTest::newRow("F72") << 429 << QByteArray() << 30.0;
        QTest::newRow("RA-03 broken") << 429 << QByteArray("soon") << 30.0;
        QTest::newRow("503") << 503 << QByteArray("9") << 9.0;
    }
    void toldToWait()
    {
        QFETCH(int, code);
        QFETCH(QByteArray, retryAfter);
        QFETCH(double, least);
        TestCrawl crawl;
        crawl.store.add("http://a.example/x");
        crawl.store.add("http://b.example/", 3);
        crawl.fetcher.script("http://a.example/x", {status(code, retryAfter), status(200)});
        crawl.start();
        QVERIFY(crawl.finish());
        const auto at = crawl.fetcher.startsAt("a.example");
        QCOMPARE(at.size(), 2);
        const double waited = crawl.seconds(at[1]) - crawl.seconds(at[0]);
        QVERIFY2(waited >= least && waited < least + 1, qPrintable(QString::number(waited)));
        QCOMPARE(crawl.store.row(1).job.tries, 1); // told to wait used none
        QCOMPARE(crawl.store.row(1).job.refusals, 1);
        QCOMPARE(crawl.wrong(), QStringList());
    }

    /// RT-05: a 429 is `rate_limited`, a 503 is tried again, a 500 gives up, a 404 at once.
    void caseRT05()
    {
        TestCrawl crawl;
        for (const char *path : {"a", "b", "c", "d"})
            crawl.store.add(QByteArray("http://") + path + ".example/");
        crawl.fetcher.script("http://a.example/", {status(429), status(429), status(429), status(200)});
        crawl.fetcher.script("http://b.example/", {status(503), status(503), status(503), status(200)});
        crawl.fetcher.script("http://c.example/", {status(500)});
        crawl.fetcher.script("http://d.example/", {status(404)});
        crawl.start();
        QVERIFY(crawl.finish());
        QCOMPARE(crawl.store.row(1).state, JobState::Done);
        QCOMPARE(crawl.store.row(1).attempts.first().failure.kind, FailureKind::RateLimited);
        QCOMPARE(crawl.store.row(1).job.tries, 1);
        const auto at = crawl.fetcher.startsAt("a.example");
        QVERIFY(at[1] - at[0] >= Millis(30'000) && at[2] - at[1] >= Millis(60'000) &&
                at[3] - at[2] >= Millis(120'000));
        QCOMPARE(crawl.store.row(2).state, JobState::Done);
        QCOMPARE(crawl.store.row(2).job.tries, 4);
        QCOMPARE(crawl.store.row(3).failure.kind, FailureKind::Http5xx);
        QCOMPARE(crawl.fetcher.startsOf("http://c.example/"), 4);
        QCOMPARE(crawl.fetcher.startsOf("http://d.example/"), 1);
        QCOMPARE(crawl.wrong(), QStringList());
    }

    /// RT-06: a limit message inside a 200.
    void caseRT06()
    {
        TestCrawl crawl;
        crawl.rules = std::make_shared<FakeRules>();
        crawl.store.add("http://a.example/x");
        Script limited;
        limited.body = "rate limit exceeded";
        crawl.fetcher.script("http://a.example/x", {limited, limited, status(200)});
        crawl.start();
        QVERIFY(crawl.finish());
        const auto &row = crawl.store.row(1);
        QCOMPARE(row.state, JobState::Done);
        QCOMPARE(row.attempts.size(), 3);
        QCOMPARE(row.attempts[1].failure.kind, FailureKind::RateLimited);
        QVERIFY(!row.attempts[1].counted);
        QCOMPARE(row.result->refined.fields, QByteArray("{\"n\":1}"));
        const auto at = crawl.fetcher.startsAt("a.example");
        QVERIFY(at[1] - at[0] >= Millis(30'000) && at[2] - at[1] >= Millis(60'000));
        QCOMPARE(crawl.wrong(), QStringList());
    }

    void refiningFails()
    {
        TestCrawl crawl;
        crawl.rules = std::make_shared<FakeRules>();
        crawl.store.add("http://a.example/rule");
        crawl.store.add("http://a.example/missing");
        crawl.store.add("http://a.example/404");
        Script rule, missing, lost = status(404);
        rule.body = "captcha";
        missing.body = "nothing";
        crawl.fetcher.script("http://a.example/rule", {rule});
        crawl.fetcher.script("http://a.example/missing", {missing});
        crawl.fetcher.script("http://a.example/404", {lost});
        crawl.start();
        QVERIFY(crawl.finish());
        QCOMPARE(crawl.store.row(1).failure.kind, FailureKind::ErrorRule);
        QCOMPARE(crawl.store.row(1).attempts.size(), 2); // once more
        QCOMPARE(crawl.store.row(2).failure.kind, FailureKind::Refine);
        QCOMPARE(crawl.store.row(2).attempts.size(), 1);
        QVERIFY(crawl.store.row(2).result.has_value());
        QCOMPARE(crawl.store.row(3).failure.kind, FailureKind::Http4xx);
        QCOMPARE(crawl.refiner.submitted, 4);
        QCOMPARE(crawl.wrong(), QStringList());
    }

    /// RA-06: the whole host is closed, and it reopens slowly.
    void caseRA06()
    {
        TestCrawl crawl;
        crawl.limiter(QStringLiteral("each"), QStringLiteral("host")).atOnce = 50;
        crawl.store.add("http://a.example/", 550);
        crawl.store.add("http://b.example/", 500);
        for (int i = 0; i < 50; ++i)
            crawl.fetcher.script("http://a.example/" + QByteArray::number(i),
                                 {status(429, "10"), status(200)});
        crawl.start();
        crawl.runFor(Millis(5000));
        QCOMPARE(crawl.fetcher.startsAt("b.example").size(), 500);
        const Snapshot held = crawl.team->snapshot();
        QCOMPARE(held.hosts.first().host, QByteArray("a.example"));
        QCOMPARE(held.hosts.first().state, HostState::Closed);
        QVERIFY(held.hosts.first().until.has_value());
        QVERIFY(held.reason.contains(QStringLiteral("told us to wait")));
        QVERIFY(crawl.finish());
        const auto at = crawl.fetcher.startsAt("a.example");
        const Mono lastOfBurst = at[49];
        QVERIFY(at[50] - lastOfBurst >= Millis(10'000));
        QVERIFY(at[51] - at[50] >= Millis(20)); // one job first, the next when it has landed
        for (int i = 51; i < 80; ++i)
            QVERIFY2(at[i + 1] >= at[i], "in order");
        int atOnce = 0;
        for (const Mono when : at.mid(51))
            atOnce += when == at[51] ? 1 : 0;
        QCOMPARE(atOnce, 2);
        QCOMPARE(crawl.store.count(JobState::Done), 1050);
        QCOMPARE(crawl.wrong(), QStringList());
    }

    void closedHostsSurviveTheRun()
    {
        TestCrawl crawl;
        crawl.store.add("http://a.example/", 3);
        crawl.store.add("http://b.example/x");
        crawl.store.closed["a.example"] = crawl.clock.now().utc + Millis(90'000);
        crawl.store.closed["old.example"] = crawl.clock.now().utc - Millis(90'000);
        crawl.start();
        QVERIFY(crawl.finish());
        QVERIFY(crawl.seconds(crawl.fetcher.startsAt("a.example").first()) >= 90);
        QVERIFY(crawl.seconds(crawl.fetcher.startsAt("b.example").first()) < 1);
        QCOMPARE(crawl.store.count(JobState::Done), 4);
    }

    /// A row that is always refused ends by itself and takes no other row with it.
    void alwaysRefused_data()
    {
        QTest::addColumn<int>("others");
        QTest::newRow("among many") << 300;
        QTest::newRow("among few") << 3;
    }
    void alwaysRefused()
    {
        QFETCH(int, others);
        TestCrawl crawl;
        crawl.limiter(QStringLiteral("each"), QStringLiteral("host")).atOnce = 2;
        crawl.store.add("http://a.example/never");
        crawl.store.add("http://a.example/", others);
        crawl.fetcher.script("http://a.example/never", {status(429, "1")});
        crawl.start();
        QVERIFY(crawl.finish(std::chrono::hours(100)));
        QCOMPARE(crawl.store.row(1).state, JobState::Failed);
        QCOMPARE(crawl.store.row(1).failure.kind, FailureKind::RateLimited);
        QVERIFY(crawl.store.row(1).job.refusals >= 10);
        QCOMPARE(crawl.store.count(JobState::Done), others);
        QCOMPARE(crawl.wrong(), QStringList());
    }

    /// A refusal that comes in when its closing is long over closes nothing.
    void aVeryLateRefusal()
    {
        TestCrawl crawl;
        crawl.store.add("http://a.example/", 2);
        Script late = status(429);
        late.delay = Millis(20'000);
        crawl.fetcher.script("http://a.example/0", {late, status(200)});
        crawl.fetcher.script("http://a.example/1", {status(429, "1"), status(200)});
        crawl.start();
        QVERIFY(crawl.finish(Millis(25'000)));
        QCOMPARE(crawl.store.count(JobState::Done), 2);
        QCOMPARE(crawl.wrong(), QStringList());
    }

    void manyClosedHosts()
    {
        TestCrawl crawl;
        for (int i = 0; i < 300; ++i)
            crawl.store.closed[QByteArray::number(i)] = crawl.clock.now().utc + Millis(60'000);
        crawl.store.add("http://a.example/x");
        Overwatch idle({crawl.clock, crawl.store, crawl.fetcher, crawl.refiner}, crawl.orders(),
                       crawl.store.ledger(), 1);
        QCOMPARE(idle.snapshot().state, CrawlState::Idle);
        crawl.start();
        QSignalSpy ends(crawl.team.get(), &Overwatch::finished);
        crawl.runFor(Millis(10));
        QCOMPARE(crawl.team->snapshot().hosts.size(), 200);
        QVERIFY(crawl.finish());
        QCOMPARE(ends.first().first().value<CrawlEnd>().why, CrawlEnd::Why::Dismissed);
    }

    void writesAreNotRepeated_data()
    {
        QTest::addColumn<bool>("idempotent");
        QTest::addColumn<Script>("script");
        QTest::addColumn<int>("sent");
        QTest::addColumn<FailureKind>("kind");
        Script unsent = failing(FailureKind::Connect);
        unsent.sendsNothing();
        QTest::newRow("RT-02 F03") << false << failing(FailureKind::ClosedEarly) << 1
                                   << FailureKind::ClosedEarly;
        QTest::newRow("no first byte")
            << false << failing(FailureKind::FirstByteTimeout) << 1 << FailureKind::ClosedEarly;
        QTest::newRow("answered 500") << false << status(500) << 1 << FailureKind::Http5xx;
        QTest::newRow("idempotent") << true << failing(FailureKind::ClosedEarly) << 4
                                    << FailureKind::ClosedEarly;
        QTest::newRow("never reached it") << false << unsent << 4 << FailureKind::Connect;
    }
    void writesAreNotRepeated()
    {
        QFETCH(bool, idempotent);
        QFETCH(Script, script);
        QFETCH(int, sent);
        QFETCH(FailureKind, kind);
        TestCrawl crawl;
        crawl.settings.request.method = QStringLiteral("POST");
        crawl.settings.request.idempotent = idempotent;
        crawl.store.add("http://a.example/x");
        crawl.fetcher.script("http://a.example/x", {script});
        crawl.start();
        QVERIFY(crawl.finish());
        QCOMPARE(crawl.fetcher.starts().size(), sent);
        QCOMPARE(crawl.store.row(1).failure.kind, kind);
        QCOMPARE(crawl.wrong(), QStringList());
    }

    /// What the transport sends twice pays twice.
    void resendsPay()
    {
        TestCrawl crawl;
        LimiterSettings &all = crawl.limiter(QStringLiteral("all"));
        all.rate = QStringLiteral("1/s");
        crawl.store.add("http://a.example/", 2);
        Script twice;
        twice.sends = 2;
        crawl.fetcher.script("http://a.example/0", {twice});
        crawl.start();
        QVERIFY(crawl.finish());
        const auto at = crawl.fetcher.startsAt("a.example");
        QVERIFY(at[1] - at[0] >= Millis(1960));
        QCOMPARE(crawl.store.row(1).attempts.first().sends, 2);
    }
};

QTEST_GUILESS_MAIN(TestOverwatchAnswers)
#include "tst_overwatchanswers.moc"
