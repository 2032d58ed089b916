// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest/QtTest>

#include "tests/support/testcrawl.h"

using namespace muster;
using Script = FakeFetcher::Script;

namespace {

Script status(int code, const QByteArray &retryAfter = {})
{
    Script script;
    script.status = code;
    script.retryAfter = retryAfter;
    return script;
}

Script failing(FailureKind kind, const QByteArray &detail = {})
{
    Script script;
    script.failure = {kind, detail, 0, {}};
    return script;
}

/// Rules by words in the body: a limit message, an error page, a missing field.
class FakeRules final : public RuleSet
{
public:
    std::optional<Failure> failing(const Answer &answer) const override
    {
        if (answer.body.contains("rate limit"))
            return Failure{FailureKind::RateLimited, "rule 1", 0, {}};
        if (answer.body.contains("captcha"))
            return Failure{FailureKind::ErrorRule, "rule 2", 0, {}};
        return std::nullopt;
    }
    tl::expected<Refined, Failure> refine(const Answer &answer) const override
    {
        if (answer.body.contains("nothing"))
            return tl::unexpected(Failure{FailureKind::Refine, "missing", 0, {}});
        return Refined{"{\"n\":1}", {}};
    }
    bool isEmpty() const override { return false; }
};

} // namespace

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

    /// RD-01: hops pay at the host where they go.
    void caseRD01()
    {
        TestCrawl crawl;
        LimiterSettings &a = crawl.limiter(QStringLiteral("a"));
        a.match = QStringLiteral("a.example");
        a.rate = QStringLiteral("2/s");
        LimiterSettings &b = crawl.limiter(QStringLiteral("b"));
        b.match = QStringLiteral("b.example");
        b.rate = QStringLiteral("1/3s");
        for (int i = 0; i < 20; ++i) {
            const QByteArray n = QByteArray::number(i);
            crawl.store.add("http://a.example/" + n);
            Script first = status(302), second = status(302);
            first.redirectTo = "http://a.example/step" + n;
            second.redirectTo = "http://b.example/" + n;
            crawl.fetcher.script("http://a.example/" + n, {first});
            crawl.fetcher.script("http://a.example/step" + n, {second});
        }
        crawl.start();
        QVERIFY(crawl.finish());
        QCOMPARE(crawl.store.count(JobState::Done), 20);
        const auto checkPace = [&](const QByteArray &host, Millis gap) {
            const auto at = crawl.fetcher.startsAt(host);
            for (int i = 1; i < at.size(); ++i)
                QVERIFY(at[i] - at[i - 1] >= gap - Millis(20));
        };
        checkPace("a.example", Millis(500));
        checkPace("b.example", Millis(3000));
        QCOMPARE(crawl.fetcher.startsAt("a.example").size(), 40);
        const auto &row = crawl.store.row(1);
        QCOMPARE(row.attempts.first().hops.size(), 2);
        QCOMPARE(row.attempts.first().hops[1], std::pair(302, QByteArray("http://a.example/step0")));
        QCOMPARE(row.result->firstCode, 302);
        QCOMPARE(row.result->redirects, 2);
        QCOMPARE(row.result->finalUrl, QByteArray("http://b.example/0"));
        QCOMPARE(row.job.tries, 1);
        QCOMPARE(crawl.wrong(), QStringList());
    }

    void redirectsEnd_data()
    {
        QTest::addColumn<int>("kind");
        QTest::addColumn<QByteArray>("detail");
        QTest::newRow("F40 self loop") << 0 << QByteArray("loop");
        QTest::newRow("F41 endless") << 1 << QByteArray("too_many");
    }
    void redirectsEnd()
    {
        QFETCH(int, kind);
        QFETCH(QByteArray, detail);
        TestCrawl crawl;
        crawl.store.add("http://a.example/0");
        for (int i = 0; i < 20; ++i) {
            Script on = status(302);
            on.redirectTo = "http://a.example/" + QByteArray::number(kind == 0 ? 0 : i + 1);
            crawl.fetcher.script("http://a.example/" + QByteArray::number(i), {on});
        }
        crawl.start();
        QVERIFY(crawl.finish());
        QCOMPARE(crawl.store.row(1).failure.kind, FailureKind::Redirect);
        QCOMPARE(crawl.store.row(1).failure.detail, detail);
        QCOMPARE(crawl.fetcher.starts().size(), kind == 0 ? 1 : 11);
        QCOMPARE(crawl.wrong(), QStringList());
    }

    /// F44: credentials go when the origin changes, and do not come back on the way home.
    void dropsCredentials()
    {
        TestCrawl crawl;
        crawl.store.add("http://a.example/x");
        Script same = status(302), away = status(307), home = status(302);
        same.redirectTo = "http://a.example/y";
        away.redirectTo = "http://other.example/z";
        home.redirectTo = "http://a.example/home";
        crawl.fetcher.script("http://a.example/x", {same});
        crawl.fetcher.script("http://a.example/y", {away});
        crawl.fetcher.script("http://other.example/z", {home});
        crawl.start();
        QVERIFY(crawl.finish());
        const auto &sent = crawl.fetcher.starts();
        QCOMPARE(sent.size(), 4);
        QVERIFY(sent[1].plan.withCredentials && !sent[1].plan.request.headers.isEmpty());
        for (int i : {2, 3})
            QVERIFY(!sent[i].plan.withCredentials && sent[i].plan.request.headers.isEmpty());
        QVERIFY(!sent[0].plan.received && sent[1].plan.received);
        QVERIFY(sent[1].plan.privateAllowed && !sent[2].plan.privateAllowed);
        QCOMPARE(crawl.wrong(), QStringList());
    }

    void privatePolicy_data()
    {
        QTest::addColumn<QString>("allow");
        QTest::addColumn<bool>("isListed");
        QTest::addColumn<bool>("allowed");
        QTest::newRow("listed, is") << QStringLiteral("listed") << true << true;
        QTest::newRow("listed, is not") << QStringLiteral("listed") << false << false;
        QTest::newRow("never") << QStringLiteral("never") << true << false;
        QTest::newRow("always") << QStringLiteral("always") << false << true;
    }
    void privatePolicy()
    {
        QFETCH(QString, allow);
        QFETCH(bool, isListed);
        QFETCH(bool, allowed);
        TestCrawl crawl;
        crawl.settings.request.allowPrivate = allow;
        if (isListed)
            crawl.store.listed.insert("other.example");
        crawl.store.add("http://a.example/x");
        Script away = status(302);
        away.redirectTo = "http://other.example/z";
        crawl.fetcher.script("http://a.example/x", {away});
        crawl.start();
        QVERIFY(crawl.finish());
        QCOMPARE(crawl.fetcher.starts()[1].plan.privateAllowed, allowed);
    }

    void fallsBackOnce()
    {
        TestCrawl crawl;
        crawl.settings.request.method = QStringLiteral("HEAD");
        crawl.settings.request.fallback = FallbackSettings{{403, 405}, QStringLiteral("GET")};
        crawl.store.add("http://a.example/x");
        crawl.store.add("http://a.example/y");
        crawl.fetcher.script("http://a.example/x", {status(405), status(200)});
        crawl.fetcher.script("http://a.example/y", {status(403)});
        crawl.start();
        QVERIFY(crawl.finish());
        QCOMPARE(crawl.store.row(1).state, JobState::Done);
        QCOMPARE(crawl.store.row(1).job.tries, 1);
        QCOMPARE(crawl.store.row(1).result->redirects, 0);
        QCOMPARE(crawl.store.row(2).state, JobState::Failed);
        QCOMPARE(crawl.fetcher.startsOf("http://a.example/y"), 2);
        QCOMPARE(crawl.fetcher.starts().last().method, QByteArray("GET"));
        QCOMPARE(crawl.wrong(), QStringList());
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

    /// A crowd of hops: the jobs of the host that sent them are passed over, the others are not.
    void crowdOfHops()
    {
        TestCrawl crawl;
        LimiterSettings &to = crawl.limiter(QStringLiteral("target"));
        to.match = QStringLiteral("slow.example");
        to.rate = QStringLiteral("1/s");
        Script moved = status(302);
        for (int i = 0; i < 400; ++i) {
            moved.redirectTo = "http://slow.example/" + QByteArray::number(i);
            crawl.store.add("http://a.example/" + QByteArray::number(i));
            crawl.fetcher.script("http://a.example/" + QByteArray::number(i), {moved});
        }
        crawl.limiter(QStringLiteral("a")).match = QStringLiteral("a.example");
        crawl.settings.limiters.last().atOnce = 10;
        crawl.store.add("http://b.example/", 200);
        crawl.start();
        crawl.runFor(Millis(20'000));
        QCOMPARE(crawl.fetcher.startsAt("b.example").size(), 200);
        const auto sent = crawl.fetcher.startsAt("a.example").size();
        QVERIFY2(sent >= 100 && sent <= 140, qPrintable(QString::number(sent)));
        QVERIFY(crawl.finish());
        QCOMPARE(crawl.store.count(JobState::Done), 600);
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

    /// A hop that would wait at a closed host goes back to the store.
    void hopAtAClosedHost()
    {
        TestCrawl crawl;
        crawl.limiter(QStringLiteral("b")).match = QStringLiteral("b.example");
        crawl.settings.limiters.last().rate = QStringLiteral("1/s");
        Script moved = status(302);
        for (int i = 0; i < 5; ++i) {
            moved.redirectTo = "http://b.example/" + QByteArray::number(i);
            crawl.store.add("http://a.example/" + QByteArray::number(i));
            crawl.fetcher.script("http://a.example/" + QByteArray::number(i), {moved});
        }
        crawl.fetcher.script("http://b.example/0", {status(429, "20"), status(200)});
        crawl.start();
        QVERIFY(crawl.finish());
        QCOMPARE(crawl.store.count(JobState::Done), 5);
        const auto at = crawl.fetcher.startsAt("b.example");
        QVERIFY(at[1] - at[0] >= Millis(20'000));
        QCOMPARE(crawl.wrong(), QStringList());
    }
};

QTEST_GUILESS_MAIN(TestOverwatch)
#include "tst_overwatch.moc"
