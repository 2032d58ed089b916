// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>
#include <QtTest/QtTest>

#include "tests/unit/limitmodel.h"

using namespace muster;
using namespace muster::laws;
using Start = TokenBucket::Start;

namespace {

/// A bucket and its history, driven at random: takes, refunds, resends and live changes.
class Walk final
{
public:
    Walk(Dice &dice, Tally &tally)
        : m_dice(dice)
        , m_tally(tally)
        , m_now(dice.in(-1'000'000'000, 1'000'000'000))
        , m_full(dice.chance(50))
        , m_rate(anyRate(dice))
        , m_burst(dice.in(1, 12))
        , bucket(m_rate, m_burst, m_full ? Start::Full : Start::Empty, at(m_now))
        , history(m_rate, m_burst, m_full, m_now)
    {}

    void step()
    {
        const qint64 pace = std::max<qint64>(1, m_rate.nanos / m_rate.grants);
        m_now += m_dice.chance(30) ? 0 : m_dice.in(0, m_dice.chance(10) ? 40 * pace : 2 * pace);
        const qint64 what = m_dice.in(1, 100);
        if (what <= 60)
            ask();
        else if (what <= 80)
            giveBack();
        else if (what <= 88)
            settleOne();
        else if (what <= 90)
            charge();
        else
            change();
    }
    qint64 now() const { return m_now; }
    qint64 debt() const { return m_debt; }
    qint64 burst() const { return m_burst; }

    /// The wait the bucket names for `cost`, against the list: never before, and exact but for roundings.
    bool agrees(qint64 cost) const
    {
        const Wide named = nanosOf(bucket.readyAt(cost, at(m_now), at(m_now)));
        const Wide from = std::max<Wide>(m_now, history.due(cost, m_now, 0));
        const Wide to = std::max<Wide>(m_now, history.due(cost, m_now, history.slack()));
        return named >= from && named <= to;
    }

private:
    void ask()
    {
        const qint64 cost = m_dice.chance(70) ? 1 : m_dice.in(1, m_burst);
        const Mono now = at(m_now);
        const Mono earliest =
            TokenBucket::datedBack(now, Nanos(m_dice.chance(50) ? 0 : m_dice.in(-5, 60'000'000)));
        const Mono ready = bucket.readyAt(cost, earliest, now);
        if (ready > now) {
            ++m_tally.refusals;
            return;
        }
        ++m_tally.grants;
        m_open.push_back({bucket.take(cost, earliest, now), history.events.size()});
        history.events.push_back({Event::Kind::Take, m_now, nanosOf(ready), cost, {}, 0, false});
    }
    void giveBack()
    {
        if (m_open.empty())
            return;
        ++m_tally.edges;
        const auto [ticket, index] = pick();
        bucket.refund(ticket, history.events[index].cost);
        history.events[index].gone = true;
    }
    void settleOne()
    {
        if (!m_open.empty())
            bucket.close(pick().first);
    }
    void charge()
    {
        ++m_tally.edges;
        bucket.charge(1, at(m_now));
        ++m_debt;
        history.events.push_back({Event::Kind::Charge, m_now, m_now, 1, {}, 0, false});
    }
    void change()
    {
        ++m_tally.changes;
        if (m_dice.chance(60))
            m_rate = anyRate(m_dice);
        if (m_dice.chance(60))
            m_burst = m_dice.in(1, 12);
        bucket.change(m_rate, m_burst, at(m_now));
        history.events.push_back({Event::Kind::Change, m_now, m_now, 0, m_rate, m_burst, false});
    }
    std::pair<TokenBucket::Ticket, std::size_t> pick()
    {
        const auto at = m_open.begin() + m_dice.in(0, static_cast<qint64>(m_open.size()) - 1);
        const auto picked = *at;
        m_open.erase(at);
        return picked;
    }

