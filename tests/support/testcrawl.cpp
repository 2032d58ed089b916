// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/testcrawl.h"

#include <QRandomGenerator>

namespace muster {

TestCrawl::TestCrawl(quint32 seed)
    : m_seed(seed)
{
    settings.limiters.clear();
}

TestCrawl::~TestCrawl() = default;

LimiterSettings &TestCrawl::limiter(const QString &name, const QString &scope)
{
    LimiterSettings limiter;
    limiter.name = name;
    limiter.scope = scope;
    settings.limiters.append(limiter);
    return settings.limiters.last();
}

Orders TestCrawl::orders() const
{
    const QString method = settings.request.method;
    return {settings, rules, [method](const Job &job) -> tl::expected<Request, Failure> {
                if (job.url.contains("impossible"))
                    return tl::unexpected(
                        Failure{FailureKind::None, {}, 0, QStringLiteral("column `q` is empty")});
                Request request;
                request.method = method.toLatin1();
                request.url.text = job.url;
                request.headers = {{"X-Key", {"canary", {}}}};
                if (request.isWrite()) {
                    request.headers.append({"Content-Type", {"text/plain", {}}});
                    request.body.text = "body";
                }
                return request;
            }};
}

void TestCrawl::start()
{
    team = std::make_unique<Overwatch>(Overwatch::Ports{clock, store, fetcher, refiner}, orders(),
                                       store.ledger(), m_seed);
    QObject::connect(team.get(), &Overwatch::logged, team.get(),
                     [this](const QString &line) { log.append(line); });
    QObject::connect(team.get(), &Overwatch::snapshotReady, team.get(),
                     [this](const Snapshot &s) { snapshots.append(s); });
    QObject::connect(team.get(), &Overwatch::finished, team.get(), [this](const CrawlEnd &e) { end = e; });
    startedAt = clock.now().mono;
    team->start();
}

bool TestCrawl::finish(Nanos most)
{
    agenda.runFor(most, [this] { return end.has_value(); });
    return end.has_value();
}

int TestCrawl::logLines(const QString &part) const
{
    return static_cast<int>(log.filter(part).size());
}

QStringList TestCrawl::wrong() const
{
    QStringList out = store.wrong;
    if (fetcher.inFlight() != 0)
        out << QStringLiteral("%1 flights are left").arg(fetcher.inFlight());
    if (store.count(JobState::InFlight) != 0)
        out << QStringLiteral("%1 rows are left in flight").arg(store.count(JobState::InFlight));
    if (!store.ledger().balanced())
        out << QStringLiteral("the ledger does not balance");
    for (const auto &[number, row] : store.rows())
        if (row.isOut)
            out << QStringLiteral("row %1 is still out").arg(number);
    if (team)
        for (const LimiterView &view : team->snapshot().limiters)
            if (view.out != 0)
                out << QStringLiteral("limiter %1 has %2 permits out")
                           .arg(QString::fromUtf8(view.name))
                           .arg(view.out);
    return out;
}

quint32 testSeed()
{
    const quint32 seed = qEnvironmentVariableIsSet("MUSTER_SEED")
                             ? static_cast<quint32>(qEnvironmentVariableIntValue("MUSTER_SEED"))
                             : QRandomGenerator::global()->generate();
    qInfo("seed: MUSTER_SEED=%u", seed);
    return seed;
}

} // namespace muster
