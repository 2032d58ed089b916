// SPDX-License-Identifier: GPL-3.0-or-later
// Overwatch: from the end of a flight to a member that waits for retire(), or for its next hop.
#include <algorithm>
#include <QCryptographicHash>

#include "core/job/describe.h"
#include "core/team/overwatch_p.h"

namespace muster {

namespace {

constexpr Millis longClosing{5000}; ///< a host that closes for longer gives its jobs back

/// Stages as the fetcher timed them. Timings are of one hop.
Spent stagesOf(const Timings &timings)
{
    Spent spent;
    spent[WaitReason::Connect] = Millis(timings.connectMs);
    spent[WaitReason::FirstByte] = Millis(timings.firstByteMs);
    spent[WaitReason::Body] = Millis(timings.bodyMs);
    return spent;
}

void addHop(Timings &sum, const Timings &hop)
{
    if (sum.startedAt == Utc{})
        sum.startedAt = hop.startedAt;
    sum.connectMs += hop.connectMs;
    sum.firstByteMs += hop.firstByteMs;
    sum.bodyMs += hop.bodyMs;
    sum.totalMs += hop.totalMs;
}

ResultRecord resultOf(const Member &member, const Answer &answer)
{
    ResultRecord record;
    record.code = answer.status;
    record.firstCode = member.firstCode;
    record.redirects = static_cast<int>(std::count_if(member.hops.begin(), member.hops.end(),
                                                      [](const auto &hop) { return hop.first / 100 == 3; }));
    record.finalUrl = answer.url.isEmpty() ? member.request.url.text : answer.url;
    record.contentType = answer.contentType();
    record.bytes = answer.body.size();
    record.partial = answer.partial;
    record.unverifiedLength = answer.unverifiedLength;
    record.bodyHash = QCryptographicHash::hash(answer.body, QCryptographicHash::Sha1);
    return record;
}

} // namespace

void Overwatch::Private::flown(qint64 row, FlightResult result)
{
    Member &member = *members.at(row);
    const Moment t = now();
    --inFlight;
    hasMoved = true;
    settlePermit(member, result.sends, t.mono);
    member.spend(stagesOf(result.timings), WaitReason::Connection, t.mono);
    addHop(member.timings, result.timings);
    member.sends += result.sends;
    member.maySent = member.maySent || result.maySent;
    member.bytes += result.received;
    member.code = result.redirect ? result.redirect->status : result.answer.status;
    if (member.isFirstHop())
        member.firstCode = member.code;
    board.received(result.received, t.mono);

    if (result.redirect && !result.failure) {
        book.answered(member.target.host, member.sentAt, true);
        queue.unblock(member.target.host, t.mono);
        redirect(member, *result.redirect);
        return goOn();
    }
    Verdict verdict = judge(result, accept);
    const auto &fallback = orders.settings.request.fallback;
    const bool fallsBack = verdict.isWhole && verdict.failure.kind != FailureKind::RateLimited && fallback &&
                           fallback->on.contains(member.code) && !member.hasFallenBack &&
                           fallback->method.toLatin1() != member.request.method;
    if (fallsBack) {
        member.hasFallenBack = true;
        book.answered(member.target.host, member.sentAt, false);
        queue.unblock(member.target.host, t.mono);
        Request next = member.request;
        next.method = fallback->method.toLatin1();
        hop(member, std::move(next), member.code, member.received);
        return goOn();
    }
    std::optional<ResultRecord> record;
    if (verdict.isWhole)
        record = resultOf(member, result.answer);
    if (verdict.isWhole && verdict.failure.kind != FailureKind::RateLimited && orders.rules &&
        !orders.rules->isEmpty()) {
        member.become(MemberState::Refining);
        refiners.submit(orders.rules, std::move(result.answer), !verdict.failure,
                        whileAlive<RefineResult>([this, row, verdict, record](RefineResult made) {
                            refined(row, verdict, std::move(made), *record);
                        }));
    } else {
        conclude(member, verdict.failure, verdict.given, verdict.isWhole, std::move(record));
    }
    goOn();
}

/// The permit comes back as the flight ends, before refine and commit.
void Overwatch::Private::settlePermit(Member &member, int sends, Mono now)
{
    book.landed(member.target.host);
    for (int resend = 1; resend < sends; ++resend)
        gate.chargeAgain(member.permit, now);
    board.sent(sends, now);
    if (sends == 0)
        member.permit.refund(now);
    else
        member.permit.release();
}

void Overwatch::Private::refined(qint64 row, const Verdict &verdict, RefineResult made, ResultRecord record)
{
    Member &member = *members.at(row);
    member.spend(WaitReason::Refine, now().mono);
    Failure failure = verdict.failure;
    if (made.rule) {
        failure = *made.rule;
        failure.code = record.code;
    } else if (!failure && !made.refined) {
        failure = made.refined.error();
    } else if (!failure) {
        record.refined = std::move(*made.refined);
    }
    conclude(member, failure, verdict.given, true, std::move(record));
    goOn();
}

/// Tells the host's page of the book what came of the try, and lets the member wait for retire().
void Overwatch::Private::conclude(Member &member, Failure failure, std::optional<Millis> given, bool isWhole,
                                  std::optional<ResultRecord> record)
{
    const Moment t = now();
    const QByteArray &host = member.target.host;
    Landing landing;
    if (failure.kind == FailureKind::RateLimited) {
        ++member.job.refusals;
        toldToWait(member, given, landing, t);
    } else if (policy.isTrouble(failure)) {
        book.troubled(host);
    } else if (isWhole) {
        book.answered(host, member.sentAt, member.code < 400);
    }
    if (given && failure && !landing.notBefore)
        landing.notBefore = t.utc + *given;
    queue.unblock(host, t.mono);

    const bool isSafe = orders.settings.request.idempotent || !member.wasWrite;
    landing.isFinalWrite = isWhole && !isSafe && failure.kind != FailureKind::RateLimited;
    if (failure && !isWhole && !isSafe && member.maySent)
        failure = sealedWrite(failure);
    landing.failure = failure;
    landing.attempt = attemptOf(member, failure);
    landing.result = std::move(record);
    land(member, std::move(landing), t);
}

void Overwatch::Private::toldToWait(Member &member, std::optional<Millis> given, Landing &landing, Moment t)
{
    const QByteArray host = member.target.host;
    const HostBook::Closing closing =
        book.refused(host, {member.job.row, member.sentAt, given}, member.job.refusals, t.mono);
    landing.hopeless = closing.hopeless;
    if (closing.until <= t.mono)
        return; // an old refusal, of a closing that is over
    const Millis pause = std::chrono::ceil<Millis>(closing.until - t.mono);
    landing.notBefore = t.utc + pause;
    landing.hostClosedUntil = landing.notBefore;
    queue.shut(host, t.mono);
    log(QStringLiteral("%1 told us to wait %2 s").arg(QString::fromUtf8(host)).arg(pause.count() / 1000.0));
    // A job that waits here for its hop would hold its place for nothing: it starts anew when the host opens.
    for (Member *hop : queue.takeHops(host, t.mono))
        unsent(*hop, landing.notBefore, t);
    if (pause > longClosing)
        giveBack(queue.takeDrawn(host, t.mono), std::nullopt, t);
}

void Overwatch::Private::redirect(Member &member, const Redirect &redirect)
{
    const auto fails = [&](const char *detail, const QString &note) {
        conclude(member, {FailureKind::Redirect, detail, redirect.status, note}, std::nullopt, true,
                 std::nullopt);
    };
    if (member.visited.contains(redirect.method + ' ' + redirect.url.text))
        return fails(
            "loop",
            QStringLiteral("it leads back to %1").arg(QString::fromUtf8(redactedUrl(redirect.url.text))));
    const int most = orders.settings.request.redirects;
    if (std::count_if(member.hops.begin(), member.hops.end(),
                      [](const auto &h) { return h.first / 100 == 3; }) >= most)
        return fails("too_many", QStringLiteral("more than %1").arg(most));
    Request next;
    next.method = redirect.method;
    next.url = redirect.url;
    if (redirect.keepsBody)
        next.body = member.request.body;
    // Once dropped, credentials do not come back, also not where the way leads home again.
    member.withCredentials = member.withCredentials && redirect.sameOrigin;
    if (member.withCredentials)
        next.headers = member.request.headers;
    if (!redirect.keepsBody) // nor the header lines that tell of it
        next.headers.removeIf([](const Header &h) { return h.name.toLower().startsWith("content-"); });
    hop(member, std::move(next), redirect.status, true);
}

/// A further request of the same try: pays and waits like a new one, and holds nothing meanwhile.
void Overwatch::Private::hop(Member &member, Request next, int status, bool received)
{
    member.hops.append({status, member.request.url.text});
    member.request = std::move(next);
    member.target = targetOf(member.request.url.text);
    member.lineHost = member.target.host;
    member.received = received;
    member.visited.insert(member.request.method + ' ' + member.request.url.text);
    member.become(MemberState::Hopping);
    --fired;
    askPrivacy(member, [this](Member &ready) { queueHop(ready); });
}

void Overwatch::Private::queueHop(Member &member)
{
    const Moment t = now();
    const std::optional<Mono> closed = book.closedUntil(member.target.host, t.mono);
    if (closed)
        return unsent(member, t.utc + std::chrono::ceil<Millis>(*closed - t.mono), t);
    queue.addHop(&member, t.mono);
}

/// No request can be made of it: `refused`.
void Overwatch::Private::impossible(Member &member, const QString &why, Moment t)
{
    Landing landing;
    landing.end = Landing::End::Impossible;
    landing.failure.note = why;
    land(member, std::move(landing), t);
}

/// Back to the store, uncounted. A write that already went out on an earlier hop may not go twice.
void Overwatch::Private::unsent(Member &member, std::optional<Utc> notBefore, Moment t)
{
    Landing landing;
    if (member.wasWrite && !orders.settings.request.idempotent) {
        landing.failure = sealedWrite({FailureKind::Cancelled, {}, 0, {}});
        landing.attempt = attemptOf(member, landing.failure);
    } else {
        landing.end = Landing::End::Unsent;
        landing.notBefore = notBefore;
        if (member.sends > 0) {
            landing.attempt = attemptOf(member, {FailureKind::Cancelled, {}, 0, {}});
            landing.attempt->counted = false;
        }
    }
    land(member, std::move(landing), t);
}

void Overwatch::Private::land(Member &member, Landing landing, Moment t)
{
    member.become(MemberState::Landed);
    member.spend(WaitReason::Record, t.mono);
    landing.job = member.job;
    landed.emplace_back(member.job.row, std::move(landing));
    beat = std::min(beat, t.mono + beatLength);
}

AttemptRecord Overwatch::Private::attemptOf(const Member &member, const Failure &failure) const
{
    AttemptRecord attempt;
    attempt.failure = failure;
    attempt.code = member.code;
    attempt.url = member.request.url.text;
    attempt.timings = member.timings;
    attempt.timings.startedAt = member.startedAt;
    attempt.bytes = member.bytes;
    attempt.sends = member.sends;
    attempt.hops = member.hops;
    return attempt;
}

} // namespace muster
