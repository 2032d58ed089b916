// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest/QtTest>

#include "core/limits/tokenbucket.h"
#include "core/limits/usemeter.h"

using namespace muster;
using Start = TokenBucket::Start;

namespace {
Mono ms(qint64 milliseconds)
{
    return Mono(Millis(milliseconds));
}
bool take(TokenBucket &bucket, Mono now)
{
    if (bucket.readyAt(1, now, now) > now)
        return false;
    bucket.close(bucket.take(1, now, now));
    return true;
}
} // namespace

class TestTokenBucket final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void rl01_noFractionIsLost_data()
    {
        QTest::addColumn<qint64>("grants");
        QTest::addColumn<qint64>("nanos");
        QTest::addColumn<qint64>("step"); // ms between two looks
        QTest::addColumn<qint64>("span"); // s
        QTest::addColumn<qint64>("right");
        for (const qint64 step : {1, 10, 333}) {
            QTest::addRow("RL-01 3/s every %lld ms", step) << 3LL << 1'000'000'000LL << step << 60LL << 185LL;
            QTest::addRow("RL-01 1/7s every %lld ms", step)
                << 1LL << 7'000'000'000LL << step << 700LL << 105LL;
            QTest::addRow("RL-01 0.01/s every %lld ms", step)
                << 1LL << 100'000'000'000LL << step << 1000LL << 15LL;
        }
    }
    void rl01_noFractionIsLost()
    {
        QFETCH(qint64, grants);
        QFETCH(qint64, nanos);
        QFETCH(qint64, step);
        QFETCH(qint64, span);
        QFETCH(qint64, right);
        TokenBucket bucket({grants, nanos}, 5, Start::Full, ms(0));
        qint64 got = 0;
        for (qint64 t = 0; t <= span * 1000; t += step)
            while (take(bucket, ms(t)))
                ++got;
        QVERIFY2(qAbs(got - right) <= 1, qPrintable(QString::number(got)));
    }

    void rl03_longIdleTimesFillToTheBurst_data()
    {
        QTest::addColumn<qint64>("rate");
        QTest::addColumn<qint64>("burst");
        QTest::addColumn<qint64>("idle"); // s
        QTest::newRow("RL-03 30 s") << 1LL << 1LL << 30LL;
        QTest::newRow("RL-03 12 h") << 1000LL << 1000LL << 12 * 3600LL;
        QTest::newRow("RL-03 30 days") << 1000LL << 1000LL << 30 * 86400LL;
        QTest::newRow("RL-03 10 years") << 1000LL << 1000LL << 3650 * 86400LL;
    }
    void rl03_longIdleTimesFillToTheBurst()
    {
        QFETCH(qint64, rate);
        QFETCH(qint64, burst);
        QFETCH(qint64, idle);
        TokenBucket bucket({rate, 1'000'000'000}, burst, Start::Empty, ms(0));
        const Mono now{std::chrono::seconds(idle)};
        QCOMPARE(bucket.tokens(now), static_cast<double>(burst));
        QVERIFY(bucket.isFull(now));
        qint64 got = 0;
        for (int i = 0; i < 2000; ++i)
            got += take(bucket, now);
        QCOMPARE(got, burst);
    }

    void rl08_smallRatesWithTheLeastBurst()
    {
        TokenBucket bucket({1, 2'000'000'000}, 0, Start::Empty, ms(0)); // RL-08: never below one token
        QCOMPARE(bucket.burst(), 1);
        QVector<qint64> granted;
        for (qint64 t = 0; t <= 10'000; t += 100)
            if (take(bucket, ms(t)))
                granted << t;
        QCOMPARE(granted, (QVector<qint64>{2000, 4000, 6000, 8000, 10000}));
    }

    void aMinuteOfLateTimersKeepsTheRate()
    {
        TokenBucket bucket({1000, 1'000'000'000}, 1, Start::Empty, ms(0));
        qint64 got = 0;
        for (qint64 t = 15; t <= 60'000; t += 15) { // 15 grants fall due between two looks
            const Mono earliest = TokenBucket::datedBack(ms(t), Millis(15));
            for (; bucket.readyAt(1, earliest, ms(t)) <= ms(t); ++got)
                bucket.close(bucket.take(1, earliest, ms(t)));
        }
        QCOMPARE(got, 60'000);
    }

    void aWaitBeyondTheTimeLineIsStillATime()
    {
        const Rate aYear{1, 365LL * 86'400'000'000'000};
        TokenBucket bucket(aYear, 1000, Start::Empty, ms(0));
        QVERIFY(bucket.readyAt(1000, ms(0), ms(0)) == monoNever - Nanos(1));
    }

    void aRefundLeavesTheDateOfALateGrant()
    {
        TokenBucket bucket({1, 1'000'000'000}, 1, Start::Full, ms(0));
        const auto first = bucket.take(1, ms(0), ms(0));
        bucket.refund(first, 1);
        const Mono now = ms(1015); // the timer was due at 1000
        bucket.take(1, TokenBucket::datedBack(now, Millis(15)), now);
        QVERIFY(bucket.readyAt(1, now, now) == ms(2000));
    }

    void debtHasAFloor()
    {
        TokenBucket bucket({1, 1'000'000'000}, 1, Start::Full, ms(0));
        for (int i = 0; i < 3; ++i)
            bucket.charge(std::numeric_limits<qint64>::max(), ms(0));
        QCOMPARE(bucket.tokens(ms(0)), -static_cast<double>(TokenBucket::maxDebt));
        bucket.change({3, 7'000'000'000}, 1, ms(0));
        QCOMPARE(bucket.tokens(ms(0)), -static_cast<double>(TokenBucket::maxDebt));
    }

    void debtRoundsDownAtAChange()
    {
        QVERIFY(rescaled(-1, 3, 2) == -1);
        QVERIFY(rescaled(1, 3, 2) == 0);
        QVERIFY(rescaled(-7, 3, 2) == -5);
        QVERIFY(rescaled(7, 3, 2) == 4);
    }

    void ticketsAreGoodOnce()
    {
        TakeLog log;
        const auto a = log.append(5), b = log.append(3);
        log.note(2);
        QVERIFY(log.redeem(a, 4) == 2); // the least room met since
        QVERIFY(log.redeem(a, 4) == 0);
        QVERIFY(log.redeem(b, 4) == 0); // that room is used up
        QVERIFY(log.redeem(77, 4) == 0);
        log.close(b);
        log.close(0);
        QVERIFY(log.isEmpty());
        log.note(1); // nothing open, nothing to remember
        QVERIFY(log.isEmpty());
        const auto c = log.append(9);
        log.rescale(3, 1);
        QVERIFY(c != b && log.redeem(c, 4) == 4);
    }

    void theMeterForgetsAfterFiveSeconds()
    {
        UseMeter meter(ms(-3000));
        QVERIFY(meter.isQuiet(ms(0)));
        for (int i = 0; i < 40; ++i)
            meter.add(ms(i * 250)); // 4 a second
        QCOMPARE(meter.perSecond(ms(10'000)), 4.0);
        QVERIFY(!meter.isQuiet(ms(13'000)));
        QVERIFY(meter.isQuiet(ms(14'000)));
        meter.add(ms(60'000));
        meter.add(ms(59'000)); // a clock that went back
        QCOMPARE(meter.perSecond(ms(60'000)), 0.5);
    }
};

QTEST_GUILESS_MAIN(TestTokenBucket)
#include "tst_tokenbucket.moc"
