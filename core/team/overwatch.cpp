// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/team/overwatch.h"

#include <algorithm>

#include "core/team/overwatch_p.h"

namespace muster {

Overwatch::Private::Private(Overwatch *overwatch, const Ports &ports, Orders newOrders, const Ledger &known,
                            quint32 seed)
    : q(overwatch)
    , clock(ports.clock)
    , store(ports.store)
    , fetcher(ports.fetcher)
    , refiners(ports.refiners)
    , orders(std::move(newOrders))
    , policy(orders.settings)
    , accept(orders.settings.request.accept)
    , random(seed)
    , ledger(known)
{
    gate.setRules(orders.settings.limiters, clock.now().mono);
    gate.onFreed([this](InstanceId instance) { queue.freed(instance); });
}

Overwatch::Private::~Private()
{
    gate.onFreed([](InstanceId) {});
    alive.reset();
    clock.wakeAt(monoNever, [] {});
    abortAll();
}

Overwatch::Overwatch(const Ports &ports, Orders orders, Ledger ledger, quint32 seed, QObject *parent)
    : QObject(parent)
    , d(std::make_unique<Private>(this, ports, std::move(orders), ledger, seed))
{}

Overwatch::~Overwatch() = default;

void Overwatch::start()
{
    if (d->mode != Private::Mode::Idle)
        return;
    d->mode = Private::Mode::Running;
    d->log(QStringLiteral("started"));
    d->askClosedHosts();
    d->goOn();
}

void Overwatch::pause()
{
    if (d->mode != Private::Mode::Running)
        return;
    d->mode = Private::Mode::Paused;
    d->queue.setPaused(true, d->now().mono);
    d->log(QStringLiteral("paused"));
    d->goOn();
}

void Overwatch::resume()
{
    if (d->mode != Private::Mode::Paused)
        return;
    d->mode = Private::Mode::Running;
    d->queue.setPaused(false, d->now().mono);
    d->log(QStringLiteral("resumed"));
    d->goOn();
}

void Overwatch::stop(Millis grace)
{
    using Mode = Private::Mode;
    if (d->mode == Mode::Ended)
        return;
    const Mono deadline = d->now().mono + grace;
    if (d->mode != Mode::Stopping)
        d->log(QStringLiteral("stopping"));
    d->graceEnds = d->mode == Mode::Stopping ? std::min(d->graceEnds, deadline) : deadline;
    d->mode = Mode::Stopping;
    d->goOn();
}

void Overwatch::dismiss()
{
    if (std::exchange(d->dismissed, true))
        return;
    d->log(QStringLiteral("dismissed: nothing more is conscripted"));
    d->goOn();
}

void Overwatch::setOrders(Orders orders)
{
    const Moment t = d->now();
    d->orders = std::move(orders);
    d->policy = RetryPolicy(d->orders.settings);
    d->accept = StatusMatcher(d->orders.settings.request.accept);
    d->gate.setRules(d->orders.settings.limiters, t.mono);
    d->queue.callAll(t.mono); // instances may be gone, and every `when` may be wrong
    d->drawWanted = true;     // drawAhead may be larger
    d->goOn();
}

void Overwatch::setLimit(qint64 sends)
{
    d->sendsLeft = sends;
    d->onlyHopsLeft = false;
    d->goOn();
}

void Overwatch::recall()
{
    const Moment t = d->now();
    for (const QByteArray &host : d->queue.holding().keys())
        d->giveBack(d->queue.takeDrawn(host, t.mono), std::nullopt, t);
}

void Overwatch::storeChanged(const Ledger &ledger)
{
    d->ledger = ledger;
    d->queuedLeft = -1;
    d->drawWanted = true;
    d->hasMoved = true;
    d->goOn();
}

void Overwatch::setServicing(std::function<void(const Retired &, qint64)> servicing)
{
    d->servicing = std::move(servicing);
}

Snapshot Overwatch::snapshot() const
{
    return d->snapshot();
}

bool Overwatch::isDismissed() const
{
    return d->dismissed;
}

/// The wall clock, never set back: not-before times are made and met on one time line. A jump forward (sleep,
/// NTP) counts, one back does not.
Moment Overwatch::Private::now()
{
    Moment t = clock.now();
    utcAhead = std::max(utcAhead, Nanos(t.utc.time_since_epoch()) - t.mono.time_since_epoch());
    t.utc = Utc(std::chrono::duration_cast<Millis>(t.mono.time_since_epoch() + utcAhead));
    return t;
}

void Overwatch::Private::goOn()
{
    goAgain = true;
    if (isGoing || mode == Mode::Idle || mode == Mode::Ended)
        return;
    // Whatever calls back from inside a step is looked at in the next one: no step sees another half done.
    isGoing = true;
    while (std::exchange(goAgain, false) && mode != Mode::Ended)
        takeStep(now());
    isGoing = false;
}

void Overwatch::Private::takeStep(Moment t)
{
    if (t.mono >= trouble.again) {
        trouble.again = monoNever;
        if (!closedKnown)
            askClosedHosts();
    }
    openHosts(t);
    if (t.mono >= graceEnds) {
        graceEnds = monoNever;
        abortAll();
    }
    if (mode == Mode::Stopping || !maySend())
        emptyLines(t);
    if (mode == Mode::Running) {
        drawWhenWanted(t);
        armNext(t);
        fireAll(t);
        armNext(t);
    }
    retireWhenDue(t);
    tellWhenDue(t);
    endWhenOver();
    rearm(t);
}

Mono Overwatch::Private::nextWake(Moment t) const
{
    Mono next = std::min({graceEnds, trouble.again, book.nextReopening()});
    if (!landed.empty() && !recordOut && recording.isEmpty() && !storeRests(t))
        next = std::min(next, beat);
    if (hasMoved)
        next = std::min(next, lastTold + tellEvery);
    if (mode != Mode::Running)
        return next;
    if (mayFire())
        next = std::min(next, queue.nextWake());
    if (mayDraw(t)) {
        if (storeHasMore && queue.runLow() > 0)
            next = std::min(next, lastDraw + beatLength);
        if (nextDue)
            next = std::min(next, t.mono + std::max<Nanos>(Millis(1), *nextDue - t.utc));
    }
    return next;
}

void Overwatch::Private::rearm(Moment t)
{
    if (mode == Mode::Ended)
        return;
    const Mono next = nextWake(t);
    if (next == armedFor)
        return;
    armedFor = next;
    clock.wakeAt(next, [this] {
        armedFor = monoNever;
        goOn();
    });
}

void Overwatch::Private::endWhenOver()
{
    if (!members.empty() || drawOut || armOut || recordOut)
        return;
    if (mode == Mode::Stopping || !maySend())
        return end(CrawlEnd::Why::Stopped);
    const bool nothingLeft = closedKnown && !drawWanted && queuedLeft == 0;
    if (!dismissed && !nothingLeft)
        return;
    dismissed = true;
    end(CrawlEnd::Why::Dismissed);
}

void Overwatch::Private::end(CrawlEnd::Why why, const QString &message)
{
    mode = Mode::Ended;
    alive.reset();
    clock.wakeAt(monoNever, [] {});
    abortAll();
    members.clear();
    CrawlEnd crawlEnd{why, ledger, nextDue, message};
    Q_EMIT q->snapshotReady(snapshot());
    log(message.isEmpty() ? QStringLiteral("finished") : QStringLiteral("finished: %1").arg(message));
    Q_EMIT q->finished(crawlEnd);
}

void Overwatch::Private::abortAll()
{
    QVector<FlightId> out;
    for (const auto &[row, member] : members)
        if (member->isSealing)
            member->abortWanted = true;
        else if (member->state() == MemberState::Flying)
            out.append(member->flight);
    for (const FlightId id : out)
        fetcher.abort(id);
}

void Overwatch::Private::log(const QString &line)
{
    Q_EMIT q->logged(line);
}

} // namespace muster
