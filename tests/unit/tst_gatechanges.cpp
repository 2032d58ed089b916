// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest/QtTest>

#include "core/limits/grant.h"
#include "tests/unit/gatedesk.h"

using namespace muster;

/// A gate whose rules change and whose idle instances are forgotten.
class TestGateChanges final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void liveChangesSettleAndNeverRefill()
    {
        Desk desk({full(rule("x", "1/s", 10))});
        for (int i = 0; i < 10; ++i)
            QVERIFY(desk.grants(0));
        desk.gate.setRules({full(rule("x", "10/s", 10))}, at(2)); // 2 tokens by the old rate
        QCOMPARE(desk.view(2).tokens, 2.0);
        QCOMPARE(desk.freed.size(), 1);
        QCOMPARE(desk.view(2.1).tokens, 3.0);
        desk.gate.setRules({full(rule("x", "10/s", 10))}, at(2.1)); // the same: nothing happens
        QCOMPARE(desk.freed.size(), 1);
        desk.gate.setRules({full(rule("x", "10/s", 1))}, at(2.1));
        QCOMPARE(desk.view(2.1).tokens, 1.0);
        desk.gate.setRules({full(rule("x", "10/s", 100))}, at(2.1));
        QCOMPARE(desk.view(2.1).tokens, 1.0);
        desk.gate.setRules({full(rule("x", nullptr, 100))}, at(2.1));
        QVERIFY(!desk.view(2.1).tokens);
        QVERIFY(desk.grants(2.1));
        desk.gate.setRules({full(rule("x", "10/s", 100))}, at(2.1)); // a new rate begins empty
        QCOMPARE(desk.view(2.1).tokens, 0.0);
        desk.out.back().refund(at(2.1)); // it paid nothing to this bucket
        QCOMPARE(desk.view(2.1).tokens, 0.0);
    }

    void switchedOffAndOnIsTheSameLimiter()
    {
        LimiterSettings r = full(rule("x", "1/s", 3, 1));
        Desk desk({r});
        QVERIFY(desk.grants(0));
        r.enabled = false;
        desk.gate.setRules({r}, at(0));
        QCOMPARE(desk.freed.size(), 1); // who waited on it may pass now
        QVERIFY(desk.gate.views({}).isEmpty());
        QVERIFY(desk.grants(0));
        desk.gate.setRules({}, at(0));
        r.enabled = true;
        desk.gate.setRules({r}, at(0));
        QCOMPARE(desk.view(0).tokens, 2.0);
        QCOMPARE(desk.view(0).out, 1);
        QVERIFY(desk.refusal(0).reason == WaitReason::AtOnce);
    }

    void anotherScopeIsAnotherSetOfInstances()
    {
        Desk desk({full(rule("x", "1/s", 3, 1))});
        QVERIFY(desk.grants(0));
        desk.gate.setRules({full(scoped(rule("x", "1/s", 3, 1), "host"))}, at(0));
        QCOMPARE(desk.freed.size(), 1);
        QVERIFY(desk.refusal(0).when == at(1)); // nobody starts full by a change
        QCOMPARE(desk.view(0).instance, QByteArray("a.example"));
        desk.out.clear(); // to its old instance
        QCOMPARE(desk.view(0).out, 0);
    }

    void forgettingChangesNoPace_data()
    {
        QTest::addColumn<QString>("start");
        QTest::newRow("empty") << "empty";
        QTest::newRow("full") << "full";
    }
    void forgettingChangesNoPace()
    {
        QFETCH(QString, start);
        LimiterSettings r = scoped(rule("x", "1/s", 3), "host");
        r.start = start;
        Desk keeps({r}), forgets({r});
        const auto both = [&](double now, const QByteArray &url) {
            const bool kept = keeps.grants(now, url);
            const bool same = kept == forgets.grants(now, url) &&
                              keeps.refusal(now, url).when == forgets.refusal(now, url).when;
            keeps.out.clear();
            forgets.out.clear();
            return same;
        };
        QVERIFY(both(0, "http://a.example/"));
        QVERIFY(both(1, "http://a.example/"));
        forgets.gate.forgetIdle(at(2)); // not full yet
        QCOMPARE(forgets.gate.views({}).size(), 1);
        forgets.gate.forgetIdle(at(50));
        QCOMPARE(forgets.gate.views({}).size(), 0);
        r.burst = 6; // full was 3: nobody may find 6
        keeps.gate.setRules({r}, at(51));
        forgets.gate.setRules({r}, at(51));
        QVERIFY(both(51, "http://a.example/"));
        for (int i = 0; i < 10; ++i)
            QVERIFY(both(52 + i * 0.3, "http://a.example/"));
        forgets.gate.forgetIdle(at(53)); // the template is still filling
        QCOMPARE(forgets.gate.views({}).size(), 1);
        QVERIFY(both(55, "http://new.example/"));
        forgets.gate.forgetIdle(at(500));
        QCOMPARE(forgets.gate.views({}).size(), 0);
        for (int i = 0; i < 10; ++i)
            QVERIFY(both(500, "http://a.example/"));
    }

    void whatIsOutIsNotForgotten()
    {
        Desk desk({scoped(rule("x", nullptr, 1, 1), "host")});
        QVERIFY(desk.grants(0));
        desk.gate.forgetIdle(at(100));
        QVERIFY(!desk.grants(100));
        desk.out.clear();
        desk.gate.forgetIdle(at(200));
        QCOMPARE(desk.gate.views({}).size(), 0);
        QVERIFY(desk.grants(200));
    }
};

QTEST_GUILESS_MAIN(TestGateChanges)
#include "tst_gatechanges.moc"
