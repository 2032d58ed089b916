// SPDX-License-Identifier: GPL-3.0-or-later
#include <csignal>
#include <QtTest/QtTest>

#include "tests/support/clifolder.h"
#include "tests/support/faultserver.h"

using namespace muster;

/// Issue 2, item 9: a crawl that waits for its next token uses no measurable CPU.
class TestIdle final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void waitsForTokens()
    {
        FaultServer server;
        QVERIFY(server.start());
        CliFolder here;
        QByteArray rows;
        for (int i = 0; i < 200; ++i)
            rows += server.url("/ok?i=" + QByteArray::number(i)) + '\n';
        here.write("rows.txt", rows);
        here.write("s.json", R"({"version": 1, "limiters": [
            {"name": "api", "rate": "2/h", "burst": 2, "start": "full"}]})");
        QCOMPARE(here.run({"new", "p.muster", "--settings", "s.json"}).code, 0);
        QCOMPARE(here.run({"import", "p.muster", "rows.txt"}).code, 0);
        const auto crawl = here.start({"run", "p.muster"});
        // Two requests at once, then half an hour of waiting.
        QVERIFY(reached([&] {
            return here.status("p.muster")[QStringLiteral("rows")][QStringLiteral("done")].toInt() == 2;
        }));
        QTest::qWait(1'000); // what ends an activity, such as the checkpoint of an idle store
        const qint64 before = crawl->cpuNs();
        const qint64 since = monotonicNs();
        QVERIFY(before > 0);
        QTest::qWait(20'000);
        const qint64 used = crawl->cpuNs() - before;
        qInfo("%.2f ms of CPU in %.1f s of waiting", static_cast<double>(used) / 1e6,
              static_cast<double>(monotonicNs() - since) / 1e9);
        QVERIFY(crawl->isRunning());
        QCOMPARE(server.hitsOn("main"), 2);
        QVERIFY2(used <= 20'000'000, "a waiting crawl is not idle");
        crawl->signal(SIGTERM);
        QCOMPARE(crawl->wait().code, 143);
    }
};

QTEST_GUILESS_MAIN(TestIdle)
#include "tst_idle.moc"
