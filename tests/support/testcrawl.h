// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <QStringList>

#include "core/team/overwatch.h"
#include "tests/support/agenda.h"
#include "tests/support/fakefetcher.h"
#include "tests/support/inlinerefiner.h"
#include "tests/support/memorystore.h"

namespace muster {

/// A whole crawl on the manual clock: the real team and gate over a store in memory and scripted answers.
class TestCrawl final
{
public:
    explicit TestCrawl(quint32 seed = 1);
    ~TestCrawl();
    Q_DISABLE_COPY_MOVE(TestCrawl)

    /// Makes the team from `settings` and `rules` and starts it.
    void start();
    /// Runs until the crawl has ended, at most for `most`. False: it has not.
    bool finish(Nanos most = std::chrono::hours(24));
    void runFor(Nanos span) { agenda.runFor(span); }
    Orders orders() const;
    /// One limiter without a rate, unless the test says more.
    LimiterSettings &limiter(const QString &name, const QString &scope = QStringLiteral("all"));
    double seconds(Mono at) const { return static_cast<double>((at - startedAt).count()) / 1e9; }
    int logLines(const QString &part) const;

    /// What must hold whenever a crawl has ended, however it did: empty, or what is wrong.
    QStringList wrong() const;

    ManualClock clock;
    Agenda agenda{clock};
    MemoryStore store{agenda};
    FakeFetcher fetcher{agenda};
    InlineRefiner refiner{agenda};
    Settings settings;
    std::shared_ptr<const RuleSet> rules;
    std::unique_ptr<Overwatch> team;
    QStringList log;
    QVector<Snapshot> snapshots;
    std::optional<CrawlEnd> end;
    Mono startedAt{};

private:
    quint32 m_seed;
};

/// MUSTER_SEED, or a new seed; it is printed.
quint32 testSeed();

} // namespace muster
