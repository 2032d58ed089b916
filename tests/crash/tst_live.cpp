// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>
#include <csignal>
#include <QElapsedTimer>
#include <QFile>
#include <QtTest/QtTest>

#include "tests/support/clifolder.h"
#include "tests/support/faultserver.h"
#include "tests/support/projectfile.h"

using namespace muster;

/// Issue 2, item 6: a million rows queued, 64 requests at once under way, and a second process that looks and
/// changes the rate. How many rows: MUSTER_ROWS.
class TestLive final : public QObject
{
    Q_OBJECT

private:
    /// A bound that only a broken program misses; whether the promised second held is printed.
    static constexpr qint64 boundMs = 5'000;

    static void say(const char *what, qint64 ms)
    {
        qInfo("%s: %lld ms%s", what, static_cast<long long>(ms),
              ms <= 1'000 ? "" : "  (more than the promised 1 s)");
    }

private Q_SLOTS:
    void millionRows()
    {
        bool given = false;
        int rows = qEnvironmentVariableIntValue("MUSTER_ROWS", &given);
        if (!given)
            rows = 1'000'000;
        FaultServer server;
        QVERIFY(server.start());
        CliFolder here;
        {
            QFile list(here.path("rows.txt"));
            QVERIFY(list.open(QIODevice::WriteOnly));
            const QByteArray url = server.url("/delay?ms=50&i=");
            for (int i = 0; i < rows; ++i)
                list.write(url + QByteArray::number(i) + '\n');
        }
        here.write("s.json", R"({"version": 1, "limiters": [{"name": "everything", "atOnce": 64},
            {"name": "api", "rate": "5000/s", "burst": 64}]})");
        QCOMPARE(here.run({"new", "p.muster", "--settings", "s.json"}).code, 0);

        QElapsedTimer timer;
        timer.start();
        const auto import = here.start({"import", "p.muster", "rows.txt"});
        qint64 peak = 0;
        qint64 cpu = 0;
        QVERIFY(reached(
            [&] {
                peak = std::max(peak, import->peakKiB());
                cpu = std::max(cpu, import->cpuNs());
                return !import->isRunning();
            },
            600'000));
        const double seconds = static_cast<double>(timer.elapsed()) / 1000;
        const CliEnd taken = import->wait();
        QVERIFY2(taken.code == 0, taken.err.constData());
        // A machine with other work shows in the first rate, not in the second.
        qInfo("import: %d rows in %.1f s = %.0f rows/s, %.0f rows for a second of CPU, %.1f MiB at most",
              rows, seconds, rows / seconds, rows / (static_cast<double>(cpu) / 1e9),
              static_cast<double>(peak) / 1024);
        QVERIFY2(peak <= 150 * 1024, "an import may take 150 MiB");

        const auto crawl = here.start({"run", "p.muster", "--progress", "none"});
        QVERIFY(reached([&] { return server.hitsOn("main") >= 1'000; }, 120'000));
        for (int look = 0; look < 3; ++look) {
            timer.restart();
            const QJsonObject status = here.status("p.muster");
            const qint64 took = timer.elapsed();
            say("status", took);
            QCOMPARE(status[QStringLiteral("rows")][QStringLiteral("total")].toInt(), rows);
            QVERIFY(took <= boundMs);
        }
        timer.restart();
        const CliEnd set = here.run({"settings", "p.muster", "set", "limiters.api.rate", "40/s"});
        const qint64 took = timer.elapsed();
        const qint64 acknowledged = monotonicNs();
        QVERIFY2(set.code == 0, set.err.constData());
        say("settings set", took);
        QVERIFY(took <= boundMs);

        // The bucket keeps what it holds (at most 64), so the law has it as burst.
        QTest::qWait(6'000);
        QVector<qint64> at;
        for (const FaultHit &hit : server.log())
            if (hit.atNs > acknowledged + 50'000'000)
                at += hit.atNs;
        QVERIFY(at.size() > 100);
        const double window = static_cast<double>(at.last() - at.first()) / 1e9;
        const double allowed = std::ceil(40 * (window + 0.020) + 64);
        qInfo("after the change: %lld requests in %.2f s at 40/s", static_cast<long long>(at.size()), window);
        QVERIFY2(static_cast<double>(at.size()) <= allowed, "the new rate does not hold");
        const auto lastTwo =
            std::count_if(at.begin(), at.end(), [&](qint64 t) { return t > at.last() - 2'000'000'000; });
        QVERIFY2(lastTwo <= 40 * 2.02 + 2 && lastTwo >= 40 * 2 * 0.9, qPrintable(QString::number(lastTwo)));

        crawl->signal(SIGKILL);
        QCOMPARE(crawl->wait().code, -SIGKILL);
        QCOMPARE(here.run({"settings", "p.muster", "get", "limiters.api.rate"}).out.trimmed(),
                 QByteArray("\"40/s\""));
        const ProjectFile file(here.path("p.muster"));
        QCOMPARE(file.broken({rows, 3, false}).join(QLatin1Char('\n')), QString());
        timer.restart();
        const CliEnd again = here.run({"run", "p.muster", "--limit", "5", "--progress", "none"});
        qInfo("opened again and sent 5 in %.1f s", static_cast<double>(timer.elapsed()) / 1000);
        QVERIFY2(again.code == 4, again.err.constData());
    }
};

QTEST_GUILESS_MAIN(TestLive)
#include "tst_live.moc"
