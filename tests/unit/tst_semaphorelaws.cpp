// SPDX-License-Identifier: GPL-3.0-or-later
#include <deque>
#include <QThread>
#include <QtTest/QtTest>

#include "core/limits/gate.h"
#include "tests/unit/limitmodel.h"

using namespace muster;
using namespace muster::laws;

namespace {

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

class TestSemaphoreLaws final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
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

QTEST_GUILESS_MAIN(TestSemaphoreLaws)
#include "tst_semaphorelaws.moc"
