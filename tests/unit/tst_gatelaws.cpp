// SPDX-License-Identifier: GPL-3.0-or-later
#include <deque>
#include <map>
#include <QThread>
#include <QtTest/QtTest>

#include "core/limits/gate.h"
#include "core/limits/grant.h"
#include "tests/unit/limitmodel.h"

using namespace muster;
using namespace muster::laws;

namespace {

QByteArray hostOf(qint64 n)
{
    return 'h' + QByteArray::number(n) + ".example";
}

/// A rule and the same as plain numbers.
struct PlainRule
{
    QString name;
    bool perHost = false;
    bool full = false;
    std::optional<qint64> grantsPer10s; ///< rates whose unit divides the model's
    qint64 burst = 1;
    std::optional<qint64> atOnce;

    LimiterSettings settings() const
    {
        LimiterSettings s;
        s.name = name;
        s.scope = perHost ? QStringLiteral("host") : QStringLiteral("all");
        s.start = full ? QStringLiteral("full") : QStringLiteral("empty");
        if (grantsPer10s)
            s.rate = QString::number(*grantsPer10s) + QStringLiteral("/10s");
        s.burst = burst;
        s.atOnce = atOnce;
        return s;
    }
    void shake(Dice &dice)
    {
        if (grantsPer10s && dice.chance(60))
            grantsPer10s = dice.in(1, 60);
        burst = dice.in(1, 6);
        if (atOnce)
            atOnce = dice.in(1, 6);
    }
};

PlainRule anyRule(Dice &dice, int n)
{
    PlainRule rule{QStringLiteral("l%1").arg(n), dice.chance(60), dice.chance(50), {}, dice.in(1, 6), {}};
    if (dice.chance(75))
        rule.grantsPer10s = dice.in(1, 60);
    if (!rule.grantsPer10s || dice.chance(50))
        rule.atOnce = dice.in(1, 6);
    return rule;
}

/// The same limits as lists: one history and one count for each rule and host.
class Model final
{
public:
    struct Cell
    {
        History history;
        qint64 out = 0;
    };
    std::vector<PlainRule> rules;
    std::map<std::pair<QString, QByteArray>, Cell> cells;

