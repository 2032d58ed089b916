// SPDX-License-Identifier: GPL-3.0-or-later
// Overwatch: what it says about itself.
#include <algorithm>

#include "core/team/overwatch_p.h"

namespace muster {

namespace {

constexpr qsizetype mostViews = 200;
constexpr std::chrono::seconds forgetEvery{60};

Utc utcOf(Mono when, Moment t)
{
    return t.utc + std::chrono::ceil<Millis>(when - t.mono);
}

} // namespace

void Overwatch::Private::tellWhenDue(Moment t)
{
    if (!hasMoved || t.mono < lastTold + tellEvery)
        return;
    hasMoved = false;
    lastTold = t.mono;
    Q_EMIT q->snapshotReady(snapshot());
    board.clearChanged();
    queue.fadeRefusals();
    if (t.mono >= lastForgotten + forgetEvery) {
        lastForgotten = t.mono;
        gate.forgetIdle(t.mono);
        book.forgetIdle(t.mono);
        queue.forgetIdle();
    }
}

Snapshot Overwatch::Private::snapshot() const
{
    const Moment t = clock.now();
    Snapshot s;
    s.asOf = t.utc;
    switch (mode) {
    case Mode::Idle:
        s.state = CrawlState::Idle;
        break;
    case Mode::Running:
        s.state = dismissed ? CrawlState::Draining : CrawlState::Running;
        break;
    case Mode::Paused:
        s.state = CrawlState::Paused;
        break;
    case Mode::Stopping:
        s.state = CrawlState::Draining;
        break;
    case Mode::Ended:
        s.state = CrawlState::Finished;
        break;
    }
    s.rows = ledger;
    // Members that are armed ahead of their permit are `in_flight` on disk and have not been sent.
    const qint64 ahead = std::max<qint64>(0, ledger[JobState::InFlight] - fired);
    s.rows[JobState::InFlight] -= ahead;
    s.rows[JobState::Queued] += ahead;
    s.members = queue.waiting();
    s.inFlight = inFlight;
    s.seq = seq;
    board.fill(s, t.mono);
    addLimiters(s, t);
    addHosts(s, t);
    if (inFlight == 0 && mode == Mode::Running) {
        s.reason = reasonFor(s);
        s.resumesAt = resumesAt(s);
    }
    return s;
}

/// Why nothing is fired, in words.
QString Overwatch::Private::reasonFor(const Snapshot &s) const
{
    if (!trouble.what.isEmpty())
        return QStringLiteral("waits for the project file: %1").arg(trouble.what);
    for (const LimiterView &view : s.limiters)
        if (view.waiting > 0)
            return QStringLiteral("waits for limiter %1").arg(QString::fromUtf8(view.name));
    if (!s.hosts.isEmpty() && s.hosts.first().state == HostState::Closed)
        return QStringLiteral("%1 told us to wait").arg(QString::fromUtf8(s.hosts.first().host));
    if (nextDue)
        return QStringLiteral("waits to retry");
    return {};
}

std::optional<Utc> Overwatch::Private::resumesAt(const Snapshot &s) const
{
    std::optional<Utc> at = nextDue;
    const auto earlier = [&at](const std::optional<Utc> &when) {
        if (when)
            at = at ? std::min(*at, *when) : when;
    };
    for (const LimiterView &view : s.limiters)
        earlier(view.nextGrant);
    for (const HostView &host : s.hosts)
        earlier(host.until);
    return at;
}

/// Binding is the instance that refused most of late, refuses still and has somebody waiting: without it
/// those would have been sent. Refusals fade instead of being forgotten, because a slow limiter refuses once
/// and then holds for many snapshots. Where nobody may be fired at all (pause, cap) no limiter is to blame.
void Overwatch::Private::addLimiters(Snapshot &s, Moment t) const
{
    const QHash<InstanceId, MemberQueue::Standing> standings = queue.standings(t.mono);
    const bool mayBind = mode == Mode::Running && mayFire();
    double mostRefusals = 0;
    LimiterView *binding = nullptr;
    auto views = gate.views(t);
    for (auto &[id, view] : views) {
        const MemberQueue::Standing standing = standings.value(id);
        view.waiting = standing.waiting;
        if (standing.waiting > 0 && standing.when < monoNever)
            view.nextGrant = utcOf(standing.when, t);
        if (mayBind && standing.refuses && standing.waiting > 0 && standing.refusals > mostRefusals) {
            mostRefusals = standing.refusals;
            binding = &view;
        }
    }
    if (binding)
        binding->binding = true;
    // A rule of scope host has thousands of instances: what is sorted are pointers, and only those shown.
    std::vector<LimiterView *> order;
    order.reserve(static_cast<std::size_t>(views.size()));
    for (auto &[id, view] : views)
        order.push_back(&view);
    const auto shown = std::min(views.size(), mostViews);
    std::partial_sort(order.begin(), order.begin() + shown, order.end(),
                      [](const LimiterView *a, const LimiterView *b) {
                          // Equal ones stay as the gate lists them: their addresses rise.
                          return std::tie(b->binding, b->usedPerSecond, b->waiting, a) <
                                 std::tie(a->binding, a->usedPerSecond, a->waiting, b);
                      });
    s.limiters.reserve(shown);
    for (qsizetype i = 0; i < shown; ++i)
        s.limiters.append(std::move(*order[static_cast<std::size_t>(i)]));
}

void Overwatch::Private::addHosts(Snapshot &s, Moment t) const
{
    const auto countsOf = [this](HostView &view) {
        view.inFlight = book.inFlight(view.host);
        if (const auto it = queue.lines().find(view.host); it != queue.lines().end())
            view.waiting = static_cast<qint64>(it->second->jobs.size() + it->second->hops.size());
    };
    for (const auto &[until, host] : book.closedHosts()) {
        if (s.hosts.size() >= mostViews)
            return;
        HostView view{host, HostState::Closed, utcOf(until, t), QStringLiteral("it told us to wait"), 0, 0};
        countsOf(view);
        s.hosts.append(view);
    }
    QVector<HostView> open;
    for (const auto &[host, line] : queue.lines()) {
        HostView view;
        view.host = host;
        countsOf(view);
        if (!line->isShut && (view.waiting > 0 || view.inFlight > 0))
            open.append(view);
    }
    const auto room = std::min(open.size(), mostViews - s.hosts.size());
    std::partial_sort(
        open.begin(), open.begin() + room, open.end(), [](const HostView &a, const HostView &b) {
            return std::tie(b.inFlight, b.waiting, a.host) < std::tie(a.inFlight, a.waiting, b.host);
        });
    s.hosts += open.mid(0, room);
}

} // namespace muster
