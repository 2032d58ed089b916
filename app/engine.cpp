// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine.h"

#include <QJsonDocument>
#include <QRandomGenerator>

#include "app/engine_p.h"
#include "app/filesnapshot.h"
#include "app/locking.h"
#include "app/secretsource.h"
#include "core/net/brokenfetcher.h"
#include "core/net/qnamfetcher.h"
#include "core/settings/secretallowlist.h"

namespace muster {

namespace {

/// The gauges after a crawl: the levels stay to be seen, nobody waits any more.
QVector<LimiterView> atRest(QVector<LimiterView> limiters)
{
    for (LimiterView &l : limiters) {
        l.waiting = 0;
        l.binding = false;
        l.nextGrant.reset();
        l.usedPerSecond = 0;
    }
    return limiters;
}

} // namespace

OrStop<void> Engine::Private::makeFetcher()
{
    if (plan.brokenNetwork) {
        fetcher = std::make_unique<BrokenFetcher>();
        return {};
    }
    auto secrets = secretsFor(*checked.requestTemplate, plan.secretsFile);
    if (!secrets)
        return tl::unexpected(secrets.error());
    auto allowed = SecretAllowList::fromJson(QJsonDocument::fromJson(secretHosts).array());
    if (!allowed)
        return stopWith(ExitCode::Unreadable, sentence(allowed.error()));
    if (const Problems problems = secretHostProblems(checked.settings, *secrets, *allowed);
        !problems.isEmpty())
        return stopWith(ExitCode::Unreadable, sentence(problems.constFirst()));
    auto real = std::make_unique<QnamFetcher>();
    real->setSecrets(std::make_shared<const SecretBook>(std::move(secrets->book)));
    real->setSecretHosts([list = std::move(*allowed), sources = std::move(secrets->sources)](
                             const QByteArray &name, const QByteArray &host) {
        const auto source = sources.find(name);
        return source != sources.end() && list.allows(name, source->second, host);
    });
    fetcher = std::move(real);
    return {};
}

void Engine::Private::rest()
{
    if (auto read = snapshotOfFile(plan.project, clock.now().utc)) {
        read->limiters = std::move(resting.limiters);
        resting = std::move(*read);
    }
}

Engine::Engine(EnginePlan plan, QObject *parent)
    : QObject(parent)
    , d(std::make_unique<Private>(std::move(plan)))
{
    connect(&d->store, &SqliteJobStore::troubled, this, [this](const QString &why) {
        d->trouble = why;
        Q_EMIT troubled(why);
        Q_EMIT snapshotReady(snapshot());
    });
}

Engine::~Engine()
{
    cancelImport();
    if (d->importer)
        d->importer->wait();
    d->team.reset(); // before what it works with
    d->desk.reset();
}

OrStop<void> Engine::open()
{
    auto lock = takeLock(d->plan.project, d->plan.program, true);
    if (!lock)
        return tl::unexpected(lock.error());
    d->lock = std::move(*lock);
    if (const auto opened = d->store.open(d->plan.project); !opened)
        return stopWith(opened.error());
    for (const QString &note : d->store.openingNotes())
        Q_EMIT logged(note);
    d->onStoreNow([this](Project &p) { d->readProject(p); });
    d->rest();
    auto checked = checkedOrStop(d->document);
    if (!checked)
        return tl::unexpected(checked.error());
    d->checked = std::move(*checked);
    if (auto made = d->makeFetcher(); !made)
        return made;
    d->desk = std::make_unique<ControlDesk>(*this);
    return d->desk->listen(*d->lock);
}

Snapshot Engine::snapshot() const
{
    if (d->team) {
        Snapshot s = d->team->snapshot();
        if (!d->trouble.isEmpty())
            s.reason = d->trouble;
        return s;
    }
    Snapshot s = d->resting;
    s.asOf = d->clock.now().utc;
    s.reason = d->trouble;
    return s;
}

WriterInfo Engine::writer() const
{
    return d->lock ? d->lock->info() : WriterInfo();
}

QByteArray Engine::document() const
{
    return d->document;
}

bool Engine::isRunning() const
{
    return d->team != nullptr;
}

void Engine::start()
{
    if (d->team) {
        resume();
        return;
    }
    d->team = std::make_unique<Overwatch>(Overwatch::Ports{d->clock, d->store, *d->fetcher, *d->refiners},
                                          ordersFrom(d->checked), d->ledger,
                                          QRandomGenerator::global()->generate());
    Overwatch *team = d->team.get();
    connect(team, &Overwatch::snapshotReady, this, [this] { Q_EMIT snapshotReady(snapshot()); });
    connect(team, &Overwatch::logged, this, &Engine::logged);
    connect(team, &Overwatch::finished, this, [this](const CrawlEnd &end) {
        d->ledger = end.ledger;
        d->resting.limiters = atRest(d->team->snapshot().limiters);
        d->team.release()->deleteLater(); // it is still on the stack
        d->rest();
        Q_EMIT snapshotReady(snapshot());
        Q_EMIT ended(end);
    });
    team->setServicing([this](const Retired &retired, qint64 seq) {
        const auto state = moved(JobState::InFlight, retired.move);
        Q_EMIT recorded(retired.job.row, jobStateName(state.value_or(JobState::Queued)), seq);
    });
    if (d->plan.limit)
        team->setLimit(*d->plan.limit);
    team->start();
}

void Engine::pause()
{
    if (d->team) {
        d->team->pause();
        Q_EMIT snapshotReady(snapshot()); // nothing may move for long; who shows it must not wait
    }
}

void Engine::resume()
{
    if (d->team) {
        d->team->resume();
        Q_EMIT snapshotReady(snapshot());
    }
}

void Engine::stop(Millis grace)
{
    if (d->team)
        d->team->stop(grace);
}

} // namespace muster
