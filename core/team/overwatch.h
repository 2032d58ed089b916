// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <QObject>
#include <tl/expected.hpp>

#include "core/job/snapshot.h"
#include "core/limits/gate.h"
#include "core/net/fetcher.h"
#include "core/refine/refinepool.h"
#include "core/settings/settings.h"
#include "core/store/jobstore.h"
#include "core/team/clock.h"

namespace muster {

/// Makes the request of a job from the project's template. A failure makes the row `refused` (kind internal
/// is not used: the reason is in `note`).
using RequestMaker = std::function<tl::expected<Request, Failure>(const Job &)>;

/// Everything the team follows, exchanged whole when a setting changes.
struct Orders
{
    Settings settings;
    std::shared_ptr<const RuleSet> rules;
    RequestMaker makeRequest;
};

/// How a crawl ended.
struct CrawlEnd
{
    enum class Why { Dismissed, Stopped, StoreGone };
    Why why = Why::Dismissed;
    Ledger ledger;
    std::optional<Utc> resumesAt;
    QString message; ///< with StoreGone
};

/// The team. Conscripts jobs from the store, fires members once the gate has granted a permit, retires the
/// finished ones in a batch, retries failures, and is dismissed at the end. One event loop (the engine
/// thread), no mutex, no polling: one timer for the earliest thing due. Owns nothing behind the ports.
class Overwatch final : public QObject
{
    Q_OBJECT

public:
    struct Ports
    {
        Clock &clock;
        JobStore &store;
        Fetcher &fetcher;
        RefinePool &refiners;
    };
    Overwatch(const Ports &ports, Orders orders, Ledger ledger, quint32 seed, QObject *parent = nullptr);
    ~Overwatch() override;
    Q_DISABLE_COPY_MOVE(Overwatch)

    void start();
    void pause();
    void resume();
    /// Flights land up to `grace`, the rest is aborted; everything not final is `queued` again.
    void stop(Millis grace = Millis(10'000));
    /// The flag first; nothing more is conscripted; the rest still fires once.
    void dismiss();
    /// New limits, retry rules, fields: in force for every decision after this call.
    void setOrders(Orders orders);
    /// At most this many tries are sent in this run, then it stops (`--limit`).
    void setLimit(qint64 sends);
    /// Gives back what it has drawn and not armed, so that a change in the store reaches those rows too.
    void recall();
    /// The store took jobs in or changed rows (import, retry, skip): look again.
    void storeChanged(const Ledger &ledger);
    /// Called after the commit, for each job, with what became of it.
    void setServicing(std::function<void(const Retired &, qint64 seq)> servicing);

    Snapshot snapshot() const;
    bool isDismissed() const;

Q_SIGNALS:
    void snapshotReady(const muster::Snapshot &snapshot); ///< every fifth beat while something moves
    void logged(const QString &line);           ///< one line for each retire branch and change of state
    void finished(const muster::CrawlEnd &end); ///< last thing it says; the store holds everything

private:
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace muster

Q_DECLARE_METATYPE(muster::CrawlEnd)
