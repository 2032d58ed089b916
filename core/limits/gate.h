// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <QByteArray>
#include <QVector>
#include <variant>

#include "core/job/job.h"
#include "core/job/moment.h"
#include "core/job/request.h"
#include "core/job/snapshot.h"
#include "core/limits/permit.h"
#include "core/settings/settings.h"

namespace muster {

/// What a request shows to the limiters. References live for the call only.
struct Ask
{
    const Target &target;
    const QByteArray &url;     ///< with secrets by name: `match` globs see it without its query
    const InputColumns &input; ///< for `cost` by column
    QByteArray proxyBudget;    ///< empty: direct
};

/// Not now: which limiter refused, why, and when to ask again. Nothing was taken anywhere.
struct NotUntil
{
    InstanceId instance = 0; ///< whose refusal it is; ask again when it wakes or at `when`
    QByteArray limiter;      ///< its name
    WaitReason reason = WaitReason::Bucket;
    Mono when = monoNever; ///< earliest grant by this instance; monoNever: when a permit returns
};

/// Never: the cost is above the burst, or the cost column holds no number. The row is `refused`.
struct Never
{
    QByteArray limiter;
    QString why;
};

/// All limiters of one crawl: a request gets a permit from every one that matches, or nothing is taken. Lives
/// on the engine thread, one owner (the team); time is an argument. Instances are made on first use and
/// forgotten when idle and full again, which changes no pace.
class Gate final
{
public:
    using Answer = std::variant<Permit, NotUntil, Never>;

    Gate();
    ~Gate();
    Q_DISABLE_COPY_MOVE(Gate)

    /// New rules at `now`: levels are settled at the old rate first and never refilled; permits out keep
    /// counting. The list has passed `check` (names are unique, rates parse); rules that are not `enabled`
    /// are left out.
    void setRules(const QVector<LimiterSettings> &rules, Mono now);
    /// `late` is how late the caller's timer fired: a grant is dated back by at most 20 ms of it.
    Answer admit(const Ask &ask, Mono now, Nanos late = Nanos::zero());
    /// The transport sent once more than was granted: one more cost is charged, as debt where the level is
    /// empty.
    void chargeAgain(const Permit &permit, Mono now);
    /// Most flights that the at-once rules let run to this target at the same time; `fallback` where none
    /// matches.
    int atOnceFor(const Ask &ask, int fallback) const;
    /// Called (engine thread) when a permit came back or a rule was loosened: who waits on it may ask again.
    void onFreed(std::function<void(InstanceId)> freed);
    /// Drops instances that are idle and back at their starting state.
    void forgetIdle(Mono now);
    /// Gauges, without `waiting` and `binding`: those the team knows.
    QVector<std::pair<InstanceId, LimiterView>> views(Moment now) const;

private:
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace muster
