// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <QByteArray>
#include <QHash>
#include <QVector>
#include <set>

#include "core/job/moment.h"
#include "core/team/retrybudget.h"

namespace muster {

/// What the team knows about each host of this run: whether it told us to wait, how it may be asked again
/// after that, and what its retries may cost (spec 3 "told to wait", spec 6 budget). Engine thread, owned by
/// the team. Closings run on the monotonic clock, so a wall clock set by hand opens nothing early.
class HostBook final
{
public:
    /// One answer that told us to wait.
    struct Refusal
    {
        qint64 row = 0;
        Mono sentAt{};               ///< when the refused request left
        std::optional<Millis> given; ///< by Retry-After
    };
    /// What a refusal did.
    struct Closing
    {
        Mono until{};
        bool hopeless = false; ///< refused ten times as spec 3 says: the job is `failed`
    };

    bool isClosed(const QByteArray &host, Mono now) const;
    std::optional<Mono> closedUntil(const QByteArray &host, Mono now) const;
    /// Whether one more request may go out: open, and within what a slow reopening allows.
    bool mayFire(const QByteArray &host, Mono now) const;
    int inFlight(const QByteArray &host) const;

    void fired(const QByteArray &host);
    void landed(const QByteArray &host);
    /// The host told us to wait. `refusals`: how often this job was refused, this time with it.
    Closing refused(const QByteArray &host, const Refusal &refusal, int refusals, Mono now);
    /// A whole answer that is neither a refusal nor in `retry.statuses`; `good`: below 400.
    void answered(const QByteArray &host, Mono sentAt, bool good);
    /// The last try got no answer or one of `retry.statuses`.
    void troubled(const QByteArray &host);
    /// Closed in an earlier run.
    void restore(const QByteArray &host, Mono until);

    void firstTry(const QByteArray &host, Mono now);
    /// Takes one retry out of the host's budget; false: it has to wait.
    bool takeRetry(const QByteArray &host, Mono now, double share);

    /// Hosts whose closing is over at `now`: each is named once.
    QVector<QByteArray> reopen(Mono now);
    Mono nextReopening() const;
    const std::set<std::pair<Mono, QByteArray>> &closedHosts() const { return m_closed; }
    int knownHosts() const { return static_cast<int>(m_hosts.size()); }
    /// Forgets hosts about which there is nothing to remember.
    void forgetIdle(Mono now);

private:
    struct Host;
    Host *find(const QByteArray &host) const;
    Host &at(const QByteArray &host);
    void close(const QByteArray &name, Host &host, Mono until);

    QHash<QByteArray, std::shared_ptr<Host>> m_hosts;
    std::set<std::pair<Mono, QByteArray>> m_closed; ///< by time, for the one timer
};

} // namespace muster
