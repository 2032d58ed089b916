// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest/QtTest>

#include "tests/support/flighttest.h"

using namespace muster;
using namespace muster::fault;

/// The four timers of a hop. Each is short here and the others long, so that only its own can have rung.
class TestTimers final : public QObject
{
    Q_OBJECT

private:
    static constexpr Millis brief{250};

private Q_SLOTS:
    void ring_data()
    {
        QTest::addColumn<QByteArray>("path");
        QTest::addColumn<QByteArray>("listener");
        QTest::addColumn<QByteArray>("which");
        QTest::addColumn<QByteArray>("kind");
        const auto row = [](const char *name, const char *path, const char *listener, const char *which,
                            const char *kind) {
            QTest::newRow(name) << QByteArray(path) << QByteArray(listener) << QByteArray(which)
                                << QByteArray(kind);
        };
        row("connect", "/ok", "backlog", "connect", "connect_timeout");
        row("TO-02 silent server", "/silent", "main", "firstByte", "first_byte_timeout");
        row("half a header", "/F15", "main", "firstByte", "first_byte_timeout");
        row("silence in the body", "/F37", "main", "silence", "stalled");
        row("TO-02 dripping for ever", "/F38", "main", "total", "total_timeout");
        row("total while connecting", "/ok", "backlog", "total", "total_timeout");
        row("total while waiting", "/silent", "main", "total", "total_timeout");
    }
    void ring()
    {
        QFETCH(QByteArray, path);
        QFETCH(QByteArray, listener);
        QFETCH(QByteArray, which);
        QFETCH(QByteArray, kind);
        FlightBench b(
            {}, [](FaultServer &s) { s.addListener("backlog", "127.0.0.3", FaultServer::Mode::Backlog); });
        FlightPlan p = b.plan(path, listener);
        (which == "connect"     ? p.connectTimeout
         : which == "firstByte" ? p.firstByteTimeout
         : which == "silence"   ? p.silenceTimeout
                                : p.totalTimeout) = brief;
        const FlightResult r = b.fly(std::move(p));
        QCOMPARE(said(r), kind);
        QVERIFY(r.timings.totalMs >= brief.count());
        QCOMPARE(r.sends, listener == "backlog" ? 0 : 1);
        if (path == "/F37")
            QCOMPARE(r.answer.body.size(), 100); // what came is kept
    }

    void aSlowButLivelyBodyIsFine()
    {
        FlightBench b({}, [](FaultServer &s) {
            s.route("/steady", [](const FaultHit &) {
                return FaultScript{send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n"),
                                   repeat("x", 100, 10)};
            });
        });
        FlightPlan p = b.plan("/steady"); // a second in all, never 600 ms of silence
        p.silenceTimeout = Millis(600);
        p.firstByteTimeout = Millis(600);
        QCOMPARE(said(b.fly(std::move(p))), QByteArray("ok 200"));
    }

    void aStalledRedirectIsARedirect()
    {
        FlightBench b({}, [](FaultServer &s) {
            s.route("/stuck", [](const FaultHit &) {
                return FaultScript{send("HTTP/1.1 302 F\r\nLocation: /ok\r\nContent-Length: 10\r\n\r\nabc"),
                                   hold()};
            });
        });
        FlightPlan p = b.plan("/stuck");
        p.silenceTimeout = brief;
        QCOMPARE(said(b.fly(std::move(p))), QByteArray("to " + b.server.url("/ok")));
    }

    void noFlightPaysForAnothers() // TO-01: 40 of 150 ms, none may wait in a queue with its clock running
    {
        FlightBench b;
        int good = 0;
        for (int i = 0; i < 40; ++i) {
            FlightPlan p = b.plan("/delay?ms=150");
            p.totalTimeout = Millis(5'000);
            p.lanes = 40;
            b.fetcher->start(std::move(p), [&good](const FlightResult &r) { good += said(r) == "ok 200"; });
        }
        QTRY_COMPARE_WITH_TIMEOUT(b.fetcher->inFlight(), 0, 10'000);
        QCOMPARE(good, 40);
        QCOMPARE(b.server.maxConcurrent(), 40);
    }

    void manyDeadlinesAtOnce() // the one timer rings for each of them
    {
        FlightBench b;
        QVector<int> kinds;
        for (int i = 0; i < 30; ++i) {
            FlightPlan p = b.plan("/silent");
            p.firstByteTimeout = Millis(400 - i * 10); // each earlier than the one before
            p.lanes = 30;
            b.fetcher->start(std::move(p), [&kinds](const FlightResult &r) {
                kinds.append(static_cast<int>(r.failure.kind));
            });
        }
        QTRY_COMPARE_WITH_TIMEOUT(b.fetcher->inFlight(), 0, 10'000);
        QCOMPARE(kinds.count(static_cast<int>(FailureKind::FirstByteTimeout)), 30);
    }
};

QTEST_GUILESS_MAIN(TestTimers)
#include "tst_timers.moc"