    /// What the gate must answer: nothing when it grants, else the time, monoNever for a full share.
    std::optional<Wide> refusal(const QByteArray &host, qint64 now)
    {
        std::optional<Wide> latest;
        for (const PlainRule &rule : rules) {
            const Cell &cell = cellOf(rule, host, now);
            if (rule.atOnce && cell.out >= *rule.atOnce)
                return Wide{nanosOf(monoNever)};
            const Wide due = rule.grantsPer10s ? cell.history.due(1, now, 0) : Wide{now};
            if (due > now)
                latest = std::max(latest.value_or(due), due);
        }
        return latest;
    }
    /// Where each rule's event of this grant stands.
    std::vector<std::pair<Cell *, std::size_t>> grant(const QByteArray &host, qint64 now)
    {
        std::vector<std::pair<Cell *, std::size_t>> shares;
        for (const PlainRule &rule : rules) {
            Cell &cell = cellOf(rule, host, now);
            ++cell.out;
            shares.push_back({&cell, cell.history.events.size()});
            cell.history.events.push_back({Event::Kind::Take, now, now, 1, {}, 0, false});
        }
        return shares;
    }
    void changed(qint64 now)
    {
        for (auto &[key, cell] : cells)
            for (const PlainRule &rule : rules)
                if (rule.name == key.first)
                    cell.history.events.push_back(
                        {Event::Kind::Change, now, now, 0, rateOf(rule), rule.burst, false});
    }

private:
    static Rate rateOf(const PlainRule &rule) { return {rule.grantsPer10s.value_or(1), 10'000'000'000}; }
    Cell &cellOf(const PlainRule &rule, const QByteArray &host, qint64 now)
    {
        const auto key = std::pair(rule.name, rule.perHost ? host : QByteArray());
        return cells.try_emplace(key, Cell{History(rateOf(rule), rule.burst, rule.full, now)}).first->second;
    }
};

struct Flight
{
    Permit permit;
    std::vector<std::pair<Model::Cell *, std::size_t>> shares;
};

/// One gate and its model, driven at random.
class Yard final
{
public:
    Yard(Dice &dice, Tally &tally)
        : m_dice(dice)
        , m_tally(tally)
    {
        const auto count = dice.in(1, 4);
        for (int i = 0; i < count; ++i)
            model.rules.push_back(anyRule(dice, i));
        apply();
        for (qint64 host = 0; host < 3; ++host) // all instances begin with the gate, and none at a change
            ask(host);
    }

    Gate gate;
    Model model;
    std::vector<Flight> flights;
    qint64 now = 0;
    qint64 forgotten = 0;

    void step()
    {
        now += m_dice.chance(30) ? 0 : m_dice.in(0, m_dice.chance(5) ? 200'000'000'000 : 2'000'000'000);
        const qint64 what = m_dice.in(1, 100);
        if (what <= 60)
            ask(m_dice.in(0, 2));
        else if (what <= 85)
            land();
        else if (what <= 93)
            shake();
        else
            forget();
    }
    bool agreed() const { return m_agreed; }

    /// Shares out by the gate's own gauges against the model, and never above what the rules allow a grant.
    bool countsAgree() const
    {
        qint64 ours = 0, theirs = 0;
        for (const auto &view : gate.views({at(now), {}}))
            theirs += view.second.out;
        for (const auto &cell : model.cells)
            ours += cell.second.out;
        return ours == theirs;
    }

private:
    void ask(qint64 number)
    {
        const QByteArray host = hostOf(number), url = "http://" + host + "/";
        const Target target = targetOf(url);
        const auto before = levels();
        const auto expected = model.refusal(host, now);
        auto answer = gate.admit({target, url, {}, {}}, at(now));
        if (auto *permit = std::get_if<Permit>(&answer)) {
            ++m_tally.grants;
            m_agreed = m_agreed && !expected;
            flights.push_back({std::move(*permit), model.grant(host, now)});
        } else {
            ++m_tally.refusals;
            const NotUntil refused = std::get<NotUntil>(answer);
            m_agreed = m_agreed && expected && *expected == nanosOf(refused.when);
            const auto after = levels(); // the gate may have begun new instances, the old ones are untouched
            for (const auto &[id, level] : before)
                m_agreed = m_agreed && after.contains(id) && after.at(id) == level;
        }
    }
    void land()
    {
        if (flights.empty())
            return;
        ++m_tally.edges;
        std::swap(flights[static_cast<std::size_t>(m_dice.in(0, static_cast<qint64>(flights.size()) - 1))],
                  flights.back());
        Flight &flight = flights.back();
        const bool refund = m_dice.chance(40);
        for (const auto &[cell, index] : flight.shares) {
            --cell->out;
            cell->history.events[index].gone = refund;
        }
        if (refund)
            flight.permit.refund(at(now));
        flights.pop_back(); // else destroying it is the way out
    }
    void forget()
    {
        const auto before = gate.views({}).size();
        gate.forgetIdle(at(now));
        forgotten += before - gate.views({}).size();
    }
    void shake()
    {
        ++m_tally.changes;
        for (PlainRule &rule : model.rules)
            rule.shake(m_dice);
        model.changed(now);
        apply();
    }
    void apply()
    {
        QVector<LimiterSettings> rules;
        for (const PlainRule &rule : model.rules)
            rules << rule.settings();
        gate.setRules(rules, at(now));
    }
    std::map<InstanceId, std::pair<std::optional<double>, qint64>> levels() const
    {
        std::map<InstanceId, std::pair<std::optional<double>, qint64>> all;
        for (const auto &[id, view] : gate.views({at(now), {}}))
            all[id] = {view.tokens, view.out};
        return all;
    }

    Dice &m_dice;
    Tally &m_tally;
    bool m_agreed = true;
};

/// Waiters of one at-once rule who ask only when they are told.
class Crowd final
{
public:
    explicit Crowd(qint64 limit)
        : m_limit(limit)
    {
        gate.onFreed([this](InstanceId) { serve(); });
        resize(limit);
    }
    void resize(qint64 limit)
    {
        m_limit = limit;
        LimiterSettings rule;
        rule.name = QStringLiteral("s");
        rule.atOnce = limit;
        gate.setRules({rule}, Mono{});
    }
    void join(qint64 waiter)
    {
        waiters.push_back(waiter);
        if (waiters.size() == 1)
            serve();
    }
    /// In the order of arrival, until one is refused.
    void serve()
    {
        while (!waiters.empty()) {
            const QByteArray url("http://a.example/");
            const Target target = targetOf(url);
            auto answer = gate.admit({target, url, {}, {}}, Mono{});
            auto *permit = std::get_if<Permit>(&answer);
            if (!permit) {
                ++refusals;
                return;
            }
            kept = kept && static_cast<qint64>(out.size()) < m_limit;
            ++grants;
            out.push_back(std::move(*permit));
            waiters.pop_front();
        }
    }

    Gate gate;
    std::deque<qint64> waiters;
    std::vector<Permit> out;
    qint64 grants = 0, refusals = 0;
    bool kept = true;

private:
    qint64 m_limit;
};

/// Lives on the engine thread; the posts come from everywhere.
class Engine final : public QObject
{
    Q_OBJECT

public:
    explicit Engine(bool full)
        : m_history({20, 1'000'000'000}, 3, full, 0)
    {
        rule.name = QStringLiteral("t");
        rule.rate = QStringLiteral("20/s");
        rule.start = full ? QStringLiteral("full") : QStringLiteral("empty");
        rule.burst = 3;
        rule.atOnce = 4;
        gate.setRules({rule}, at(0));
    }
    void ask()
    {
        m_now += 7'000'000;
        const QByteArray url("http://a.example/");
        const Target target = targetOf(url);
        auto answer = gate.admit({target, url, {}, {}}, at(m_now));
        if (auto *permit = std::get_if<Permit>(&answer)) {
            ++tally.grants;
            kept = kept && static_cast<qint64>(m_out.size()) < *rule.atOnce;
            m_out.push_back({std::move(*permit), m_history.events.size()});
            m_history.events.push_back({Event::Kind::Take, m_now, m_now, 1, {}, 0, false});
        } else {
            ++tally.refusals;
        }
    }
    void land(bool refund)
    {
        if (m_out.empty())
            return;
        ++tally.edges;
        if (refund) {
            m_out.front().first.refund(at(m_now));
            m_history.events[m_out.front().second].gone = true;
        }
        m_out.pop_front();
    }
    void change(int perSecond, qint64 burst, qint64 atOnce)
    {
        ++tally.changes;
        rule.rate = QString::number(perSecond) + QStringLiteral("/s");
        rule.burst = burst;
        rule.atOnce = atOnce;
        gate.setRules({rule}, at(m_now));
        m_history.events.push_back(
            {Event::Kind::Change, m_now, m_now, 0, {perSecond, 1'000'000'000}, burst, false});
    }
    bool lawful() const { return kept && m_history.bounded(0); }
    bool drains()
    {
        m_out.clear();
        const auto views = gate.views({at(m_now), {}});
        return std::all_of(views.begin(), views.end(), [](const auto &v) { return v.second.out == 0; });
    }

    Gate gate;
    LimiterSettings rule;
    Tally tally;
    bool kept = true;

private:
    qint64 m_now = 0;
    History m_history;
    std::deque<std::pair<Permit, std::size_t>> m_out;
};

} // namespace

class TestGateLaws final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    /// TB10 with TB1, TB3, TB5, TB6, TB9: the gate grants exactly when every rule alone would, names the
    /// exact time, and a refusal leaves every instance as it was. Forgetting in between changes no answer.
    void tb10_allOrNothing()
    {
        Dice dice("TB10");
        Tally tally;
        qint64 forgotten = 0;
        for (int c = 0; c < cases; ++c) {
            Yard yard(dice, tally);
            for (int i = 0; i < 40; ++i) {
                yard.step();
                QVERIFY2(yard.agreed(), qPrintable(QStringLiteral("case %1, step %2").arg(c).arg(i)));
                QVERIFY2(yard.countsAgree(), qPrintable(QString::number(c)));
            }
            forgotten += yard.forgotten;
            for (const auto &cell : yard.model.cells)
                if (std::any_of(
                        yard.model.rules.begin(), yard.model.rules.end(),
                        [&cell](const PlainRule &r) { return r.name == cell.first.first && r.grantsPer10s; }))
                    QVERIFY2(cell.second.history.bounded(0), qPrintable(QString::number(c)));
        }
        tally.print("TB10");
        qInfo("TB10: %lld instances forgotten", forgotten);
        QVERIFY(forgotten >= 500);
        QVERIFY(tally.reaches({10'000, 20'000, 4'000, 5'000}));
    }

    /// S1, S2, S3: never more out than the limit lets in, each share back once on every way out, a shrunk
    /// limit kills nobody and grants nothing until it is met, a grown one wakes as many as there is room for;
    /// a cancelled half of the waiters costs no wake-up.
    void s1_s2_s3_semaphore()
    {
        Dice dice("S1 S2 S3");
        Tally tally;
        for (int c = 0; c < cases; ++c) {
            Crowd crowd(dice.in(1, 8));
            qint64 limit = 8;
            for (int i = 0; i < 60; ++i) {
                const qint64 what = dice.in(1, 100);
                if (what <= 50) {
                    crowd.join(i);
                } else if (what <= 75 && !crowd.out.empty()) {
                    ++tally.edges;
                    Permit permit = std::move(crowd.out.back());
                    crowd.out.pop_back();
                    if (dice.chance(30))
                        permit.release();
                    else if (dice.chance(30))
                        permit.refund(Mono{});
                    else if (dice.chance(30))
                        permit = Permit();
                } else if (what <= 85) {
                    std::shuffle(crowd.waiters.begin(), crowd.waiters.end(), dice.engine());
                    crowd.waiters.resize(crowd.waiters.size() / 2);
                } else {
                    ++tally.changes;
                    limit = dice.in(1, 8);
                    const auto out = static_cast<qint64>(crowd.out.size());
                    const auto waiting = static_cast<qint64>(crowd.waiters.size());
                    crowd.resize(limit);
                    const qint64 woken = static_cast<qint64>(crowd.out.size()) - out;
                    QCOMPARE(woken, std::min(waiting, std::max<qint64>(0, limit - out)));
                }
                QVERIFY2(crowd.kept, qPrintable(QString::number(c)));
                const auto views = crowd.gate.views({});
                if (!views.isEmpty()) {
                    const LimiterView view = views[0].second;
                    QCOMPARE(view.out, static_cast<qint64>(crowd.out.size()));
                    QVERIFY(crowd.waiters.empty() || view.out >= *view.atOnce); // no wake-up was lost
                }
            }
            while (!crowd.out.empty()) {
                const Permit last = std::move(crowd.out.back());
                crowd.out.pop_back();
            }
            QVERIFY(crowd.waiters.empty());
            tally.grants += crowd.grants;
            tally.refusals += crowd.refusals;
        }
        tally.print("S1 S2 S3");
        QVERIFY(tally.reaches({20'000, 10'000, 5'000, 10'000}));
    }

    /// TB13: queued posts from 8 threads onto the one engine thread keep the laws.
    void tb13_threads()
    {
        Dice dice("TB13");
        Tally tally;
        constexpr int rounds = cases / 8, posts = 25; // 2,000 threads, 50,000 random posts
        for (int c = 0; c < rounds; ++c) {
            QThread thread;
            auto *engine = new Engine(dice.chance(50));
            engine->moveToThread(&thread);
            connect(&thread, &QThread::finished, engine, &QObject::deleteLater);
            thread.start();
            std::vector<std::unique_ptr<QThread>> posters;
            for (int p = 0; p < 8; ++p) {
                const auto seed = dice.in(0, 1'000'000'000);
                posters.emplace_back(QThread::create([engine, seed] {
                    std::mt19937_64 random(static_cast<quint64>(seed));
                    for (int i = 0; i < posts; ++i) {
                        const auto n = static_cast<int>(random() % 100);
                        QMetaObject::invokeMethod(
                            engine,
                            [engine, n] {
                                if (n < 60)
                                    engine->ask();
                                else if (n < 95)
                                    engine->land(n < 70);
                                else
                                    engine->change(1 + n % 40, 1 + n % 5, 1 + n % 6);
                            },
                            Qt::QueuedConnection);
                    }
                }));
                posters.back()->start();
            }
            for (const auto &poster : posters)
                QVERIFY(poster->wait());
            bool lawful = false, drained = false;
            QMetaObject::invokeMethod(
                engine,
                [&] {
                    lawful = engine->lawful();
                    drained = engine->drains();
                    tally.grants += engine->tally.grants;
                    tally.refusals += engine->tally.refusals;
                    tally.changes += engine->tally.changes;
                    tally.edges += engine->tally.edges;
                },
                Qt::BlockingQueuedConnection);
            thread.quit();
            QVERIFY(thread.wait());
            QVERIFY(lawful && drained);
        }
        tally.print("TB13");
        QVERIFY(tally.reaches({500, 2'000, 300, 500}));
    }
};

QTEST_GUILESS_MAIN(TestGateLaws)
#include "tst_gatelaws.moc"
