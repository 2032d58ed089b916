// SPDX-License-Identifier: GPL-3.0-or-later
// Overwatch: from the head of a line to a flight.
#include <algorithm>
#include <utility>

#include "core/team/overwatch_p.h"

namespace muster {

namespace {

Millis fromSeconds(double seconds)
{
    return Millis(static_cast<qint64>(seconds * 1000));
}

qint64 readAtMost(const QString &read)
{
    if (read == QLatin1String("whole"))
        return -1;
    return read == QLatin1String("headers") ? 0 : read.toLongLong() * 1024;
}

QByteArray userAgent(const RequestSettings &settings)
{
    if (!settings.userAgent.isEmpty())
        return settings.userAgent.toUtf8();
    const QByteArray contact = settings.contact.toUtf8();
    return QByteArray("Muster/" MUSTER_VERSION) + (contact.isEmpty() ? QByteArray() : " (+" + contact + ")");
}

} // namespace

void Overwatch::Private::openHosts(Moment t)
{
    for (const QByteArray &host : book.reopen(t.mono)) {
        queue.open(host, t.mono);
        drawWanted = true; // it was passed over
        log(QStringLiteral("%1 is asked again").arg(QString::fromUtf8(host)));
    }
}

bool Overwatch::Private::mayFire() const
{
    return fired < orders.settings.team.memberCap && (maySend() || onlyHopsLeft);
}

void Overwatch::Private::fireAll(Moment t)
{
    while (mayFire()) {
        Nanos late{};
        HostLine *line = queue.next(t.mono, &late);
        if (!line)
            break;
        ask(line, late, t);
    }
}

Ask Overwatch::Private::askOf(const Member &member) const
{
    return {member.target, member.request.url.text, member.job.input, {}};
}

void Overwatch::Private::ask(HostLine *line, Nanos late, Moment t)
{
    Member &member = *line->head();
    if (!book.mayFire(member.target.host, t.mono))
        return queue.blocked(line, WaitReason::HostClosed, t.mono);
    Gate::Answer answer = gate.admit(askOf(member), t.mono, late);
    if (auto *permit = std::get_if<Permit>(&answer)) {
        member.permit = std::move(*permit);
        queue.granted(line, t.mono);
        fire(member, t);
    } else if (const auto *notUntil = std::get_if<NotUntil>(&answer)) {
        queue.refused(line, *notUntil, t.mono);
    } else {
        const Never &never = std::get<Never>(answer);
        queue.dropHead(line, t.mono);
        impossible(member, never.why, t);
    }
}

void Overwatch::Private::fire(Member &member, Moment t)
{
    if (member.isFirstHop()) {
        ++member.job.attempts;
        member.startedAt = t.utc;
        if (member.job.firstStartedAt == Utc{})
            member.job.firstStartedAt = t.utc;
        if (sendsLeft > 0)
            --sendsLeft;
        if (member.job.tries == 0)
            book.firstTry(member.target.host, t.mono);
    }
    member.become(MemberState::Flying);
    member.flight = ++lastFlight;
    member.sentAt = t.mono;
    ++fired;
    ++inFlight;
    hasMoved = true;
    book.fired(member.target.host);
    if (member.request.isWrite() && !std::exchange(member.wasWrite, true))
        seal(member, t);
    else
        send(member);
}

void Overwatch::Private::send(const Member &member)
{
    fetcher.start(planFor(member),
                  whileAlive<FlightResult>(
                      [this, row = member.job.row](FlightResult result) { flown(row, std::move(result)); }));
}

/// A POST or PUT is not sent again after a crash, so it is on disk that it leaves before it does. Not sooner:
/// a member that is armed and still waits for its permit has not been sent.
void Overwatch::Private::seal(Member &member, Moment t)
{
    member.isSealing = true;
    store.arm(
        {{member.job.row, t.utc, true}},
        whileAlive<StoreResult<qint64>>([this, row = member.job.row](const StoreResult<qint64> &sealed) {
            Member &ready = *members.at(row);
            ready.isSealing = false;
            if (sealed && !ready.abortWanted) {
                storeWorks();
                return send(ready);
            }
            FlightResult unsent;
            unsent.id = ready.flight;
            unsent.failure = {FailureKind::Cancelled, {}, 0, {}};
            flown(row, std::move(unsent));
            if (!sealed)
                storeFailed(sealed.error());
        }));
}

FlightPlan Overwatch::Private::planFor(const Member &member) const
{
    const RequestSettings &settings = orders.settings.request;
    FlightPlan plan;
    plan.id = member.flight;
    plan.request = member.request;
    plan.connectTimeout = fromSeconds(settings.connectTimeout);
    plan.firstByteTimeout = fromSeconds(settings.firstByteTimeout);
    plan.silenceTimeout = fromSeconds(settings.silenceTimeout);
    plan.totalTimeout = fromSeconds(settings.totalTimeout);
    plan.maxBody = static_cast<qint64>(settings.maxBodyMiB * 1024 * 1024);
    plan.readAtMost = readAtMost(settings.read);
    plan.userAgent = userAgent(settings);
    plan.withCredentials = member.withCredentials;
    plan.received = member.received;
    plan.privateAllowed = member.privateAllowed;
    plan.lanes = gate.atOnceFor(askOf(member), orders.settings.team.memberCap);
    return plan;
}

} // namespace muster
