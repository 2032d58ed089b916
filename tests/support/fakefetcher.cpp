// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/fakefetcher.h"

#include <algorithm>

#include "core/net/retryafter.h"

namespace muster {

FakeFetcher::Script FakeFetcher::next(const QByteArray &url, const QByteArray &host)
{
    if (const auto it = m_scripts.find(url); it != m_scripts.end())
        return it->size() > 1 ? it->takeFirst() : it->first();
    return m_hosts.value(host, fallback);
}

void FakeFetcher::count(const QByteArray &host, int by)
{
    for (const QByteArray &key : {host, QByteArray()})
        m_mostOpen[key] = std::max(m_mostOpen[key], m_openNow[key] += by);
}

void FakeFetcher::start(FlightPlan plan, Done done)
{
    const QByteArray url = plan.request.url.text;
    const QByteArray host = targetOf(url).host;
    const FlightId id = plan.id;
    const Moment now = m_agenda.now();
    Flight flight{std::move(done), next(url, host), host, url, plan.request.method, now};
    const Millis delay = flight.script.delay;
    m_open.emplace(id, std::move(flight));
    count(host, 1);
    if (keepsStarts)
        m_starts.append({now.mono, url, plan.request.method, host, std::move(plan)});
    m_agenda.after(delay, [this, id] { end(id, false); });
}

void FakeFetcher::abort(FlightId id)
{
    m_agenda.after(Nanos::zero(), [this, id] { end(id, true); });
}

void FakeFetcher::end(FlightId id, bool aborted)
{
    auto node = m_open.extract(id);
    if (!node)
        return;
    const Flight &flight = node.mapped();
    const Script &script = flight.script;
    const Moment now = m_agenda.now();
    const auto took = std::chrono::duration_cast<Millis>(now.mono - flight.startedAt.mono);
    count(flight.host, -1);
    FlightResult result;
    result.id = id;
    result.sends = took < script.sentAfter ? 0 : script.sends;
    result.maySent = result.sends > 0;
    result.timings.startedAt = flight.startedAt.utc;
    result.timings.connectMs = static_cast<qint32>(std::min(took, script.sentAfter).count());
    result.timings.firstByteMs = static_cast<qint32>(took.count()) - result.timings.connectMs;
    result.timings.totalMs = static_cast<qint32>(took.count());
    if (aborted) {
        result.failure = {FailureKind::Cancelled, {}, 0, {}};
    } else if (script.failure) {
        result.failure = script.failure;
    } else {
        result.answer.status = script.status;
        result.answer.url = flight.url;
        result.answer.body = script.body;
        result.answer.headers = {{"Content-Type", "application/json"}};
        result.received = script.body.size();
        result.retryAfter = script.retryAfter;
        result.retryAfterDelay = retryAfterDelay(script.retryAfter, {}, Utc{});
        if (!script.redirectTo.isEmpty()) {
            Redirect redirect;
            redirect.status = script.status;
            redirect.url.text = script.redirectTo;
            redirect.keepsBody = script.status == 307 || script.status == 308;
            redirect.method = redirect.keepsBody ? flight.method : QByteArray("GET");
            redirect.sameOrigin = targetOf(flight.url).sameOrigin(targetOf(script.redirectTo));
            result.redirect = redirect;
        }
    }
    const Done done = flight.done;
    done(std::move(result));
}

QVector<Mono> FakeFetcher::startsAt(const QByteArray &host) const
{
    QVector<Mono> out;
    for (const Start &start : m_starts)
        if (start.host == host)
            out.append(start.at);
    return out;
}

int FakeFetcher::startsOf(const QByteArray &url) const
{
    return static_cast<int>(
        std::count_if(m_starts.begin(), m_starts.end(), [&](const Start &s) { return s.url == url; }));
}

} // namespace muster
