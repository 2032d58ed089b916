// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest/QtTest>

#include "tests/support/flighttest.h"

using namespace muster;
using namespace muster::fault;

/// Bodies without end and bombs stay small in memory, and finished flights leave nothing behind (ME-03).
class TestMemory final : public QObject
{
    Q_OBJECT

private:
    static qint64 residentKiB()
    {
        QFile file(QStringLiteral("/proc/self/status"));
        if (!file.open(QIODevice::ReadOnly))
            return -1;
        for (const QByteArray &line : file.readAll().split('\n'))
            if (line.startsWith("VmRSS:"))
                return line.mid(6).trimmed().split(' ').first().toLongLong();
        return -1;
    }

private Q_SLOTS:
    void hostileBodiesStaySmall_data()
    {
        QTest::addColumn<QByteArray>("path");
        QTest::newRow("F39 without end") << QByteArray("/F39");
        QTest::newRow("F62 bomb") << QByteArray("/small-bomb");
    }
    void hostileBodiesStaySmall()
    {
        QFETCH(QByteArray, path);
        const QByteArray bomb = gzipBomb(100);
        FlightBench b({}, [&bomb](FaultServer &s) {
            s.route("/small-bomb", [&bomb](const FaultHit &) {
                return FaultScript{send(answer(200, bomb, "Content-Encoding: gzip\r\n"))};
            });
        });
        b.get("/ok");
        const qint64 before = residentKiB();
        for (int i = 0; i < 6; ++i) {
            FlightPlan p = b.plan(path);
            p.maxBody = 1 << 20;
            p.lanes = 6;
            b.fetcher->start(std::move(p), [](const FlightResult &r) {
                QCOMPARE(failureKindName(r.failure.kind), "too_large");
            });
        }
        QTRY_COMPARE_WITH_TIMEOUT(b.fetcher->inFlight(), 0, 30'000);
        const qint64 growth = residentKiB() - before;
        QVERIFY2(growth < 64 * 1024 + 6 * 1024, QByteArray::number(growth).constData()); // R8
    }

    void aPausedReaderHoldsTheServerBack() // nothing but the read buffer and the sockets is ever ahead of us
    {
        FlightBench b;
        FlightPlan p = b.plan("/F39");
        p.readAtMost = 100'000;
        const FlightResult r = b.fly(std::move(p));
        QCOMPARE(said(r), QByteArray("ok 200"));
        QVERIFY(r.answer.partial);
        QVERIFY(r.received < 1 << 20);
    }

    void flightsLeaveNothing()
    {
        FlightBench b;
        const auto round = [&b](int count) {
            int left = count;
            int started = 0;
            const QVector<QByteArray> paths{"/ok",           "/bytes?n=2000", "/status?code=500",
                                            "/to?url=%2Fok", "/F61/plain",    "/F30"};
            std::function<void()> next = [&] {
                FlightPlan p = b.plan(paths[started++ % paths.size()]);
                p.lanes = 24;
                b.fetcher->start(std::move(p), [&](const FlightResult &) {
                    if (--left >= 24)
                        next();
                });
            };
            for (int i = 0; i < 24; ++i)
                next();
            return QTest::qWaitFor([&b] { return b.fetcher->inFlight() == 0; }, 60'000);
        };
        QVERIFY(round(1000));
        b.server.clearLog();
        const qint64 before = residentKiB();
        QVERIFY(round(2000));
        b.server.clearLog();
        const qint64 growth = residentKiB() - before;
#ifndef __SANITIZE_ADDRESS__ // it keeps freed memory for a while and has a leak check of its own
        QVERIFY2(growth < 4 * 1024,
                 QByteArray::number(growth).constData()); // 2,000 leaked replies would be 40 MB
#else
        qInfo("growth %lld KiB", growth);
#endif
    }
};

QTEST_GUILESS_MAIN(TestMemory)
#include "tst_memory.moc"
