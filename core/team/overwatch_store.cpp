// SPDX-License-Identifier: GPL-3.0-or-later
// Overwatch and the store: closed hosts of earlier runs, draw, what goes back unsent, trouble.
#include <algorithm>

#include "core/team/overwatch_p.h"

namespace muster {

namespace {

constexpr Millis longestPause{30'000};

} // namespace

void Overwatch::Private::askClosedHosts()
{
    using Closed = QHash<QByteArray, Utc>;
    store.closedHosts(whileAlive<StoreResult<Closed>>([this](const StoreResult<Closed> &closed) {
        if (!closed)
            return storeFailed(closed.error());
        storeWorks();
        const Moment t = now();
        for (auto it = closed->constBegin(); it != closed->constEnd(); ++it)
            if (it.value() > t.utc)
                book.restore(it.key(), t.mono + (it.value() - t.utc));
        closedKnown = true;
        drawWanted = true;
        goOn();
    }));
}

bool Overwatch::Private::mayDraw(Moment t) const
{
    return mode == Mode::Running && closedKnown && !dismissed && !drawOut && maySend() && !storeRests(t);
}

/// Not for each job: when one host in sixteen ran low, or at the beat.
bool Overwatch::Private::wantsDraw(Moment t) const
{
    if (drawWanted || (nextDue && *nextDue <= t.utc))
        return true;
    const bool enoughRanLow = queue.runLow() > queue.hostCount() / 16 || t.mono >= lastDraw + beatLength;
    return storeHasMore && queue.runLow() > 0 && enoughRanLow;
}

void Overwatch::Private::drawWhenWanted(Moment t)
{
    if (!mayDraw(t) || !wantsDraw(t))
        return;
    DrawOrder order;
    order.holding = queue.holding();
    order.room = static_cast<int>(std::max<qint64>(0, orders.settings.team.drawAhead - queue.waiting()));
    order.perHost = std::max(1, orders.settings.team.drawAhead /
                                    static_cast<int>(std::max<qsizetype>(1, order.holding.size())));
    for (const auto &[until, host] : book.closedHosts())
        order.passOver.append(host);
    order.now = t.utc;
    drawOut = true;
    drawWanted = false;
    lastDraw = t.mono;
    queue.drew(order.perHost);
    store.draw(std::move(order), whileAlive<StoreResult<Drawn>>([this](const StoreResult<Drawn> &drawn) {
                   drawOut = false;
                   if (drawn) {
                       storeWorks();
                       drew(*drawn);
                   } else {
                       drawWanted = true;
                       storeFailed(drawn.error());
                   }
                   goOn();
               }));
}

void Overwatch::Private::drew(const Drawn &drawn)
{
    const Moment t = now();
    storeHasMore = drawn.more;
    nextDue = drawn.nextDue;
    queuedLeft = drawn.queuedLeft;
    hasMoved = hasMoved || !drawn.jobs.isEmpty();
    for (const Job &job : drawn.jobs)
        prepare(job, t);
}

/// Makes the request of a drawn job and puts it in the line of its host.
void Overwatch::Private::prepare(const Job &job, Moment t)
{
    Member &member = *(members[job.row] = std::make_unique<Member>(job, t.mono));
    auto request = orders.makeRequest(job);
    if (!request)
        return impossible(member, request.error().note, t);
    member.request = std::move(*request);
    member.target = targetOf(member.request.url.text);
    member.received = job.received;
    member.visited.insert(member.request.method + ' ' + member.request.url.text);
    askPrivacy(member, [this](Member &ready) {
        const Moment then = now();
        queue.addJob(&ready, then.mono);
        if (book.isClosed(ready.lineHost, then.mono))
            queue.shut(ready.lineHost, then.mono);
    });
}

/// A received URL may reach private addresses only where the settings, or the list itself, say so (spec 5).
void Overwatch::Private::askPrivacy(Member &member, std::function<void(Member &)> then)
{
    const QString &allow = orders.settings.request.allowPrivate;
    const bool fromList = !member.job.received && member.target.host == member.job.host;
    if (!member.received || fromList || allow != QLatin1String("listed")) {
        member.privateAllowed = !member.received || allow != QLatin1String("never");
        return then(member);
    }
    store.isListedHost(
        member.target.host,
        whileAlive<StoreResult<bool>>([this, row = member.job.row, then](const StoreResult<bool> &listed) {
            Member &asked = *members.at(row);
            if (listed) {
                asked.privateAllowed = *listed;
                then(asked);
            } else {
                const Moment t = now();
                unsent(asked, t.utc + trouble.pause, t);
                storeFailed(listed.error());
            }
            goOn();
        }));
}

/// After a stop, or at the end of `--limit`: what was not sent goes back.
void Overwatch::Private::emptyLines(Moment t)
{
    if (armOut)
        return; // those under way to the disk first have to arrive there
    giveBack(queue.takeJobs(t.mono), std::nullopt, t);
    if (mode == Mode::Stopping)
        for (Member *hop : queue.takeAllHops(t.mono))
            unsent(*hop, std::nullopt, t);
    onlyHopsLeft = true;
}

/// Jobs that are still `queued` on disk just leave; the others need a commit.
void Overwatch::Private::giveBack(const QVector<Member *> &leaving, std::optional<Utc> notBefore, Moment t)
{
    QVector<qint64> rows;
    for (Member *member : leaving) {
        if (member->state() != MemberState::Drawn || notBefore) {
            unsent(*member, notBefore, t);
        } else {
            rows.append(member->job.row);
            members.erase(member->job.row);
        }
    }
    if (rows.isEmpty())
        return;
    storeHasMore = true;
    queuedLeft = -1;
    store.giveBack(rows);
}

void Overwatch::Private::storeFailed(const StoreError &error)
{
    if (error.kind == StoreError::Kind::Gone || error.kind == StoreError::Kind::Corrupt)
        return end(CrawlEnd::Why::StoreGone, error.what);
    if (trouble.what != error.what)
        log(QStringLiteral("the project file could not be used: %1").arg(error.what));
    trouble.what = error.what;
    trouble.again = now().mono + trouble.pause;
    trouble.pause = std::min(longestPause, trouble.pause * 2);
    hasMoved = true;
    goOn();
}

void Overwatch::Private::storeWorks()
{
    if (trouble.again == monoNever)
        trouble = {};
}

} // namespace muster
