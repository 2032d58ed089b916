// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest/QtTest>

#include "tests/support/testcrawl.h"
#include "tests/unit/scripts.h"

using namespace muster;
using Script = FakeFetcher::Script;

/// Redirects and fallbacks: hops of the same try.
class TestOverwatchHops final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
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

    void aDroppedBodyTakesItsTypeAlong()
    {
        TestCrawl crawl;
        crawl.settings.request.method = QStringLiteral("POST");
        crawl.store.add("http://a.example/x");
        Script kept = status(307), dropped = status(303);
        kept.redirectTo = "http://a.example/y";
        dropped.redirectTo = "http://a.example/z";
        crawl.fetcher.script("http://a.example/x", {kept});
        crawl.fetcher.script("http://a.example/y", {dropped});
        crawl.start();
        QVERIFY(crawl.finish());
        const auto &sent = crawl.fetcher.starts();
        QCOMPARE(sent.size(), 3);
        QCOMPARE(sent[1].plan.request.headers.size(), 2);
        QCOMPARE(sent[2].plan.request.method, QByteArray("GET"));
        QCOMPARE(sent[2].plan.request.headers.size(), 1);
        QCOMPARE(sent[2].plan.request.headers[0].name, QByteArray("X-Key"));
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

QTEST_GUILESS_MAIN(TestOverwatchHops)
#include "tst_overwatchhops.moc"
