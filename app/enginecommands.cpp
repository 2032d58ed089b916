// SPDX-License-Identifier: GPL-3.0-or-later
#include <QBuffer>
#include <QFile>
#include <QFileInfo>

#include "app/console.h"
#include "app/engine_p.h"
#include "core/settings/document.h"

namespace muster {

void Engine::importFile(const QString &path, Done<ImportReport> done)
{
    auto file = std::make_shared<QFile>(path);
    if (!file->open(QIODevice::ReadOnly)) {
        done(stopWith(ExitCode::Unreadable, whyUnreadable(path)));
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
    if (d->team) {
        d->team->storeChanged(ledger);
    } else {
        d->rest();
        Q_EMIT snapshotReady(snapshot());
    }
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
    if (d->team)
        d->team->recall();
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
    auto fits = checkedFor(d->plan.project, *next);
    if (!fits) {
        done(stopWith(ExitCode::Usage, fits.error().what));
        return;
    }
    const auto checked = std::make_shared<const Checked>(std::move(*fits));
    const bool templateChanged = !sameTemplate(checked->settings, d->checked.settings);
    if (templateChanged && d->team) {
        // Members that wait in the team hold requests of the old template.
        done(stopWith(
            ExitCode::Usage,
            key + QStringLiteral(": this changes every request; stop the crawl, set it, and start again")));
        return;
    }
    const QByteArray from = settingsValue(d->document, key).value_or(QByteArray());
    const Utc at = d->clock.now().utc;
    const auto result = std::make_shared<StoreResult<Project::Changed>>();
    const auto ledger = std::make_shared<Ledger>();
    Project::Rerender render;
    if (templateChanged)
        render = [checked](const Job &job) { return renderedAnew(*checked, job); };
    d->store.post(
        [=, document = *next](Project &p) {
            *result = p.setSettings(document, key, from, value, at, render);
            *ledger = p.ledger();
        },
        [this, result, ledger, done, checked, document = *next] {
            if (!*result) {
                done(stopWith(result->error()));
                return;
            }
            d->document = document;
            d->checked = *checked;
            if (d->team)
                d->team->setOrders(ordersFrom(*checked));
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
