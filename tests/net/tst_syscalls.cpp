// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest/QtTest>
#include <sys/resource.h>

#include "tests/support/flighttest.h"

using namespace muster;

/// Guards the buffered socket (network.md 0): it rests on a detail of Qt, and without it every byte of a
/// header is a system call of its own.
class TestSyscalls final : public QObject
{
    Q_OBJECT

private:
    // Of this thread's process; the server in it reads once a request too.
    static qint64 reads()
    {
        QFile file(QStringLiteral("/proc/self/io"));
        if (!file.open(QIODevice::ReadOnly))
            return -1;
        for (const QByteArray &line : file.readAll().split('\n'))
            if (line.startsWith("syscr: "))
                return line.mid(7).toLongLong();
        return -1;
    }

private Q_SLOTS:
    void aRequestCostsFewReads()
    {
        if (reads() < 0)
            QSKIP("this system has no /proc/self/io");
        constexpr int requests = 400;
        FlightBench b;
        b.get("/bytes?n=2048");
        const qint64 before = reads();
        int left = requests;
        int good = 0;
        std::function<void()> next = [&] {
            FlightPlan p = b.plan("/bytes?n=2048");
            p.lanes = 16;
            b.fetcher->start(std::move(p), [&](const FlightResult &r) {
                good += said(r) == "ok 200";
                if (--left >= 16)
                    next();
            });
        };
        for (int i = 0; i < 16; ++i)
            next();
        QTRY_COMPARE_WITH_TIMEOUT(b.fetcher->inFlight(), 0, 30'000);
        QCOMPARE(good, requests);
        const double each = double(reads() - before) / requests;
        qInfo("%.1f read calls for each request, the server's and the wake-ups among them", each);
        QVERIFY2(each < 25, "Qt reads the headers byte by byte again"); // about 90 without the factory
    }
};

QTEST_GUILESS_MAIN(TestSyscalls)
#include "tst_syscalls.moc"
