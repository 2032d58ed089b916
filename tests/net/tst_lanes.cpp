// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest/QtTest>

#include "core/net/lanebook.h"
#include "core/net/qnamfetcher.h"
#include "tests/support/faultserver.h"

using namespace muster;

/// As many flights as the limits allow are real: none waits inside Qt.
class TestLanes final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aLaneHoldsSix()
    {
        LaneBook book;
        for (int i = 0; i < 13; ++i)
            QCOMPARE(book.acquire("http://a"), i / LaneBook::slots);
        QCOMPARE(book.acquire("http://b"), 0);
        QCOMPARE(book.flights("http://a"), 13);
        book.release("http://a", 0);
        QCOMPARE(book.acquire("http://a"), 0); // the lowest with room
        for (int i = 0; i < 13; ++i)
            book.release("http://a", i / LaneBook::slots);
        QCOMPARE(book.flights("http://a"), 0);
        book.release("http://a", 0); // nobody there: nothing happens
        book.release("http://b", 0);
        QVERIFY(book.isEmpty());
    }

    void lanesAreFullNeverOver() // any order of coming and going
    {
        bool ok = false;
        const int given = qEnvironmentVariableIntValue("MUSTER_SEED", &ok);
        const quint32 seed = ok ? static_cast<quint32>(given) : QRandomGenerator::global()->generate();
        qInfo("seed %u", seed);
        QRandomGenerator random(seed);
        LaneBook book;
        QHash<int, int> load;
        QVector<int> out;
        for (int i = 0; i < 50'000; ++i) {
            if (out.isEmpty() || (out.size() < 80 && random.bounded(2) == 0)) {
                out.append(book.acquire("http://a"));
                QVERIFY(++load[out.last()] <= LaneBook::slots);
            } else {
                const int lane = out.takeAt(random.bounded(static_cast<int>(out.size())));
                --load[lane];
                book.release("http://a", lane);
            }
            QCOMPARE(book.flights("http://a"), static_cast<int>(out.size()));
        }
    }

    void httpsLanesStillVerify()
    {
        QSet<QString> seen;
        for (int lane = 0; lane < 40; ++lane) {
            const LanePlace place = lanePlace(true, "example.com", lane);
            const QString name = place.name.isEmpty() ? QStringLiteral("example.com") : place.name;
            QCOMPARE(name.toLower(), QStringLiteral("example.com"));
            const QString key = QString::number(place.manager) + name;
            QVERIFY2(!seen.contains(key), qPrintable(key));
            seen.insert(key);
        }
        for (const char *host : {"93.184.216.34", "xn--bcher-kva.test", "2606:4700::1111"})
            QCOMPARE(lanePlace(true, host, 3).manager, 3); // no spelling of it would do
        QCOMPARE(lanePlace(true, "a.1", 3).manager, 1);
        QVERIFY(lanePlace(false, "", 3).name != lanePlace(false, "", 4).name);
        QVERIFY(lanePlace(true, "example.com", 0).name.isEmpty());
    }

    void allAreAtTheServer_data()
    {
        QTest::addColumn<int>("threads");
        QTest::addColumn<int>("flights");
        QTest::newRow("6 on one thread") << 1 << 6;
        QTest::newRow("64 on one thread") << 1 << 64;
        QTest::newRow("64 on two threads") << 2 << 64;
        QTest::newRow("150 on one thread, two managers") << 1 << 150;
    }
    void allAreAtTheServer()
    {
        QFETCH(int, threads);
        QFETCH(int, flights);
        FaultServer server;
        QVERIFY(server.start());
        QnamFetcher fetcher({threads});
        int good = 0;
        for (int i = 0; i < flights; ++i) {
            FlightPlan plan;
            plan.id = static_cast<FlightId>(i + 1);
            plan.request.url.text = server.url("/delay?ms=400&i=" + QByteArray::number(i));
            plan.lanes = flights;
            fetcher.start(std::move(plan), [&good](const FlightResult &r) {
                if (!r.failure && r.answer.status == 200 && r.answer.body == "ok" && r.sends == 1)
                    ++good;
            });
        }
        QCOMPARE(fetcher.inFlight(), flights);
        QTRY_COMPARE_WITH_TIMEOUT(fetcher.inFlight(), 0, 10'000);
        QCOMPARE(good, flights);
        QCOMPARE(server.maxConcurrent(), flights);
        QCOMPARE(server.log().size(), flights);
    }
};

QTEST_GUILESS_MAIN(TestLanes)
#include "tst_lanes.moc"
