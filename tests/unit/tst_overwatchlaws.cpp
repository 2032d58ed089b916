// SPDX-License-Identifier: GPL-3.0-or-later
#include <ctime>
#include <QtTest/QtTest>
#include <random>

#include "tests/support/testcrawl.h"

using namespace muster;
using Script = FakeFetcher::Script;

/// The laws of retries (reliability 4), and random crawls with every kind of answer, stops and changes among
/// them: whatever happens, the post-conditions hold.
class TestOverwatchLaws final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    /// RT1 in the running team: a retry comes at its time, and at most 1 s later when there is room.
    void lawRT1()
    {
        TestCrawl crawl(testSeed());
        int checked = 0;
        for (int i = 0; i < 40; ++i) {
            const QByteArray url = "http://h" + QByteArray::number(i) + ".example/";
            crawl.store.add(url);
            Script bad;
            bad.failure = {FailureKind::ConnectTimeout, {}, 0, {}};
            crawl.fetcher.script(url, {bad});
        }
        crawl.start();
        QHash<qint64, Utc> due;
        while (!crawl.end) {
            crawl.runFor(Millis(5));
            for (const auto &[number, row] : crawl.store.rows()) {
                if (row.isOut || row.state != JobState::Queued)
                    continue;
                if (row.job.notBefore > crawl.clock.now().utc)
                    due[number] = row.job.notBefore;
            }
            for (const auto &[number, row] : crawl.store.rows())
                if (row.state == JobState::InFlight && due.contains(number)) {
                    const Utc at = row.armedAt.last();
                    QVERIFY(at >= due[number] && at <= due[number] + Millis(1000));
                    due.remove(number);
                    ++checked;
                }
        }
        qInfo("retries checked: %d", checked);
        QVERIFY(checked >= 80);
        for (const auto &[number, row] : crawl.store.rows())
            QCOMPARE(row.attempts.size(), 4); // RT2
        QCOMPARE(crawl.wrong(), QStringList());
    }

    /// RT3 in the running team: a host that only fails is not stormed by retries; nothing is failed early.
    void lawRT3()
    {
        TestCrawl crawl(testSeed());
        crawl.limiter(QStringLiteral("all")).rate = QStringLiteral("20/s");
        crawl.store.add("http://a.example/", 1000);
        Script bad;
        bad.status = 503;
        crawl.fetcher.scriptHost("a.example", bad);
        crawl.start();
        crawl.runFor(std::chrono::seconds(60));
        const auto &starts = crawl.fetcher.starts();
        QSet<QByteArray> seen;
        int retries = 0;
        for (const auto &start : starts) {
            retries += seen.contains(start.url) ? 1 : 0;
            seen.insert(start.url);
        }
        const auto firsts = static_cast<double>(seen.size());
        qInfo("first tries %.0f, retries %d", firsts, retries);
        QVERIFY(retries <= 10 + 0.2 * firsts + 7);
        QVERIFY(retries >= 20);
        crawl.fetcher.scriptHost("a.example", {}); // healthy again: the budget is free
        QVERIFY(crawl.finish());
        QCOMPARE(crawl.store.count(JobState::Done) + crawl.store.count(JobState::Failed), 1000);
        QVERIFY(crawl.store.count(JobState::Done) >= 990);
        QCOMPARE(crawl.wrong(), QStringList());
    }

    /// RT4: 1,000 jobs that fail in the same 10 ms are spread evenly.
    void lawRT4()
    {
        TestCrawl crawl(testSeed());
        crawl.store.add("http://a.example/", 1000);
        Script bad;
        bad.failure = {FailureKind::Connect, "refused", 0, {}};
        crawl.fetcher.scriptHost("a.example", bad);
        crawl.start();
        QHash<qint64, Utc> due;
        for (int i = 0; i < 1300; ++i) {
            crawl.runFor(Millis(1));
            for (const auto &[number, row] : crawl.store.rows())
                if (row.attempts.size() == 1 && !row.isOut && !due.contains(number))
                    due[number] = row.job.notBefore;
        }
        QVERIFY(due.size() >= 990); // a delay of next to nothing may be over before we look
        std::map<qint64, int> slots;
        for (const Utc at : due)
            ++slots[toMs(at) / 100];
        int most = 0;
        for (const auto &[slot, count] : slots)
            most = std::max(most, count);
        qInfo("slots %d, fullest %d", static_cast<int>(slots.size()), most);
        QVERIFY(slots.size() >= 9);
        QVERIFY(most <= 300);
    }

    /// RT5: a retry's time survives a restart; a wall clock set by hand never loses it.
    void lawRT5_data()
    {
        QTest::addColumn<int>("years");
        QTest::newRow("restart alone") << 0;
        QTest::newRow("ten years on") << 10;
        QTest::newRow("ten years back") << -10;
    }
    void lawRT5()
    {
        QFETCH(int, years);
        TestCrawl crawl(testSeed());
        crawl.settings.retry.jitter = QStringLiteral("none");
        crawl.settings.retry.base = 30;
        crawl.store.add("http://a.example/x");
        Script bad;
        bad.failure = {FailureKind::Connect, {}, 0, {}};
        crawl.fetcher.script("http://a.example/x", {bad, Script()});
        crawl.start();
        crawl.runFor(Millis(500));
        QCOMPARE(crawl.store.row(1).attempts.size(), 1);
        const Mono begun = crawl.clock.now().mono;
        if (years == 0)
            crawl.start(); // a new team on the same store
        else
            crawl.clock.setUtc(crawl.clock.now().utc + std::chrono::hours(years * 365 * 24));
        QVERIFY(crawl.finish(std::chrono::seconds(70)));
        QCOMPARE(crawl.store.row(1).state, JobState::Done);
        if (years <= 0)
            QVERIFY(crawl.fetcher.starts().last().at - begun >= std::chrono::seconds(29));
        QCOMPARE(crawl.wrong(), QStringList());
    }

    void randomCrawls()
    {
        std::mt19937 random(testSeed());
        const auto chance = [&random](unsigned oneIn) { return random() % oneIn == 0; };
        int stopped = 0, ended = 0, changed = 0, paused = 0, troubles = 0;
        for (int round = 0; round < 150; ++round) {
            TestCrawl crawl(static_cast<quint32>(random()));
            crawl.settings.team.memberCap = 1 + static_cast<int>(random() % 40);
            crawl.settings.team.drawAhead = 1 + static_cast<int>(random() % 60);
            LimiterSettings &all = crawl.limiter(QStringLiteral("all"));
            all.atOnce = 1 + static_cast<int>(random() % 20);
            all.rate = QStringLiteral("%1/s").arg(5 + random() % 100);
            crawl.limiter(QStringLiteral("host"), QStringLiteral("host")).atOnce = 1 + random() % 4;
            crawl.settings.request.method = chance(5) ? QStringLiteral("POST") : QStringLiteral("GET");
            for (int i = 0; i < 60; ++i) {
                const QByteArray host = "http://h" + QByteArray::number(static_cast<int>(random() % 6));
                const QByteArray url = host + ".example/" + QByteArray::number(i);
                crawl.store.add(url);
                QVector<Script> scripts;
                for (int n = 0; n < 3; ++n)
                    scripts << randomScript(random);
                scripts << Script();
                crawl.fetcher.script(url, scripts);
            }
            crawl.start();
            bool stopping = false;
            for (int step = 0; step < 20 && !crawl.end; ++step) {
                crawl.runFor(Millis(random() % 400));
                if (chance(6)) {
                    crawl.settings.limiters[0].atOnce = 1 + static_cast<int>(random() % 20);
                    crawl.settings.limiters[0].rate = QStringLiteral("%1/s").arg(5 + random() % 100);
                    crawl.team->setOrders(crawl.orders());
                    ++changed;
                }
                if (chance(10)) {
                    crawl.team->pause();
                    crawl.runFor(Millis(random() % 300));
                    crawl.team->resume();
                    ++paused;
                }
                if (chance(10)) {
                    const StoreError busy{StoreError::Kind::Busy, QStringLiteral("busy")};
                    (chance(2) ? crawl.store.failArm : crawl.store.failRetire).append(busy);
                    ++troubles;
                }
                QVERIFY(crawl.fetcher.inFlight() <= crawl.settings.team.memberCap);
            }
            if (!crawl.end && chance(2)) {
                stopping = true;
                ++stopped;
                crawl.team->stop(Millis(random() % 200));
            }
            QVERIFY2(crawl.finish(std::chrono::hours(200)), "it did not end by itself");
            ended += stopping ? 0 : 1;
            QCOMPARE(crawl.wrong(), QStringList());
            if (!stopping)
                QCOMPARE(crawl.store.count(JobState::Queued), 0);
        }
        qInfo("stopped %d, ended %d, changed %d, paused %d, troubles %d", stopped, ended, changed, paused,
              troubles);
        QVERIFY(stopped > 20 && ended > 40 && changed > 150 && paused > 80 && troubles > 80);
    }

    /// What the team itself costs, with 5,000 hosts and five limiters; printed, not judged: machines differ.
    void load()
    {
        TestCrawl crawl;
        crawl.fetcher.keepsStarts = false;
        crawl.limiter(QStringLiteral("all")).atOnce = 500;
        crawl.limiter(QStringLiteral("host"), QStringLiteral("host")).rate = QStringLiteral("1/s");
        crawl.limiter(QStringLiteral("host2"), QStringLiteral("host")).atOnce = 2;
        crawl.limiter(QStringLiteral("all2")).rate = QStringLiteral("10000/s");
        crawl.settings.limiters.last().burst = 100;
        crawl.limiter(QStringLiteral("some")).match = QStringLiteral("h1*.example/*");
        for (int i = 0; i < 8000; ++i)
            crawl.store.add("http://h" + QByteArray::number(i % 5000) + ".example/" + QByteArray::number(i));
        const std::clock_t begun = std::clock();
        crawl.start();
        QVERIFY(crawl.finish());
        const double us = 1e6 * static_cast<double>(std::clock() - begun) / CLOCKS_PER_SEC / 8000;
        qInfo("CPU for each job, fakes included: %.1f us (simulated %.1f s, draws %d, arms %d, wake-ups %d)",
              us, crawl.seconds(crawl.clock.now().mono), crawl.store.draws, crawl.store.arms,
              crawl.clock.wakeUps());
        QCOMPARE(crawl.store.count(JobState::Done), 8000);
        QVERIFY(crawl.store.draws < 2000);
        QCOMPARE(crawl.wrong(), QStringList());
    }

private:
    static Script randomScript(std::mt19937 &random)
    {
        Script script;
        script.delay = Millis(1 + random() % 200);
        script.sentAfter = Millis(random() % 20);
        switch (random() % 12) {
        case 0:
            script.failure = {FailureKind::Connect, {}, 0, {}};
            script.sends = 0;
            break;
        case 1:
            script.failure = {FailureKind::ClosedEarly, {}, 0, {}};
            break;
        case 2:
            script.status = 429;
            script.retryAfter = random() % 2 ? QByteArray("1") : QByteArray();
            break;
        case 3:
            script.status = 503;
            break;
        case 4:
            script.status = 302;
            script.redirectTo =
                "http://h" + QByteArray::number(static_cast<int>(random() % 6)) + ".example/to";
            break;
        case 5:
            script.sends = 2;
            break;
        case 6:
            script.status = 404;
            break;
        default:
            break;
        }
        return script;
    }
};

QTEST_GUILESS_MAIN(TestOverwatchLaws)
#include "tst_overwatchlaws.moc"
