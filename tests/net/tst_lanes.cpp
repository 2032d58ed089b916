// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest/QtTest>

#include "core/net/qnamfetcher.h"
#include "tests/support/faultserver.h"

using namespace muster;

/// As many flights as the limits allow are real: none waits inside Qt.
class TestLanes final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
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
        QnamFetcher fetcher({threads, {}});
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
