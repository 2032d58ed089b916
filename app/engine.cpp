// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine.h"

#include <atomic>
#include <QBuffer>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QPointer>
#include <QRandomGenerator>
#include <QSemaphore>
#include <QThread>

#include "app/controldesk.h"
#include "app/locking.h"
#include "app/orders.h"
#include "app/secretsource.h"
#include "core/control/writerlock.h"
#include "core/net/brokenfetcher.h"
#include "core/net/qnamfetcher.h"
#include "core/settings/document.h"
#include "core/settings/secretallowlist.h"
#include "core/store/sqlitejobstore.h"
#include "core/team/systemclock.h"

namespace muster {

struct Engine::Private
{
    explicit Private(EnginePlan p)
        : plan(std::move(p))
    {}

    EnginePlan plan;
    std::unique_ptr<WriterLock> lock;
    SqliteJobStore store;
    std::unique_ptr<Fetcher> fetcher;
    std::unique_ptr<RefinePool> refiners = makeRefinePool();
    SystemClock clock;
    std::unique_ptr<ControlDesk> desk;
    QByteArray document;
    QByteArray secretHosts;
    Checked checked;
    Ledger ledger;
    qint64 seq = 0;
    std::unique_ptr<Overwatch> team; ///< last: it uses what stands above
    std::unique_ptr<QThread> importer;
    std::atomic_bool importCancelled = false;
    QString trouble;

    void readProject(Project &p)
    {
        document = p.settings();
        secretHosts = p.secretHosts().value_or(QByteArray());
        ledger = p.ledger();
        seq = p.seq();
    }

    /// Runs on the store thread and comes back: for open(), before anything else is under way.
    template <typename F>
    void onStoreNow(F &&work)
    {
        QSemaphore ready;
        store.post([&](Project &p) {
            work(p);
            ready.release();
        });
        ready.acquire();
    }

    OrStop<void> makeFetcher()
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
};

Engine::Engine(EnginePlan plan, QObject *parent)
    : QObject(parent)
    , d(std::make_unique<Private>(std::move(plan)))
{
    connect(&d->store, &SqliteJobStore::troubled, this, [this](const QString &why) {
        d->trouble = why;
        Q_EMIT logged(why.isEmpty() ? QStringLiteral("the project file can be written again") : why);
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
    if (d->team)
        return d->team->snapshot();
    Snapshot s;
    s.asOf = d->clock.now().utc;
    s.rows = d->ledger;
    s.seq = d->seq;
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
    connect(team, &Overwatch::snapshotReady, this, &Engine::snapshotReady);
    connect(team, &Overwatch::logged, this, &Engine::logged);
    connect(team, &Overwatch::finished, this, [this](const CrawlEnd &end) {
        d->ledger = end.ledger;
        d->seq = d->team->snapshot().seq;
        d->team.release()->deleteLater(); // it is still on the stack
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
    if (d->team)
        d->team->pause();
}

void Engine::resume()
{
    if (d->team)
        d->team->resume();
}

void Engine::stop(Millis grace)
{
    if (d->team)
        d->team->stop(grace);
}

void Engine::importFile(const QString &path, Done<ImportReport> done)
{
    auto file = std::make_shared<QFile>(path);
    if (!file->open(QIODevice::ReadOnly)) {
        done(stopWith(ExitCode::Unreadable, QStringLiteral("%1 cannot be read").arg(path)));
        return;
    }
    importDevice(std::move(file), QFileInfo(path).fileName(), std::move(done));
}

void Engine::importText(const QByteArray &text, const QString &source, Done<ImportReport> done)
{
    auto buffer = std::make_shared<QBuffer>();
    buffer->setData(text);
    buffer->open(QIODevice::ReadOnly);
    importDevice(std::move(buffer), source, std::move(done));
}

void Engine::importDevice(std::shared_ptr<QIODevice> device, const QString &source, Done<ImportReport> done)
{
    if (d->importer) {
        done(stopWith(ExitCode::InUse,
                      QStringLiteral("another import is under way; try again when it is done")));
        return;
    }
    d->importCancelled = false;
    // The reader works on a thread of its own and waits for the store there; this thread goes on.
    d->importer.reset(QThread::create([this, device, source, done] {
        const OnProject onProject = [this](const std::function<void(Project &)> &work) {
            d->onStoreNow(work);
        };
        auto result = importInto(onProject, d->checked.settings, *device, source, d->importCancelled);
        Ledger ledger;
        d->onStoreNow([&](Project &p) { ledger = p.ledger(); });
        QMetaObject::invokeMethod(this, [this, result, ledger, done] {
            d->importer->wait();
            d->importer.reset();
            rowsChanged(ledger);
            done(result);
        });
    }));
    d->importer->start();
}

void Engine::cancelImport()
{
    d->importCancelled = true;
}

void Engine::rowsChanged(const Ledger &ledger)
{
    d->ledger = ledger;
    if (d->team)
        d->team->storeChanged(ledger);
    else
        Q_EMIT snapshotReady(snapshot());
}

void Engine::apply(Project::Verb verb, const QString &where, Done<Project::Changed> done)
{
    QVector<QByteArray> fields;
    for (const FieldSettings &f : d->checked.settings.fields)
        fields += f.name.toUtf8();
    auto selector = Selector::parse(where, fields);
    if (!selector) {
        done(stopWith(ExitCode::Usage, sentence(selector.error())));
        return;
    }
    const Utc at = d->clock.now().utc;
    auto result = std::make_shared<StoreResult<Project::Changed>>();
    auto ledger = std::make_shared<Ledger>();
    d->store.post(
        [=, selector = std::move(*selector)](Project &p) {
            *result = p.apply(verb, selector, at);
            *ledger = p.ledger();
        },
        [this, result, ledger, done] {
            rowsChanged(*ledger);
            if (*result)
                done(**result);
            else
                done(stopWith(result->error()));
        });
}

void Engine::set(const QString &key, const QByteArray &value, Done<void> done)
{
    const auto next = settingsWith(d->document, key, value);
    if (!next) {
        done(stopWith(ExitCode::Usage, sentence(next.error())));
        return;
    }
    auto checked = checkedOrStop(*next);
    if (!checked) {
        done(stopWith(ExitCode::Usage, checked.error().what));
        return;
    }
    const QByteArray from = settingsValue(d->document, key).value_or(QByteArray());
    const bool templateChanged = !sameTemplate(checked->settings, d->checked.settings);
    const Utc at = d->clock.now().utc;
    auto result = std::make_shared<StoreResult<void>>();
    auto ledger = std::make_shared<Ledger>();
    d->store.post(
        [=, document = *next, checked = *checked](Project &p) {
            *result = p.setSettings(document, key, from, value, at);
            if (*result && templateChanged)
                if (const auto again = p.rerender([&](const Job &j) { return renderedAnew(checked, j); });
                    !again)
                    *result = tl::unexpected(again.error());
            *ledger = p.ledger();
        },
        [this, result, ledger, done, document = *next, checked = std::move(*checked)] {
            if (!*result) {
                done(stopWith(result->error()));
                return;
            }
            d->document = document;
            d->checked = checked;
            if (d->team)
                d->team->setOrders(ordersFrom(checked));
            rowsChanged(*ledger);
            done({});
        });
}

void Engine::copyTo(const QString &path, Project::What what, Done<void> done)
{
    auto result = std::make_shared<StoreResult<void>>();
    d->store.post([=](Project &p) { *result = p.copyTo(path, what); },
                  [result, done] { *result ? done({}) : done(stopWith(result->error())); });
}

} // namespace muster
