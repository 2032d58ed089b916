// SPDX-License-Identifier: GPL-3.0-or-later
// What the team itself costs for each job: choosing among hosts, five limiters, arming, retiring. Store,
// fetcher and rules are the tests' fakes on a clock moved by hand, so the figure holds their cost as well and
// is an upper bound. The target is 60 us of CPU a job with 5,000 hosts (release build).
#include <benchmark/benchmark.h>

#include "tests/support/testcrawl.h"

using namespace muster;

namespace {

/// Five rules of every scope that all match, wide enough that a crawl ends, narrow enough that they refuse.
void addLimiters(TestCrawl &crawl)
{
    LimiterSettings &all = crawl.limiter(QStringLiteral("all"));
    all.rate = QStringLiteral("2000/s");
    all.burst = 20;
    crawl.limiter(QStringLiteral("open")).atOnce = 500;
    LimiterSettings &host = crawl.limiter(QStringLiteral("host"), QStringLiteral("host"));
    host.rate = QStringLiteral("1/s");
    host.atOnce = 2;
    crawl.limiter(QStringLiteral("site"), QStringLiteral("site")).rate = QStringLiteral("5/s");
    LimiterSettings &path = crawl.limiter(QStringLiteral("path"), QStringLiteral("host"));
    path.match = QStringLiteral("*.example/*");
    path.rate = QStringLiteral("2/s");
}

void perJob(benchmark::State &state)
{
    const int hosts = static_cast<int>(state.range(0));
    constexpr int jobsOfAHost = 4;
    for (auto _ : state) {
        state.PauseTiming();
        auto crawl = std::make_unique<TestCrawl>();
        addLimiters(*crawl);
        crawl->fetcher.keepsStarts = false;
        crawl->settings.team.memberCap = 1000;
        for (int host = 0; host < hosts; ++host)
            crawl->store.add("http://h" + QByteArray::number(host) + ".example/", jobsOfAHost);
        state.ResumeTiming();
        crawl->start();
        if (!crawl->finish() || crawl->store.count(JobState::Done) != hosts * jobsOfAHost)
            state.SkipWithError("the crawl did not end");
        state.PauseTiming();
        crawl.reset();
        state.ResumeTiming();
    }
    state.counters["us/job"] = benchmark::Counter(static_cast<double>(hosts * jobsOfAHost) *
                                                      static_cast<double>(state.iterations()) / 1e6,
                                                  benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}
BENCHMARK(perJob)->Arg(1)->Arg(500)->Arg(5000)->Unit(benchmark::kMillisecond);

} // namespace

BENCHMARK_MAIN();
