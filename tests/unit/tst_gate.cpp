// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest/QtTest>

#include "core/limits/grant.h"
#include "tests/unit/gatedesk.h"

using namespace muster;

class TestGate final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void withoutRulesEverythingPasses()
    {
        Desk desk;
        for (int i = 0; i < 100; ++i)
            QVERIFY(desk.grants(0));
        QCOMPARE(desk.atOnce("http://a.example/", 7), 7);
        QVERIFY(desk.gate.views({}).isEmpty());
    }

    void startsEmptyByDefault()
    {
        Desk desk({rule("api", "10/s", 5)});
        const NotUntil wait = desk.refusal(3);
        QCOMPARE(wait.limiter, QByteArray("api"));
        QVERIFY(wait.instance != 0 && wait.reason == WaitReason::Bucket);
        QVERIFY(wait.when == at(3.1)); // a whole interval after it was first asked
        QVERIFY(!desk.grants(3.0999));
        QVERIFY(desk.grants(3.1));
        QVERIFY(!desk.grants(3.1));
    }

    void startsFullWhereToldSo()
    {
        Desk desk({full(rule("api", "10/s", 5))});
        for (int i = 0; i < 5; ++i)
            QVERIFY(desk.grants(0));
        QVERIFY(desk.refusal(0).when == at(0.1));
    }

    void allOrNothing()
    {
        Desk desk({full(rule("fast", "10/s", 5)), full(rule("slow", "1/s", 1)), rule("few", nullptr, 1, 2)});
        QVERIFY(desk.grants(0));
        const NotUntil wait = desk.refusal(0.5);
        QCOMPARE(wait.limiter, QByteArray("slow"));
        QVERIFY(wait.when == at(1));
        QCOMPARE(desk.view(0.5, 0).tokens, 5.0); // 4 + 5, at most 5: the refusal took nothing
        QCOMPARE(desk.view(0.5, 2).out, 1);
        QVERIFY(desk.grants(1));
        const NotUntil third = desk.refusal(1);
        QCOMPARE(third.limiter, QByteArray("few")); // named before the bucket that refuses too
        QVERIFY(third.reason == WaitReason::AtOnce && third.when == monoNever);
    }

    void namesTheBucketThatGrantsLast()
    {
        Desk desk({rule("a", "10/s"), rule("b", "1/7s"), rule("c", "1/s")});
        QCOMPARE(desk.refusal(0).limiter, QByteArray("b"));
        QVERIFY(desk.refusal(0).when == at(7));
    }

    void scopes_data()
    {
        QTest::addColumn<QString>("scope");
        QTest::addColumn<QByteArray>("first");
        QTest::addColumn<QByteArray>("second");
        QTest::addColumn<bool>("shared");
        const QByteArray a("http://ok.test/a");
        QTest::newRow("all") << "all" << a << QByteArray("http://other.test/") << true;
        QTest::newRow("host") << "host" << a << QByteArray("http://other.test/") << false;
        QTest::newRow("host, other port") << "host" << a << QByteArray("http://ok.test:81/") << true;
        QTest::newRow("host, other scheme") << "host" << a << QByteArray("https://ok.test/") << true;
        QTest::newRow("UR-04 trailing dot") << "host" << a << QByteArray("http://ok.test./a") << true;
        QTest::newRow("UR-04 upper case") << "host" << a << QByteArray("http://OK.TEST/a") << true;
        QTest::newRow("UR-04 port 80") << "host" << a << QByteArray("http://ok.test:80/a") << true;
        QTest::newRow("UR-04 no slash") << "host" << a << QByteArray("http://ok.test") << true;
        QTest::newRow("site") << "site" << QByteArray("http://a.example.co.uk/")
                              << QByteArray("http://b.example.co.uk/") << true;
        QTest::newRow("other site") << "site" << QByteArray("http://a.co.uk/")
                                    << QByteArray("http://b.co.uk/") << false;
        QTest::newRow("site of addresses")
            << "site" << QByteArray("http://10.0.0.1/") << QByteArray("http://10.1.0.1/") << false;
    }
    void scopes()
    {
        QFETCH(QString, scope);
        QFETCH(QByteArray, first);
        QFETCH(QByteArray, second);
        QFETCH(bool, shared);
        LimiterSettings r = rule("x", nullptr, 1, 1);
        r.scope = scope;
        Desk desk({r});
        QVERIFY(desk.grants(0, first));
        QCOMPARE(!desk.grants(0, second), shared);
    }

    void rl06_theFirstWindowHoldsNoBurst()
    {
        Desk desk({rule("RL-06", "2/10s")});
        QVector<double> arrivals;
        for (int ms = 0; ms <= 40'000; ++ms)
            if (desk.grants(ms / 1000.0))
                arrivals << ms / 1000.0;
        QCOMPARE(arrivals, (QVector<double>{5, 10, 15, 20, 25, 30, 35, 40}));
    }

    void costs_data()
    {
        QTest::addColumn<QByteArray>("cell");
        QTest::addColumn<QString>("why"); // empty: granted
        QTest::newRow("one") << QByteArray("1") << QString();
        QTest::newRow("blanks") << QByteArray(" 5 ") << QString();
        QTest::newRow("RL-07 cost above the burst")
            << QByteArray("8")
            << QStringLiteral("limiter x: cost 8 is above the burst 5; raise the burst or lower the cost");
        const QString bad = QStringLiteral(
            "limiter x: column weight holds \"%1\" as the cost; give a whole number from 1 on");
        for (const char *cell : {"", "abc", "0", "-1", "1.5", "99999999999999999999"})
            QTest::addRow("bad %s", cell) << QByteArray(cell) << bad.arg(QLatin1String(cell));
        QTest::newRow("long") << QByteArray(1000, 'x') << bad.arg(QString(40, QLatin1Char('x')));
    }
    void costs()
    {
        QFETCH(QByteArray, cell);
        QFETCH(QString, why);
        LimiterSettings r = full(rule("x", "1/s", 5));
        r.costColumn = QStringLiteral("weight");
        Desk desk({rule("other", nullptr, 1, 9), r});
        desk.input = columns("weight", cell.constData());
        auto answer = desk.ask(0);
        if (const auto *never = std::get_if<Never>(&answer)) {
            QCOMPARE(never->limiter, QByteArray("x"));
            QCOMPARE(never->why, why);
            QVERIFY(desk.gate.views({}).isEmpty()); // nothing was even begun
        } else {
            QVERIFY(why.isEmpty() && std::holds_alternative<Permit>(answer));
            QCOMPARE(desk.view(0, 1).tokens, 5.0 - cell.trimmed().toInt());
        }
        desk.input = columns("name", "y"); // a row without that column costs 1
        QVERIFY(desk.grants(10));
    }

    void rl07_theOtherJobsRun()
    {
        LimiterSettings r = full(rule("RL-07", "10/s", 5));
        r.costColumn = QStringLiteral("weight");
        Desk desk({r});
        desk.input = columns("weight", "8");
        QCOMPARE(desk.ask(0).index(), std::size_t{2});
        desk.input = columns("weight", "1");
        int done = 0;
        for (int ms = 0; done < 20 && ms < 5000; ms += 100)
            done += desk.grants(ms / 1000.0);
        QCOMPARE(done, 20);
    }

    void lateGrantsAreDatedBack_data()
    {
        QTest::addColumn<double>("late");
        QTest::addColumn<double>("next");
        QTest::newRow("on time") << 0.0 << 2.0;
        QTest::newRow("5 ms") << 0.005 << 2.0;
        QTest::newRow("20 ms") << 0.020 << 2.0;
        QTest::newRow("50 ms, 20 count") << 0.050 << 2.030;
        QTest::newRow("an hour, 20 ms count") << 3600.0 << 3601.98;
        QTest::newRow("early") << -0.0 << 2.0;
    }
    void lateGrantsAreDatedBack()
    {
        QFETCH(double, late);
        QFETCH(double, next);
        Desk desk({rule("x", "1/s")});
        QVERIFY(desk.refusal(0).when == at(1));
        QVERIFY(desk.grants(1 + late, "http://a.example/", Nanos(qRound64(late * 1e9))));
        QVERIFY(desk.refusal(1 + late).when == at(next));
    }

    void notBeforeAFullShareOrTheRule()
    {
        Desk desk({rule("x", "1/s", 1, 1)}, 10);
        QVERIFY(desk.refusal(10).when == at(11));
        QVERIFY(desk.grants(11));
        QVERIFY(desk.refusal(12.005).reason == WaitReason::AtOnce);
        desk.out.clear();
        QVERIFY(desk.grants(12.010, "http://a.example/", Millis(20))); // dated 12.005, not 12.000
        desk.out.clear();
        QVERIFY(desk.refusal(12.010).when == at(13.005));
        desk.gate.setRules({rule("x", "2/s", 1, 1)}, at(12.100));
        QVERIFY(desk.refusal(12.100).when > at(12.5)); // what stood settled at 1/s: 0.095 tokens
        QVERIFY(desk.refusal(12.100).when == at(12.5525));
    }

    void atOnceOfTheRules()
    {
        LimiterSettings path = rule("p", nullptr, 1, 3);
        path.match = QStringLiteral("a.example/slow/*");
        Desk desk({rule("all", "1/s", 1, 10), path, scoped(rule("h", nullptr, 1, qint64{1} << 40), "host")});
        QCOMPARE(desk.atOnce("http://a.example/x", 7), 10);
        QCOMPARE(desk.atOnce("http://a.example/slow/x", 7), 3);
        desk.gate.setRules({rule("h", nullptr, 1, qint64{1} << 40)}, at(0));
        QCOMPARE(desk.atOnce("http://a.example/", 7), std::numeric_limits<int>::max());
        QVERIFY(desk.gate.views({}).isEmpty()); // asking makes no instance
    }

    void pathsChooseAmongRules()
    {
        LimiterSettings slow = rule("slow", nullptr, 1, 1);
        slow.match = QStringLiteral("a.example/slow*");
        Desk desk({slow});
        QVERIFY(desk.grants(0, "http://a.example/slow?x"));
        QVERIFY(!desk.grants(0, "http://a.example/slower"));
        QVERIFY(desk.grants(0, "http://a.example/fast?/slow"));
    }

    void resendsAreDebt()
    {
        Desk desk({full(rule("x", "1/s", 2)), rule("n", nullptr, 1, 9)});
        QVERIFY(desk.grants(0));
        desk.gate.chargeAgain(desk.out[0], at(0));
        desk.gate.chargeAgain(desk.out[0], at(0));
        QCOMPARE(desk.view(0).tokens, 0.0); // a gauge shows no debt
        QVERIFY(desk.refusal(0).when == at(2));
        desk.gate.chargeAgain(Permit(), at(0));
        QVERIFY(desk.refusal(0).when == at(2));
    }

    void cc01_oneTokenAndManyWaiters()
    {
        for (const int limit : {1, 6}) {
            Desk desk({rule("CC-01", nullptr, 1, limit)});
            for (int i = 0; i < 200; ++i)
                desk.grants(0);
            QCOMPARE(desk.out.size(), static_cast<std::size_t>(limit));
            desk.out.pop_back(); // one is free
            QCOMPARE(desk.freed.size(), 1);
            int passed = 0;
            for (int i = 0; i < 200; ++i)
                passed += desk.grants(0);
            QCOMPARE(passed, 1);
        }
    }

    void qu04_waitingCostsNothing()
    {
        Desk desk({full(rule("QU-04", "1/d", 10))});
        for (int i = 0; i < 10; ++i)
            QVERIFY(desk.grants(0));
        for (int i = 0; i < 10; ++i)
            QVERIFY(!desk.grants(0)); // asked, refused, cancelled
        QVERIFY(desk.refusal(0).when == at(86400));
    }

    void viewsTellWhatAGaugeShows()
    {
        Desk desk({full(rule("x", "2/s", 4, 3))});
        QVERIFY(desk.grants(0) && desk.grants(0));
        const LimiterView view = desk.view(0.5);
        QCOMPARE(view.name, QByteArray("x"));
        QCOMPARE(view.tokens, 3.0);
        QCOMPARE(view.burst, 4.0);
        QCOMPARE(view.ratePerSecond, 2.0);
        QCOMPARE(view.rate, QByteArray("2/s"));
        QCOMPARE(view.out, 2);
        QCOMPARE(view.atOnce, std::optional<qint64>(3));
        QCOMPARE(view.usedPerSecond, 2.0);
        QVERIFY(!view.binding && view.waiting == 0 && !view.nextGrant);
    }
};

QTEST_GUILESS_MAIN(TestGate)
#include "tst_gate.moc"
