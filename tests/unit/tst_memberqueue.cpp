// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest/QtTest>
#include <random>

#include "core/team/memberqueue.h"
#include "tests/support/testcrawl.h"

using namespace muster;
using namespace std::chrono_literals;

namespace {

/// A queue whose members are made and armed by the test.
class Bench final
{
public:
    Member *job(const QByteArray &host)
    {
        Job drawn;
        drawn.row = static_cast<qint64>(m_members.size()) + 1;
        drawn.host = host;
        m_members.push_back(std::make_unique<Member>(drawn, now));
        m_members.back()->target.host = host;
        queue.addJob(m_members.back().get(), now);
        return m_members.back().get();
    }
    /// A member of `from` that was redirected to `to`.
    Member *hop(const QByteArray &from, const QByteArray &to)
    {
        Job drawn;
        drawn.row = static_cast<qint64>(m_members.size()) + 1;
        drawn.host = from;
        m_members.push_back(std::make_unique<Member>(drawn, now));
        Member *member = m_members.back().get();
        for (const auto state :
             {MemberState::Arming, MemberState::Armed, MemberState::Flying, MemberState::Hopping})
            member->become(state);
        member->target.host = member->lineHost = to;
        queue.addHop(member, now);
        return member;
    }
    int arm(bool ok = true)
    {
        QVector<Member *> unfit;
        const auto members = queue.takeToArm(
            1000, [](Member &) { return true; }, unfit, now);
        queue.armed(members, ok, now);
        return static_cast<int>(members.size());
    }
    Member *grant()
    {
        Nanos late{};
        HostLine *line = queue.next(now, &late);
        if (!line)
            return nullptr;
        Member *head = line->head();
        queue.granted(line, now);
        return head;
    }
    void refuse(InstanceId instance, Mono when)
    {
        Nanos late{};
        HostLine *line = queue.next(now, &late);
        QVERIFY(line);
        queue.refused(line, {instance, "x", WaitReason::Bucket, when}, now);
    }

    Mono now{1h};
    MemberQueue queue;

private:
    std::vector<std::unique_ptr<Member>> m_members;
};

} // namespace

