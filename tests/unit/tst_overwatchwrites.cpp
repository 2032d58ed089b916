// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <QtTest/QtTest>

#include "tests/support/testcrawl.h"

using namespace muster;

/// A POST or PUT leaves only when that is on disk, and what merely waits is not counted as sent.
class TestOverwatchWrites final : public QObject
{
    Q_OBJECT

    /// One POST whose last commit before the send has just been asked for, or is about to be.
    static void prepare(TestCrawl &crawl)
    {
        crawl.settings.request.method = QStringLiteral("POST");
        crawl.store.latency = Millis(20);
        crawl.store.add("http://a.example/");
        crawl.start();
    }
    static bool runUntilArms(TestCrawl &crawl, int arms)
    {
        for (int ms = 0; ms < 1000 && crawl.store.arms < arms; ++ms)
            crawl.runFor(Millis(1));
        return crawl.store.arms == arms;
    }

private Q_SLOTS:
    void isNotedBeforeItLeaves()
    {
        TestCrawl crawl;
        prepare(crawl);
        QVERIFY(runUntilArms(crawl, 2));
        QVERIFY(crawl.fetcher.starts().isEmpty());
        QVERIFY(crawl.finish());
        QCOMPARE(crawl.fetcher.starts().size(), 1);
        QCOMPARE(crawl.store.count(JobState::Done), 1);
        QCOMPARE(crawl.wrong(), QStringList());
    }

    void waitsWhereItCannotBeNoted()
    {
        TestCrawl crawl;
        prepare(crawl);
        QVERIFY(runUntilArms(crawl, 1));
        crawl.store.failArm = {{StoreError::Kind::Busy, QStringLiteral("locked")}};
        QVERIFY(crawl.finish());
        QCOMPARE(crawl.fetcher.starts().size(), 1); // once, after it could be noted
        QCOMPARE(crawl.store.count(JobState::Done), 1);
        QVERIFY(crawl.logLines(QStringLiteral("locked")) > 0);
        QCOMPARE(crawl.wrong(), QStringList());
    }

    void isNotSentWhereTheCrawlStopsMeanwhile()
    {
        TestCrawl crawl;
        prepare(crawl);
        QVERIFY(runUntilArms(crawl, 2));
        crawl.team->stop(Millis::zero());
        QVERIFY(crawl.finish(Millis(2000)));
        QVERIFY(crawl.fetcher.starts().isEmpty());
        QCOMPARE(crawl.store.row(1).state, JobState::Queued);
        QCOMPARE(crawl.store.row(1).job.tries, 0);
        QCOMPARE(crawl.wrong(), QStringList());
    }

    void whatWaitsForItsPermitIsShownAsQueued()
    {
        TestCrawl crawl;
        crawl.limiter(QStringLiteral("all")).rate = QStringLiteral("1/h");
        crawl.store.add("http://a.example/", 5);
        crawl.start();
        crawl.runFor(Millis(500));
        QVERIFY(crawl.store.count(JobState::InFlight) > 0); // armed ahead
        const Snapshot shown = crawl.team->snapshot();
        QCOMPARE(shown.rows[JobState::InFlight], 0);
        QCOMPARE(shown.rows[JobState::Queued], 5);
        QVERIFY(shown.rows.balanced());
    }

    void givesBackWhatIsNotArmed()
    {
        TestCrawl crawl;
        crawl.limiter(QStringLiteral("all")).rate = QStringLiteral("10/s");
        crawl.store.add("http://a.example/", 40);
        crawl.start();
        crawl.runFor(Millis(300));
        const auto out = [&crawl] {
            return std::count_if(crawl.store.rows().begin(), crawl.store.rows().end(), [](const auto &r) {
                return r.second.isOut && r.second.state == JobState::Queued;
            });
        };
        QVERIFY(out() > 10);
        crawl.team->recall();
        QCOMPARE(out(), 0);
        QVERIFY(crawl.finish());
        QCOMPARE(crawl.store.count(JobState::Done), 40);
        QCOMPARE(crawl.wrong(), QStringList());
    }
};

QTEST_GUILESS_MAIN(TestOverwatchWrites)
#include "tst_overwatchwrites.moc"
