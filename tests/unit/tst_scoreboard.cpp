// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest/QtTest>
#include <random>

#include "core/team/member.h"
#include "core/team/scoreboard.h"
#include "tests/support/testcrawl.h"

using namespace muster;
using namespace std::chrono_literals;

class TestScoreboard final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void rates()
    {
        Scoreboard board;
        Mono now{1h};
        for (int i = 0; i < 100; ++i, now += 100ms) {
            board.sent(2, now);
            board.received(1000, now);
        }
        Snapshot s;
        board.fill(s, now);
        QCOMPARE(s.requestsPerSecond, 20.0);
        QCOMPARE(s.bytesPerSecond, 10'000.0);
        Snapshot later;
        board.fill(later, now + 10s);
        QCOMPARE(later.requestsPerSecond, 0.0);
    }

    void failuresAreGrouped()
    {
        Scoreboard board;
        Retired retired;
        retired.move = Move::Fail;
        retired.attempt = AttemptRecord();
        retired.attempt->waits[WaitReason::Bucket] = 5;
        for (int i = 0; i < 300; ++i) {
            retired.job.row = i;
            retired.job.host = QByteArray::number(i % 250);
            retired.failure = {FailureKind::Http4xx, {}, 404, {}};
            board.retired(retired);
        }
        Snapshot s;
        board.fill(s, Mono{1h});
        QCOMPARE(s.failures.size(), 200);
        QCOMPARE(s.failures.first().count, 2);
        QCOMPARE(s.failures.first().code, 404);
        QCOMPARE(s.failures.first().kind, FailureKind::Http4xx);
        QCOMPARE(s.waits[WaitReason::Bucket], 1500);
        QCOMPARE(s.changed.size(), 300);
        for (int i = 0; i < 2000; ++i)
            board.retired(retired);
        board.fill(s, Mono{1h});
        QCOMPARE(s.changed.size(), 2000);
        board.clearChanged();
        Snapshot clear;
        board.fill(clear, Mono{1h});
        QVERIFY(clear.changed.isEmpty());
    }

    /// Whatever the parts, the rounded waits of a member add up to its life in whole milliseconds.
    void waitsAddUp()
    {
        std::mt19937_64 random(testSeed());
        for (int round = 0; round < 2000; ++round) {
            const Mono begin{1h};
            Member member(Job(), begin);
            Mono now = begin;
            for (int i = 0; i < 20; ++i) {
                now += Nanos(random() % 5'000'000);
                if (random() % 2) {
                    member.spend(static_cast<WaitReason>(random() % waitReasonCount), now);
                } else {
                    Spent parts; // as a fetcher may tell them, also more than there was
                    parts[WaitReason::Connect] = Nanos(random() % 4'000'000);
                    parts[WaitReason::Body] = Nanos(random() % 4'000'000);
                    member.spend(parts, WaitReason::Connection, now);
                }
            }
            qint64 sum = 0;
            for (const qint64 ms : member.spent().rounded().ms) {
                QVERIFY(ms >= 0);
                sum += ms;
            }
            QCOMPARE(sum, std::chrono::duration_cast<Millis>(now - begin).count());
        }
    }

    void theRouteHasSteps()
    {
        Member member(Job(), Mono{1h});
        QVERIFY(!member.isFired());
        using enum MemberState;
        for (const MemberState state :
             {Arming, Drawn, Arming, Armed, Flying, Hopping, Flying, Refining, Landed})
            member.become(state);
        QVERIFY(member.isFired());
        member.become(Recording);
        QCOMPARE(member.state(), Recording);
    }
};

QTEST_GUILESS_MAIN(TestScoreboard)
#include "tst_scoreboard.moc"