class TestMemberQueue final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void firstInFirstOut()
    {
        Bench bench;
        Member *first = bench.job("a");
        Member *second = bench.job("a");
        QCOMPARE(bench.grant(), nullptr); // not on disk yet
        QCOMPARE(bench.arm(), 1);         // one ahead is enough for a line nobody knows
        QCOMPARE(bench.grant(), first);
        QCOMPARE(bench.grant(), nullptr);
        QCOMPARE(bench.arm(), 1);
        QCOMPARE(bench.grant(), second);
        QCOMPARE(bench.queue.waiting(), 0);
    }

    void windowFollowsTheGate()
    {
        Bench bench;
        for (int i = 0; i < 200; ++i)
            bench.job("a");
        int widest = 0;
        for (int i = 0; i < 6; ++i) {
            widest = std::max(widest, bench.arm());
            while (bench.grant()) {
            }
        }
        QVERIFY(widest >= 32); // the gate outran the disk
        bench.arm();
        bench.refuse(1, bench.now + 10s);
        bench.now += 10s;
        QVERIFY(bench.grant());
        bench.now += 1s;
        while (bench.grant()) {
        }
        QVERIFY(bench.arm() <= 2); // refused for long: one is enough again
    }

    void armingFails()
    {
        Bench bench;
        Member *member = bench.job("a");
        QCOMPARE(bench.arm(false), 1);
        QCOMPARE(member->state(), MemberState::Drawn);
        QVERIFY(bench.queue.wantsArming());
        QCOMPARE(bench.arm(), 1);
        QCOMPARE(bench.grant(), member);
    }

    void onlyAsManyAreCalledAsAreGranted()
    {
        Bench bench;
        constexpr int hosts = 5000;
        for (int i = 0; i < hosts; ++i)
            bench.job(QByteArray::number(i));
        for (int i = 0; i < 5; ++i)
            bench.arm();
        for (int i = 0; i < hosts; ++i)
            bench.refuse(1, monoNever);
        Nanos late{};
        int asked = 0;
        for (int permit = 0; permit < 100; ++permit) {
            bench.queue.freed(1);
            HostLine *line = bench.queue.next(bench.now, &late);
            QVERIFY(line);
            bench.queue.granted(line, bench.now);
            line = bench.queue.next(bench.now, &late);
            QVERIFY(line);
            bench.queue.refused(line, {1, "x", WaitReason::AtOnce, monoNever}, bench.now);
            QVERIFY(!bench.queue.next(bench.now, &late));
            asked += 2;
        }
        QCOMPARE(asked, 200); // not 100 × 5,000
        const MemberQueue::Standing standing = bench.queue.standings(bench.now)[1];
        QCOMPARE(standing.waiting, hosts - 100);
        QCOMPARE(standing.refusals, hosts + 100);
        QVERIFY(standing.refuses);
        bench.queue.fadeRefusals();
        QCOMPARE(bench.queue.standings(bench.now)[1].refusals, (hosts + 100) / 2.0);
        bench.queue.freed(99); // nobody waits there
        QVERIFY(!bench.queue.next(bench.now, &late));
    }

    void wakesWhenDue()
    {
        Bench bench;
        bench.job("a");
        bench.job("b");
        bench.arm();
        bench.refuse(1, bench.now + 5s);
        bench.refuse(2, bench.now + 3s);
        QCOMPARE(bench.queue.nextWake(), bench.now + 3s);
        bench.now += 4s;
        Nanos late{};
        HostLine *line = bench.queue.next(bench.now, &late);
        QVERIFY(line);
        QCOMPARE(line->host, QByteArray("b"));
        QCOMPARE(late, Nanos(1s));
        bench.queue.granted(line, bench.now);
        QVERIFY(!bench.queue.next(bench.now, &late));
        QCOMPARE(bench.queue.nextWake(), bench.now + 1s);
        bench.queue.callAll(bench.now);
        QVERIFY(bench.grant());
        QCOMPARE(bench.queue.nextWake(), monoNever);
    }

    void theEarlierTimeCounts()
    {
        Bench bench;
        bench.job("a");
        bench.job("b");
        bench.arm();
        bench.refuse(1, monoNever);
        bench.refuse(1, bench.now + 3s);
        QCOMPARE(bench.queue.nextWake(), bench.now + 3s);
    }

    void hopsAndJobsTakeTurns()
    {
        Bench bench;
        QVector<Member *> jobs, hops;
        for (int i = 0; i < 4; ++i) {
            jobs << bench.job("a");
            hops << bench.hop("b", "a");
        }
        QCOMPARE(bench.grant(), hops[0]); // no job is on disk yet
        bench.arm();
        QVector<Member *> order;
        for (int i = 0; i < 6; ++i) {
            order << bench.grant();
            bench.arm();
        }
        QCOMPARE(order, (QVector<Member *>{jobs[0], hops[1], jobs[1], hops[2], jobs[2], hops[3]}));
    }

    void aCrowdHoldsItsSendersBack()
    {
        Bench bench;
        Member *sender = bench.job("a");
        Member *other = bench.job("b");
        for (std::size_t i = 0; i < MemberQueue::crowdOfHops + 5; ++i)
            bench.hop("a", "c");
        QCOMPARE(bench.arm(), 1); // of b only
        QVector<Member *> granted;
        Nanos late{};
        for (int i = 0; i < 5; ++i)
            granted << bench.grant();
        QVERIFY(granted.contains(other) && !granted.contains(sender));
        QCOMPARE(bench.queue.takeHops("c", bench.now).size(), MemberQueue::crowdOfHops + 5 - 4);
        bench.arm();
        QCOMPARE(bench.grant(), sender);
        QVERIFY(!bench.queue.next(bench.now, &late));
    }

    void aCrowdThatShrinksLetsThemGo()
    {
        Bench bench;
        Member *sender = bench.job("a");
        for (std::size_t i = 0; i < MemberQueue::crowdOfHops; ++i)
            bench.hop("a", "c");
        QCOMPARE(bench.arm(), 0);
        QVERIFY(bench.grant());
        QCOMPARE(bench.arm(), 1);
        QVector<Member *> granted;
        while (Member *member = bench.grant())
            granted << member;
        QVERIFY(granted.contains(sender));
        QCOMPARE(granted.size(), static_cast<int>(MemberQueue::crowdOfHops));
        QCOMPARE(bench.queue.takeAllHops(bench.now).size(), 0);
    }

    void shutAndOpen()
    {
        Bench bench;
        Member *waiting = bench.job("a");
        bench.job("a");
        bench.arm();
        bench.queue.shut("a", bench.now); // stands in the ring
        QVERIFY(!bench.grant());
        QCOMPARE(bench.queue.takeDrawn("a", bench.now).size(), 1);
        bench.queue.open("a", bench.now);
        QCOMPARE(bench.grant(), waiting);
        bench.queue.shut("nobody", bench.now);
        bench.queue.open("nobody", bench.now);
        QCOMPARE(bench.queue.takeDrawn("nobody", bench.now).size(), 0);
        QCOMPARE(bench.queue.takeHops("nobody", bench.now).size(), 0);
        bench.queue.forgetIdle();
        QCOMPARE(bench.queue.hostCount(), 0);
    }

    void shutWhileALimiterHasIt()
    {
        Bench bench;
        Member *member = bench.job("a");
        bench.arm();
        bench.refuse(1, bench.now + 1s);
        bench.queue.shut("a", bench.now);
        bench.now += 2s;
        QVERIFY(!bench.grant());
        bench.now += 2s;
        bench.queue.open("a", bench.now);
        QCOMPARE(bench.grant(), member);
        Spent spent = member->spent();
        QCOMPARE(spent[WaitReason::HostClosed], Nanos(4s));
    }

    /// TB11: first in first out for each host; two backlogged hosts are never two turns apart; nobody is
    /// lost.
    void lawTB11()
    {
        std::mt19937 random(testSeed());
        qint64 grants = 0, refusals = 0, cancelled = 0, compared = 0;
        for (int round = 0; round < 300; ++round) {
            Bench bench;
            const int hosts = 2 + static_cast<int>(random() % 8);
            std::vector<std::deque<Member *>> expected(static_cast<std::size_t>(hosts));
            const auto name = [](std::size_t h) { return QByteArray::number(static_cast<int>(h)); };
            for (std::size_t h = 0; h < expected.size(); ++h)
                for (int i = 0; i < 30; ++i)
                    expected[h].push_back(bench.job(name(h)));
            if (random() % 2) { // those who leave take nobody's turn with them
                const std::size_t h = random() % expected.size();
                bench.arm();
                cancelled += bench.queue.takeDrawn(name(h), bench.now).size();
                expected[h].resize(1);
            }
            std::vector<int> served(expected.size());
            int tokens = 0;
            qint64 left = bench.queue.waiting();
            for (int step = 0; left > 0 && step < 4000; ++step) {
                bench.arm();
                if (random() % 3 == 0) {
                    tokens += static_cast<int>(random() % 3);
                    bench.now += Millis(10);
                    bench.queue.freed(1);
                }
                Nanos late{};
                while (HostLine *line = bench.queue.next(bench.now, &late)) {
                    if (tokens == 0) {
                        bench.queue.refused(line, {1, "x", WaitReason::AtOnce, monoNever}, bench.now);
                        ++refusals;
                        continue;
                    }
                    --tokens;
                    --left;
                    ++grants;
                    const auto h = static_cast<std::size_t>(line->host.toInt());
                    QCOMPARE(line->head(), expected[h].front());
                    expected[h].pop_front();
                    ++served[h];
                    bench.queue.granted(line, bench.now);
                    bench.arm();
                    for (std::size_t i = 0; i < expected.size(); ++i)
                        for (std::size_t j = 0; j < i; ++j)
                            if (expected[i].size() > 1 && expected[j].size() > 1) {
                                ++compared;
                                QVERIFY(std::abs(served[i] - served[j]) <= 2);
                            }
                }
            }
            QCOMPARE(left, 0);
        }
        qInfo("grants %lld, refusals %lld, cancelled %lld, compared %lld", grants, refusals, cancelled,
              compared);
        QVERIFY(grants > 20'000 && refusals > 5000 && cancelled > 1000 && compared > 50'000);
    }
};

QTEST_GUILESS_MAIN(TestMemberQueue)
#include "tst_memberqueue.moc"
