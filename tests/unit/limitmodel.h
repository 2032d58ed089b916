// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <QtTest/QtTest>
#include <random>
#include <vector>

#include "core/limits/tokenbucket.h"

namespace muster::laws {

inline constexpr int cases = 2000;

/// Random numbers of one law; the seed is printed, MUSTER_SEED repeats a run.
class Dice final
{
public:
    explicit Dice(const char *law)
    {
        const quint64 seed = qEnvironmentVariableIsSet("MUSTER_SEED")
                                 ? qEnvironmentVariable("MUSTER_SEED").toULongLong()
                                 : quint64{QRandomGenerator::global()->generate()};
        m_engine.seed(seed);
        qInfo("%s: MUSTER_SEED=%llu", law, seed);
    }
    qint64 in(qint64 low, qint64 high) { return std::uniform_int_distribution<qint64>(low, high)(m_engine); }
    bool chance(int percent) { return in(1, 100) <= percent; }
    std::mt19937_64 &engine() { return m_engine; }

private:
    std::mt19937_64 m_engine;
};

/// What a law met. A law that met too little proves nothing and fails.
struct Tally
{
    qint64 grants = 0, refusals = 0, changes = 0, edges = 0;

    void print(const char *law) const
    {
        qInfo("%s: %lld grants, %lld refusals, %lld live changes, %lld edges", law, grants, refusals, changes,
              edges);
    }
    bool reaches(const Tally &floor) const
    {
        return grants >= floor.grants && refusals >= floor.refusals && changes >= floor.changes &&
               edges >= floor.edges;
    }
};

/// Rates whose periods divide one number, so that the model is exact in whole units of 1/lcm token.
inline constexpr qint64 lcm = 420'000'000'000;
inline Rate anyRate(Dice &dice)
{
    static constexpr std::array<qint64, 7> periods{
        1'000'000, 100'000'000, 1'000'000'000, 2'000'000'000, 7'000'000'000, 10'000'000'000, 60'000'000'000};
    return {dice.in(1, 40), periods[static_cast<std::size_t>(dice.in(0, periods.size() - 1))]};
}

inline Mono at(qint64 nanos)
{
    return Mono(Nanos(nanos));
}
inline qint64 nanosOf(Mono time)
{
    return time.time_since_epoch().count();
}

/// One thing that befell a bucket, in the order of the calls.
struct Event
{
    enum class Kind { Take, Charge, Change };
    Kind kind = Kind::Take;
    qint64 now = 0;  ///< when the call was made
    qint64 date = 0; ///< for which instant it counts
    qint64 cost = 0;
    Rate rate;
    qint64 burst = 0;
    bool gone = false; ///< given back
};

/// The life of one bucket as a plain list, and what the laws say about it, worked out anew from the whole
/// list each time in units of 1/lcm token. Shares nothing with the code under test.
class History final
{
public:
    History(Rate rate, qint64 burst, bool full, qint64 start)
        : m_rate(rate)
        , m_burst(burst)
        , m_full(full)
        , m_start(start)
    {}

    std::vector<Event> events;

    struct Level
    {
        Wide units;
        qint64 time;
        Rate rate;
        qint64 burst;
    };
    /// The level had what was given back never been asked for.
    Level replay() const
    {
        Level l{m_full ? Wide{m_burst} * lcm : Wide{0}, m_start, m_rate, m_burst};
        for (const Event &e : events) {
            if (e.gone)
                continue;
            forward(l, e.date);
            l.units -= Wide{e.cost} * lcm;
            if (e.kind == Event::Kind::Change) {
                l.rate = e.rate;
                l.burst = e.burst;
                l.units = std::min(l.units, Wide{l.burst} * lcm);
            }
        }
        return l;
    }
    /// When `cost` can be had at the earliest, with `slack` units less than there are.
    Wide due(qint64 cost, qint64 earliest, Wide slack) const
    {
        Level l = replay();
        forward(l, earliest);
        const Wide missing = Wide{cost} * lcm - (l.units - slack);
        const Wide perNano = perNanoOf(l.rate);
        return missing <= 0 ? Wide{l.time} : l.time + (missing + perNano - 1) / perNano;
    }
    /// What roundings at changes of the rate may have cost: under two units of the new rate each.
    Wide slack() const
    {
        Wide units = 0;
        for (const Event &e : events)
            if (e.kind == Event::Kind::Change)
                units += 2 * (lcm / e.rate.nanos);
        return units;
    }
    /// Law TB1 (TB6 with changes) over every window that begins and ends with something sent, at the times of
    /// the calls: sent <= greatest burst + rate × (T + 20 ms) + debt.
    bool bounded(qint64 debt) const
    {
        for (std::size_t i = 0; i < events.size(); ++i) {
            Wide sent = 0;
            for (std::size_t j = i; j < events.size(); ++j) {
                if (events[j].gone || events[j].cost == 0)
                    continue;
                sent += Wide{events[j].cost} * lcm;
                if (sent > allowed(events[i].now - 20'000'000, events[j].now) + Wide{debt} * lcm)
                    return false;
            }
        }
        return true;
    }
    Wide allowed(qint64 from, qint64 to) const
    {
        Rate rate = m_rate;
        qint64 most = 0, burst = m_burst;
        Wide credit = 0;
        qint64 time = std::min(from, m_start);
        const auto walk = [&](qint64 until) {
            const qint64 a = std::max(time, from), b = std::min(until, to);
            if (b >= a) {
                credit += Wide{b - a} * perNanoOf(rate);
                most = std::max(most, burst);
            }
            time = until;
        };
        for (const Event &e : events) {
            if (e.kind != Event::Kind::Change)
                continue;
            walk(e.now);
            rate = e.rate;
            burst = e.burst;
        }
        walk(to);
        return credit + Wide{most} * lcm;
    }
    static Wide perNanoOf(Rate rate) { return Wide{rate.grants} * (lcm / rate.nanos); }

private:
    static void forward(Level &l, qint64 time)
    {
        if (time <= l.time)
            return;
        l.units = std::min(Wide{l.burst} * lcm, l.units + Wide{time - l.time} * perNanoOf(l.rate));
        l.time = time;
    }

    Rate m_rate;
    qint64 m_burst;
    bool m_full;
    qint64 m_start;
};

} // namespace muster::laws
