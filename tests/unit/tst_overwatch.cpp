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

    void stopsWithGrace()
    {
        TestCrawl crawl;
        crawl.limiter(QStringLiteral("all")).atOnce = 2;
        Script slow = status(200);
        slow.delay = Millis(60'000);
        crawl.store.add("http://a.example/", 10);
        crawl.fetcher.script("http://a.example/0", {slow});
        crawl.start();
        crawl.runFor(Millis(300));
        crawl.team->stop(Millis(1000));
        QVERIFY(crawl.finish(Millis(1200)));
        QCOMPARE(crawl.end->why, CrawlEnd::Why::Stopped);
        QCOMPARE(crawl.store.count(JobState::Queued), 1);
        QCOMPARE(crawl.store.row(1).job.tries, 0);
        QCOMPARE(crawl.wrong(), QStringList());
    }
};

QTEST_GUILESS_MAIN(TestOverwatch)
#include "tst_overwatch.moc"
