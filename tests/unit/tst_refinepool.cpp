// SPDX-License-Identifier: GPL-3.0-or-later
#include <atomic>
#include <QSemaphore>
#include <QtTest/QtTest>

#include "core/refine/refinepool.h"

using namespace muster;

namespace {

/// Answers with the status as a field; waits at the gate where it is given one.
class FakeRules final : public RuleSet
{
public:
    std::optional<Failure> failing(const Answer &answer) const override
    {
        if (gate)
            gate->acquire();
        ++judged;
        if (answer.status == 429)
            return Failure{FailureKind::RateLimited, "rule-0", 429, {}};
        return std::nullopt;
    }
    tl::expected<Refined, Failure> refine(const Answer &answer) const override
    {
        if (answer.status == 204)
            return tl::unexpected(Failure{FailureKind::Refine, "empty", 204, {}});
        return Refined{QByteArray::number(answer.status), {}};
    }
    bool isEmpty() const override { return false; }

    QSemaphore *gate = nullptr;
    mutable std::atomic<int> judged{0};
};

Answer withStatus(int status)
{
    Answer answer;
    answer.status = status;
    return answer;
}

} // namespace

class TestRefinePool final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyAnswerComesBackOnceOnTheOwnersThread()
    {
        const auto rules = std::make_shared<FakeRules>();
        const auto pool = makeRefinePool();
        constexpr int jobs = 2000;
        QVector<int> seen(jobs, 0);
        int left = jobs;
        for (int i = 0; i < jobs; ++i) {
            pool->submit(rules, withStatus(1000 + i), true, [&, i](RefineResult result) {
                QCOMPARE(QThread::currentThread(), thread());
                QCOMPARE(result.refined->fields, QByteArray::number(1000 + i));
                ++seen[i];
                --left;
            });
        }
        QCOMPARE(pool->running(), jobs); // nothing comes back before the owner's loop runs
        QTRY_COMPARE(left, 0);
        QCOMPARE(seen, QVector<int>(jobs, 1));
        QCOMPARE(pool->running(), 0);
    }

    void verdicts()
    {
        const auto rules = std::make_shared<FakeRules>();
        const auto pool = makeRefinePool();
        std::optional<RefineResult> rule, failed, notAccepted;
        pool->submit(rules, withStatus(429), true, [&](RefineResult r) { rule = r; });
        pool->submit(rules, withStatus(204), true, [&](RefineResult r) { failed = r; });
        pool->submit(rules, withStatus(500), false, [&](RefineResult r) { notAccepted = r; });
        QTRY_COMPARE(pool->running(), 0);
        QCOMPARE(rule->rule->kind, FailureKind::RateLimited);
        QCOMPARE(failed->refined.error().detail, QByteArray("empty"));
        QVERIFY(!notAccepted->rule);
        QVERIFY(notAccepted->refined->fields.isEmpty());
    }

    void destructionWaitsAndDropsCallbacks()
    {
        QSemaphore gate;
        const auto rules = std::make_shared<FakeRules>();
        rules->gate = &gate;
        auto pool = makeRefinePool();
        int called = 0;
        for (int i = 0; i < 50; ++i)
            pool->submit(rules, withStatus(200), true, [&called](RefineResult) { ++called; });
        gate.release(50);
        pool.reset();
        const int judged = rules->judged;
        QCoreApplication::processEvents();
        QCOMPARE(called, 0);
        QCOMPARE(int(rules->judged), judged); // nothing runs any more
    }

    void aCallbackMayEndThePool()
    {
        const auto rules = std::make_shared<FakeRules>();
        auto pool = makeRefinePool();
        int called = 0;
        for (int i = 0; i < 20; ++i)
            pool->submit(rules, withStatus(200), true, [&](RefineResult) {
                ++called;
                pool.reset();
            });
        QTRY_COMPARE(called, 1);
        QCoreApplication::processEvents();
        QCOMPARE(called, 1);
    }
};

QTEST_GUILESS_MAIN(TestRefinePool)
#include "tst_refinepool.moc"
