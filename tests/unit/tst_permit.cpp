// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest/QtTest>

#include "core/limits/gate.h"
#include "core/limits/grant.h"

using namespace muster;

namespace {
const QByteArray url("http://a.example/");
const Target target = targetOf(url);

QVector<LimiterSettings> rules(const char *rate = "1/s")
{
    LimiterSettings r;
    r.name = QStringLiteral("x");
    r.rate = QLatin1String(rate);
    r.burst = 3;
    r.start = QStringLiteral("full");
    r.atOnce = 3;
    return {r};
}

Permit permitOf(Gate &gate, Mono now = Mono{})
{
    auto answer = gate.admit({target, url, {}, {}}, now);
    auto *permit = std::get_if<Permit>(&answer);
    return permit ? std::move(*permit) : Permit();
}

LimiterView viewOf(const Gate &gate, Mono now = Mono{})
{
    return gate.views({now, {}}).at(0).second;
}
} // namespace

class TestPermit final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        gate = std::make_unique<Gate>();
        gate->setRules(rules(), Mono{});
    }

    void px05_everyWayOutGivesTheShareBackOnce_data()
    {
        QTest::addColumn<int>("way");
        QTest::newRow("PX-05 released") << 0;
        QTest::newRow("PX-05 destroyed: abort, cancel, exception") << 1;
        QTest::newRow("PX-05 refunded: refused connect") << 2;
        QTest::newRow("PX-05 assigned over") << 3;
        QTest::newRow("PX-05 moved, then released twice") << 4;
    }
    void px05_everyWayOutGivesTheShareBackOnce()
    {
        QFETCH(int, way);
        for (int round = 0; round < 100; ++round) {
            const Mono now{std::chrono::hours(round)};
            Permit permit = permitOf(*gate, now);
            QVERIFY(permit.isValid());
            QCOMPARE(viewOf(*gate, now).out, 1);
            if (way == 0) {
                permit.release();
            } else if (way == 1) {
                const Permit gone(std::move(permit));
            } else if (way == 2) {
                permit.refund(now);
                permit.refund(now);
            } else if (way == 3) {
                permit = Permit();
            } else {
                Permit other(std::move(permit));
                other.release();
                other.release();
                other.refund(now);
                permit.release(); // NOLINT(bugprone-use-after-move): an empty one does nothing
            }
            QVERIFY(!permit.isValid());
            QCOMPARE(viewOf(*gate, now).out, 0);
            QCOMPARE(viewOf(*gate, now).tokens, way == 2 ? 3.0 : 2.0);
        }
    }

    void movingOntoItselfKeepsIt()
    {
        Permit permit = permitOf(*gate);
        Permit &same = permit;
        permit = std::move(same);
        QVERIFY(permit.isValid());
        QCOMPARE(viewOf(*gate).out, 1);
    }

    void outlivesRulesAndGate()
    {
        int heard = 0;
        gate->onFreed([&heard](InstanceId) { ++heard; });
        Permit first = permitOf(*gate), second = permitOf(*gate), third = permitOf(*gate);
        gate->setRules({}, Mono{});
        heard = 0;
        first.release(); // the limiter is out of the list, its instance still hears
        QCOMPARE(heard, 1);
        gate.reset();
        second.release();
        third.refund(Mono{});
        QCOMPARE(heard, 1); // nobody listens
    }

    void refundNeverOverfills()
    {
        Permit permit = permitOf(*gate);
        const Mono later{std::chrono::seconds(2)};
        permit.refund(later);
        QCOMPARE(viewOf(*gate, later).tokens, 3.0);
    }

    void refundDoesNotLetTwoThroughOneBurst()
    {
        auto one = rules();
        one[0].burst = 1;
        gate->setRules(one, Mono{});
        Permit first = permitOf(*gate);
        const Mono later{std::chrono::seconds(1)};
        const Permit second = permitOf(*gate, later);
        QVERIFY(first.isValid() && second.isValid());
        first.refund(later); // had it never asked, the bucket would have run over since
        QVERIFY(!permitOf(*gate, later).isValid());
    }

    void askingAgainFromTheNoticeIsSafe()
    {
        std::vector<Permit> taken;
        std::vector<Permit> out;
        for (int i = 0; i < 3; ++i)
            out.push_back(permitOf(*gate));
        const Mono later{std::chrono::seconds(60)};
        gate->onFreed([&](InstanceId) { taken.push_back(permitOf(*gate, later)); });
        out.clear();
        QCOMPARE(taken.size(), std::size_t{3});
        QCOMPARE(viewOf(*gate, later).out, 3);
        gate->onFreed([this](InstanceId) { gate.reset(); }); // and so is ending it all there
        taken.clear();
        QVERIFY(!gate);
    }

    void noListenerIsFine()
    {
        permitOf(*gate).release();
        gate->onFreed({});
        permitOf(*gate).release();
        QCOMPARE(viewOf(*gate).out, 0);
    }

private:
    std::unique_ptr<Gate> gate;
};

QTEST_GUILESS_MAIN(TestPermit)
#include "tst_permit.moc"
