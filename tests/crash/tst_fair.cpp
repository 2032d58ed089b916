// SPDX-License-Identifier: GPL-3.0-or-later
#include <csignal>
#include <QtTest/QtTest>

#include "tests/support/clifolder.h"
#include "tests/support/faultserver.h"
#include "tests/support/projectfile.h"

using namespace muster;

/// Issue 2, item 7: a slow host with a long queue ahead of everybody takes nothing from a quick one.
class TestFair final : public QObject
{
    Q_OBJECT

private:
    static constexpr int quickRows = 500;
    static constexpr int slowRows = 500;
    static constexpr int otherHosts = 20;
    static constexpr int otherRows = 10'000;

    static QByteArray slowName(int host) { return "slow" + QByteArray::number(host); }

    /// Seconds from the start of the crawl to the last request of the quick host.
    static double quickTime(FaultServer &server, CliFolder &here, const QByteArray &rows, bool toTheEnd)
    {
        server.clearLog();
        here.write("s.json", R"({"version": 1, "limiters": [
            {"name": "everything", "atOnce": 64},
            {"name": "slow", "match": "127.0.1.*", "scope": "host", "rate": "1/s", "atOnce": 2},
            {"name": "quick", "match": "127.0.2.*", "scope": "host", "atOnce": 8}]})");
        here.write("rows.txt", rows);
        QFile::remove(here.path("p.muster"));
        if (here.run({"new", "p.muster", "--settings", "s.json"}).code != 0 ||
            here.run({"import", "p.muster", "rows.txt"}).code != 0)
            return -1;
        const auto crawl = here.start({"run", "p.muster", "--progress", "none"});
        qint64 first = 0;
        if (!reached([&] { return server.hitsOn("quick") >= 1; }))
            return -1;
        first = monotonicNs();
        if (!reached([&] { return server.hitsOn("quick") >= quickRows; }, 120'000))
            return -1;
        const double seconds = static_cast<double>(monotonicNs() - first) / 1e9;
        crawl->signal(SIGTERM);
        const int code = crawl->wait().code;
        return code == (toTheEnd ? 0 : 143) || code == 143 ? seconds : -1;
    }

private Q_SLOTS:
    void quickHost()
    {
        FaultServer server;
        for (int host = 0; host <= otherHosts; ++host)
            server.addListener(slowName(host), "127.0.1." + QByteArray::number(host + 1));
        server.addListener("quick", "127.0.2.1");
        QVERIFY(server.start());
        CliFolder here;

        QByteArray quick;
        for (int i = 0; i < quickRows; ++i)
            quick += server.url("/delay?ms=50&q=" + QByteArray::number(i), "quick") + '\n';
        QByteArray slow;
        for (int i = 0; i < slowRows; ++i)
            slow += server.url("/ok?s=" + QByteArray::number(i), slowName(0)) + '\n';
        for (int i = 0; i < otherRows; ++i)
            slow += server.url("/ok?o=" + QByteArray::number(i), slowName(1 + i % otherHosts)) + '\n';

        const double alone = quickTime(server, here, quick, true);
        QVERIFY(alone > 0);
        const double behind = quickTime(server, here, slow + quick, false);
        QVERIFY(behind > 0);
        qInfo("500 quick rows take %.2f s alone, %.2f s behind 10,500 slow ones: %.3f times", alone, behind,
              behind / alone);
        QVERIFY2(behind <= 1.1 * alone + 0.3, "the slow hosts hold the quick one back");
        // The slow hosts went on all the while, each at its own pace.
        for (int host = 0; host <= otherHosts; ++host) {
            const int hits = server.hitsOn(slowName(host));
            QVERIFY2(hits >= 1 && hits <= behind + 12,
                     qPrintable(QStringLiteral("host %1: %2").arg(host).arg(hits)));
        }
        const ProjectFile file(here.path("p.muster"));
        QCOMPARE(file.broken({quickRows + slowRows + otherRows, 3, true}).join(QLatin1Char('\n')), QString());
    }
};

QTEST_GUILESS_MAIN(TestFair)
#include "tst_fair.moc"
