// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest/QtTest>
#include <random>

#include "core/team/retrybudget.h"
#include "core/team/retrypolicy.h"
#include "tests/support/testcrawl.h"

using namespace muster;
using Chance = RetryPolicy::Chance;
using Kind = FailureKind;

class TestRetryPolicy final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void chances_data()
    {
        QTest::addColumn<Failure>("failure");
        QTest::addColumn<int>("chance");
        const auto row = [](const char *name, const Failure &failure, Chance chance) {
            QTest::newRow(name) << failure << static_cast<int>(chance);
        };
        row("F01", {Kind::Connect, "refused", 0, {}}, Chance::Often);
        row("F02", {Kind::ConnectTimeout, {}, 0, {}}, Chance::Often);
        row("F03", {Kind::ClosedEarly, {}, 0, {}}, Chance::Often);
        row("F03 POST", {Kind::ClosedEarly, "send_uncertain", 0, {}}, Chance::Never);
        row("F06", {Kind::Dns, "nxdomain", 0, {}}, Chance::Never);
        row("F07", {Kind::Dns, "servfail", 0, {}}, Chance::Often);
        row("F15", {Kind::FirstByteTimeout, {}, 0, {}}, Chance::Often);
        row("F19", {Kind::Malformed, {}, 0, {}}, Chance::Never);
        row("F20", {Kind::TooLarge, "headers", 0, {}}, Chance::Never);
        row("F24", {Kind::Malformed, "1xx", 103, {}}, Chance::Once);
        row("F36", {Kind::Malformed, "chunk", 200, {}}, Chance::Once);
        row("F30", {Kind::Truncated, {}, 200, {}}, Chance::Often);
        row("F37", {Kind::Stalled, {}, 200, {}}, Chance::Often);
        row("F38", {Kind::TotalTimeout, {}, 200, {}}, Chance::Often);
        row("F40", {Kind::Redirect, "loop", 302, {}}, Chance::Never);
        row("F43", {Kind::BlockedAddress, {}, 0, {}}, Chance::Never);
        row("F50", {Kind::Tls, "expired", 0, {}}, Chance::Never);
        row("F60", {Kind::Decode, "truncated", 200, {}}, Chance::Once);
        row("F63", {Kind::Decode, "unsupported", 200, {}}, Chance::Never);
        row("F65", {Kind::ErrorRule, "rule 1", 200, {}}, Chance::Once);
        row("F69", {Kind::Refine, "limit", 200, {}}, Chance::Never);
        row("F71", {Kind::RateLimited, {}, 429, {}}, Chance::Free);
        row("F74", {Kind::Http5xx, {}, 502, {}}, Chance::Often);
        row("F74 520", {Kind::Http5xx, {}, 522, {}}, Chance::Often);
        row("501", {Kind::Http5xx, {}, 501, {}}, Chance::Never);
        row("F75", {Kind::Http4xx, {}, 404, {}}, Chance::Never);
        row("F78", {Kind::Http4xx, {}, 425, {}}, Chance::Often);
        row("F79", {Kind::Http5xx, {}, 999, {}}, Chance::Never);
        row("304", {Kind::UnexpectedStatus, {}, 304, {}}, Chance::Never);
        row("proxy", {Kind::Proxy, "down", 0, {}}, Chance::Often);
        row("none", {}, Chance::Never);
    }
    void chances()
    {
        QFETCH(Failure, failure);
        QFETCH(int, chance);
        const RetryPolicy policy{Settings()};
        QCOMPARE(static_cast<int>(policy.chance(failure)), chance);
        // RT2: final classes get one try, others their share, told to wait as many as it takes.
        const std::map<Chance, int> most{
            {Chance::Never, 0}, {Chance::Once, 1}, {Chance::Often, 3}, {Chance::Free, 1000}};
        for (int tries = 1; tries < 8; ++tries)
            QCOMPARE(policy.triesAgain(failure, tries), tries <= most.at(static_cast<Chance>(chance)));
    }

    void noRetriesAtAll()
    {
        Settings settings;
        settings.team.maxRetries = 0;
        const RetryPolicy policy(settings);
        QVERIFY(!policy.triesAgain({Kind::Connect, {}, 0, {}}, 1));
        QVERIFY(!policy.triesAgain({Kind::Decode, {}, 0, {}}, 1));
        QVERIFY(policy.triesAgain({Kind::RateLimited, {}, 429, {}}, 0));
    }

    void trouble()
    {
        const RetryPolicy policy{Settings()};
        QVERIFY(policy.isTrouble({Kind::Connect, {}, 0, {}}));
        QVERIFY(policy.isTrouble({Kind::Http5xx, {}, 500, {}}));
        QVERIFY(!policy.isTrouble({Kind::Http4xx, {}, 404, {}}));
        QVERIFY(!policy.isTrouble({Kind::Refine, {}, 200, {}}));
        QVERIFY(!policy.isTrouble({}));
        QCOMPARE(policy.budgetShare(), 0.2);
    }

    /// RT1: d = min(60, 1 × 2ⁿ) × U; without jitter the whole of it.
    void lawRT1()
    {
        std::mt19937 random(testSeed());
        std::uniform_real_distribution<double> u(0, 1);
        const RetryPolicy policy{Settings()};
        int capped = 0;
        for (int i = 0; i < 10'000; ++i) {
            const int tries = 1 + static_cast<int>(random() % 40);
            const double jitter = u(random);
            const double most = std::min(60.0, std::pow(2.0, tries - 1));
            capped += most == 60.0 ? 1 : 0;
            QCOMPARE(policy.delay(tries, jitter), Millis(std::llround(most * jitter * 1000)));
        }
        QVERIFY(capped > 5000);
        Settings plain;
        plain.retry.jitter = QStringLiteral("none");
        QCOMPARE(RetryPolicy(plain).delay(3, 0.01), Millis(4000));
    }

    /// RT3: in any 10 min retries are at most 10 + 0.2 × first tries + 60 while there is no good answer.
    void lawRT3()
    {
        std::mt19937 random(testSeed());
        int granted = 0, refused = 0;
        for (int round = 0; round < 60; ++round) {
            RetryBudget budget;
            std::vector<std::pair<Mono, bool>> events; // true: a first try
            Mono now{std::chrono::hours(1)};
            const int step = 1 + static_cast<int>(random() % 20'000);
            for (int i = 0; i < 400; ++i) {
                now += Millis(static_cast<qint64>(random()) % step);
                if (random() % 3 == 0) {
                    budget.firstTry(now);
                    events.emplace_back(now, true);
                } else if (budget.take(now, 0.2, false)) {
                    events.emplace_back(now, false);
                    ++granted;
                } else {
                    ++refused;
                }
            }
            for (std::size_t from = 0; from < events.size(); ++from) {
                int retries = 0, firsts = 0;
                // A share counts the first tries of the slots that the window touches, 10 s more at its
                // start.
                for (const auto &[at, isFirst] : events) {
                    if (at >= events[from].first + std::chrono::minutes(10))
                        break;
                    firsts += isFirst &&
                              at >= events[from].first - std::chrono::minutes(10) - std::chrono::seconds(20);
                    retries += !isFirst && at >= events[from].first;
                }
                QVERIFY(retries <= 10 + 0.2 * firsts + 61);
            }
        }
        qInfo("granted %d, refused %d", granted, refused);
        QVERIFY(granted > 3000 && refused > 2000);
    }

    void budgetIsFreeAfterAGoodAnswer()
    {
        RetryBudget budget;
        const Mono now{std::chrono::hours(1)};
        for (int i = 0; i < 10; ++i)
            QVERIFY(budget.take(now, 0.2, false));
        QVERIFY(budget.take(now, 0.2, false)); // one more in these 10 s
        QVERIFY(!budget.take(now, 0.2, false));
        QVERIFY(budget.take(now, 0.2, true));
        QVERIFY(budget.take(now + std::chrono::seconds(10), 0.2, false));
        QVERIFY(!budget.take(now + std::chrono::seconds(19), 0.2, false));
        QVERIFY(budget.take(now + std::chrono::minutes(11), 0.2, false)); // forgotten
    }
};

Q_DECLARE_METATYPE(muster::Failure)
QTEST_GUILESS_MAIN(TestRetryPolicy)
#include "tst_retrypolicy.moc"
