// SPDX-License-Identifier: GPL-3.0-or-later
#include <map>
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

qint64 anyCount(Dice &dice)
{
    const qint64 n = 2 * dice.in(0, 29) + 1;
    return n % 5 == 0 ? n + 2 : n;
}

/// A rule and the same as plain numbers.
struct PlainRule
{
    QString name;
    bool perHost = false;
    bool full = false;
    std::optional<qint64> grantsPer10s; ///< odd and no multiple of 5: 10 s stays the unit, no change rounds
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
            grantsPer10s = anyCount(dice);
        burst = dice.in(1, 6);
        if (atOnce)
            atOnce = dice.in(1, 6);
    }
};

PlainRule anyRule(Dice &dice, int n)
{
    PlainRule rule{QStringLiteral("l%1").arg(n), dice.chance(60), dice.chance(50), {}, dice.in(1, 6), {}};
    if (dice.chance(75))
        rule.grantsPer10s = anyCount(dice);
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
        for (const PlainRule &rule : rules)
            cellOf(rule, host, now); // an instance begins when it is first asked, whoever refuses
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
};

QTEST_GUILESS_MAIN(TestGateLaws)
#include "tst_gatelaws.moc"
