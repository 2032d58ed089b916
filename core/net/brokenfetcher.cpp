// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/net/brokenfetcher.h"

namespace muster {

BrokenFetcher::BrokenFetcher(QObject *parent)
    : QObject(parent)
{}

void BrokenFetcher::start(FlightPlan plan, Done done)
{
    const FlightId id = plan.id;
    m_out[id] = {plan.request.url.text, std::move(done), false};
    QMetaObject::invokeMethod(
        this, [this, id] { land(id); }, Qt::QueuedConnection);
}

void BrokenFetcher::abort(FlightId id)
{
    if (const auto it = m_out.find(id); it != m_out.end())
        it->second.cancelled = true;
}

int BrokenFetcher::inFlight() const
{
    return static_cast<int>(m_out.size());
}

void BrokenFetcher::land(FlightId id)
{
    const auto node = m_out.extract(id);
    FlightResult result;
    result.id = id;
    result.failure = node.mapped().cancelled ? Failure{FailureKind::Cancelled, {}, 0, {}}
                                             : Failure{FailureKind::Connect, "refused", 0, {}};
    result.answer.url = node.mapped().url;
    result.timings.startedAt = std::chrono::time_point_cast<Millis>(std::chrono::system_clock::now());
    node.mapped().done(std::move(result));
}

} // namespace muster