    Dice &m_dice;
    Tally &m_tally;
    qint64 m_now;
    bool m_full;
    Rate m_rate;
    qint64 m_burst;
    qint64 m_debt = 0;
    std::vector<std::pair<TokenBucket::Ticket, std::size_t>> m_open;

public:
    TokenBucket bucket;
    History history;
};

} // namespace

class TestLimitLaws final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    /// TB1, TB4, TB6 over what was sent, with refunds, resends, late timers and live changes.
    void tb1_tb4_tb6_boundAndRange()
    {
        Dice dice("TB1 TB4 TB6");
        Tally tally;
        for (int c = 0; c < cases; ++c) {
            Walk walk(dice, tally);
            for (int i = 0; i < 45; ++i) {
                walk.step();
                const double tokens = walk.bucket.tokens(at(walk.now()));
                QVERIFY2(tokens <= static_cast<double>(walk.burst()), qPrintable(QString::number(c)));
                QVERIFY2(tokens >= -static_cast<double>(walk.debt()), qPrintable(QString::number(c)));
            }
            QVERIFY2(walk.history.bounded(walk.debt()), qPrintable(QString::number(c)));
        }
        tally.print("TB1 TB4 TB6");
        QVERIFY(tally.reaches({20'000, 10'000, 5'000, 5'000}));
    }

    /// TB3 and TB5: the wait named is exact at every step, and that of a bucket that was never asked for what
    /// was given back.
    void tb3_tb5_exactWaitAfterRefunds()
    {
        Dice dice("TB3 TB5");
        Tally tally;
        for (int c = 0; c < cases; ++c) {
            Walk walk(dice, tally);
            for (int i = 0; i < 50; ++i) {
                walk.step();
                const qint64 cost = dice.in(1, walk.burst());
                QVERIFY2(walk.agrees(cost), qPrintable(QString::number(c)));
                const Mono when = walk.bucket.readyAt(cost, at(walk.now()), at(walk.now()));
                if (when <= at(walk.now()))
                    continue;
                const Mono before = when - Nanos(1);
                QVERIFY(walk.bucket.readyAt(cost, before, before) > before);
                QVERIFY(walk.bucket.readyAt(cost, when, when) == when);
            }
        }
        tally.print("TB3 TB5");
        QVERIFY(tally.reaches({20'000, 8'000, 4'000, 4'000}));
    }

    /// TB2: with ample demand and timers up to 20 ms late, the rate is used whole; changes at any time.
    void tb2_utilisation()
    {
        Dice dice("TB2");
        Tally tally;
        for (int c = 0; c < cases; ++c) {
            Rate rate = anyRate(dice);
            qint64 burst = dice.in(1, 5);
            qint64 now = 0;
            TokenBucket bucket(rate, burst, Start::Empty, at(0));
            double could = 0;
            qint64 granted = 0;
            const int changeAt = static_cast<int>(dice.in(10, 70));
            for (int i = 0; i < 80; ++i) {
                const qint64 due = nanosOf(bucket.readyAt(1, at(now), at(now)));
                const qint64 late = dice.in(0, 20'000'000);
                could += static_cast<double>(due + late - now) * rate.perSecond() / 1e9;
                tally.refusals += due > now;
                now = due + late;
                const Mono earliest = TokenBucket::datedBack(at(now), Nanos(late));
                while (bucket.readyAt(1, earliest, at(now)) <= at(now)) {
                    bucket.close(bucket.take(1, earliest, at(now)));
                    ++granted;
                }
                if (i == changeAt) {
                    ++tally.changes;
                    rate = anyRate(dice);
                    burst = dice.in(1, 5);
                    bucket.change(rate, burst, at(now));
                }
            }
            tally.grants += granted;
            QVERIFY2(static_cast<double>(granted) >= 0.999 * could - 1.001, qPrintable(QString::number(c)));
            QVERIFY2(static_cast<double>(granted) <= could + 1.001, qPrintable(QString::number(c)));
        }
        tally.print("TB2");
        QVERIFY(tally.reaches({150'000, 120'000, 2'000, 0}));
    }

    /// TB7: a clock that goes back gives and takes nothing; one that leaps forward gives the burst at most.
    void tb7_clock()
    {
        Dice dice("TB7");
        Tally tally;
        for (int c = 0; c < cases; ++c) {
            Walk walk(dice, tally);
            for (int i = 0; i < 20; ++i)
                walk.step();
            TokenBucket &bucket = walk.bucket;
            bucket.change(bucket.rate(), bucket.burst(), at(walk.now())); // its last time is now
            const Mono back = at(walk.now() - dice.in(1, 1'000'000'000'000));
            ++tally.edges;
            QCOMPARE(bucket.tokens(back), bucket.tokens(at(walk.now())));
            const Mono asked = bucket.readyAt(1, back, back);
            const Mono asNow = bucket.readyAt(1, at(walk.now()), at(walk.now()));
            QVERIFY(asNow == at(walk.now()) ? asked == back : asked == asNow);
            const Mono leap = at(walk.now() + dice.in(0, 1'000'000'000'000'000'000));
            qint64 got = 0;
            for (; bucket.readyAt(1, leap, leap) <= leap; ++got)
                bucket.take(1, leap, leap);
            tally.grants += got;
            QVERIFY(got <= bucket.burst());
            bucket.change(bucket.rate(), bucket.burst(),
                          back); // and a change in the past settles nothing twice
            ++tally.changes;
            QVERIFY(bucket.readyAt(1, leap, leap) > leap);
        }
        tally.print("TB7");
        QVERIFY(tally.reaches({10'000, 3'000, 2'000, 2'000}));
    }

    /// TB8: 1 a year to a million a second, bursts to 2^31, leaps to 2^62 ns, changes between such.
    void tb8_extremes()
    {
        Dice dice("TB8");
        Tally tally;
        static constexpr std::array<Rate, 8> rates{Rate{1, 365LL * 86'400'000'000'000},
                                                   Rate{1, 86'400'000'000'000},
                                                   Rate{1'000'000, 1'000'000'000},
                                                   Rate{1, 1'000},
                                                   Rate{1'000, 1'000'000},
                                                   Rate{7, 10'000'000'000},
                                                   Rate{31'536'000'000'000, 365LL * 86'400'000'000'000},
                                                   Rate{1, 7'000'000'000}};
        static constexpr std::array<qint64, 4> bursts{1, 2, TokenBucket::maxBurst - 1, TokenBucket::maxBurst};
        const auto any = [&dice](const auto &list) {
            return list[static_cast<std::size_t>(dice.in(0, static_cast<qint64>(list.size()) - 1))];
        };
        for (int c = 0; c < cases; ++c) {
            const qint64 begin = dice.chance(20) ? -(qint64{1} << 61) : 0;
            TokenBucket bucket(any(rates), any(bursts), dice.chance(50) ? Start::Full : Start::Empty,
                               at(begin));
            Mono now = at(begin);
            for (int i = 0; i < 20; ++i) {
                const qint64 left = (monoNever - now).count() - 2;
                now += Nanos(dice.in(0, std::min(left, qint64{1} << dice.in(1, 62))));
                tally.edges += now > at(qint64{1} << 60);
                const qint64 cost = dice.chance(50) ? 1 : dice.in(1, bucket.burst());
                const Mono when = bucket.readyAt(cost, now, now);
                if (when <= now) {
                    ++tally.grants;
                    bucket.take(cost, now, now);
                } else {
                    ++tally.refusals;
                    QVERIFY(when < monoNever);
                    if (when < monoNever - Nanos(1))
                        QVERIFY(bucket.readyAt(cost, when, when) == when);
                }
                const double tokens = bucket.tokens(now);
                QVERIFY2(std::isfinite(tokens) && tokens >= 0 &&
                             tokens <= static_cast<double>(bucket.burst()),
                         qPrintable(QString::number(c)));
                if (dice.chance(30)) {
                    ++tally.changes;
                    bucket.change(any(rates), any(bursts), now);
                    QVERIFY(bucket.tokens(now) <= tokens * (1 + 1e-12)); // a double's own rounding
                }
            }
        }
        tally.print("TB8");
        QVERIFY(tally.reaches({10'000, 5'000, 8'000, 1'000}));
    }

    /// TB9: with no time passing, level = burst - sent - outstanding at every step.
    void tb9_conservation()
    {
        Dice dice("TB9");
        Tally tally;
        for (int c = 0; c < cases; ++c) {
            const qint64 burst = dice.in(1, 40);
            TokenBucket bucket({1, 1'000'000'000}, burst, Start::Full, at(0));
            qint64 granted = 0, sent = 0, refunded = 0;
            std::vector<std::pair<TokenBucket::Ticket, qint64>> out;
            for (int i = 0; i < 60; ++i) {
                const qint64 cost = dice.in(1, std::min<qint64>(3, burst));
                if (dice.chance(50)) {
                    if (bucket.readyAt(cost, at(0), at(0)) <= at(0)) {
                        out.push_back({bucket.take(cost, at(0), at(0)), cost});
                        granted += cost;
                        ++tally.grants;
                    } else {
                        ++tally.refusals;
                    }
                } else if (!out.empty()) {
                    const auto [ticket, amount] = out.back();
                    out.pop_back();
                    ++tally.edges;
                    if (dice.chance(50)) {
                        bucket.refund(ticket, amount);
                        refunded += amount;
                    } else {
                        bucket.close(ticket);
                        sent += amount;
                    }
                } else {
                    ++tally.changes; // a change of the rate changes no count
                    bucket.change({dice.in(1, 9), 1'000'000'000}, burst, at(0));
                }
                qint64 outstanding = 0;
                for (const auto &o : out)
                    outstanding += o.second;
                QCOMPARE(granted, sent + refunded + outstanding);
                QCOMPARE(bucket.tokens(at(0)), static_cast<double>(burst - sent - outstanding));
            }
        }
        tally.print("TB9");
        QVERIFY(tally.reaches({20'000, 2'000, 2'000, 20'000}));
    }

    /// TB12: buckets that start empty keep the bound across restarts.
    void tb12_restarts()
    {
        Dice dice("TB12");
        Tally tally;
        for (int c = 0; c < cases; ++c) {
            Rate rate = anyRate(dice);
            const qint64 pace = std::max<qint64>(1, rate.nanos / rate.grants);
            qint64 burst = dice.in(1, 8), now = 0;
            History history(rate, burst, false, 0);
            for (int run = 0; run < 5; ++run) {
                TokenBucket bucket(rate, burst, Start::Empty, at(now));
                ++tally.edges;
                for (int i = 0; i < 15; ++i) {
                    now += dice.in(0, 2 * pace);
                    if (dice.chance(10)) {
                        ++tally.changes;
                        rate = anyRate(dice);
                        burst = dice.in(1, 8);
                        bucket.change(rate, burst, at(now));
                        history.events.push_back({Event::Kind::Change, now, now, 0, rate, burst, false});
                    }
                    if (bucket.readyAt(1, at(now), at(now)) > at(now)) {
                        ++tally.refusals;
                        continue;
                    }
                    ++tally.grants;
                    bucket.close(bucket.take(1, at(now), at(now)));
                    history.events.push_back({Event::Kind::Take, now, now, 1, {}, 0, false});
                }
            }
            QVERIFY2(history.bounded(0), qPrintable(QString::number(c)));
        }
        tally.print("TB12");
        QVERIFY(tally.reaches({20'000, 10'000, 5'000, 10'000}));
    }
};

QTEST_GUILESS_MAIN(TestLimitLaws)
#include "tst_limitlaws.moc"
