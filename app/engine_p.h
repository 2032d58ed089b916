// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <QSemaphore>
#include <QThread>

#include "app/controldesk.h"
#include "app/engine.h"
#include "app/orders.h"
#include "core/control/writerlock.h"
#include "core/net/fetcher.h"
#include "core/store/sqlitejobstore.h"
#include "core/team/systemclock.h"

namespace muster {

/// What an engine holds, in the order in which one thing leans on another: destroyed from the last to the
/// first.
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
    Snapshot resting;                ///< what there is to see while no team works
    std::unique_ptr<Overwatch> team; ///< last: it uses what stands above
    std::unique_ptr<QThread> importer;
    std::atomic_bool importCancelled = false;
    QString trouble;

    void readProject(Project &p)
    {
        document = p.settings();
        secretHosts = p.secretHosts().value_or(QByteArray());
        ledger = p.ledger();
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

    OrStop<void> makeFetcher();
    /// Reads `resting` anew; what cannot be read stays as it was.
    void rest();
};

} // namespace muster
