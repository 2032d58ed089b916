// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/net/brokenfetcher.h"

namespace muster {

BrokenFetcher::BrokenFetcher(QObject *parent)
    : QObject(parent)
{}

void BrokenFetcher::start(FlightPlan plan, Done done)
{
    const FlightId id = plan.id;
    m_out[id] = {plan.request.url.text, std::move(done)};
    QMetaObject::invokeMethod(
        this,
        [this, id] {
            land(id, Failure{FailureKind::Connect, "refused", 0, {}});
        },
        Qt::QueuedConnection);
}

void BrokenFetcher::abort(FlightId id)
{
    QMetaObject::invokeMethod(
        this,
        [this, id] {
            land(id, Failure{FailureKind::Cancelled, {}, 0, {}});
        },
        Qt::QueuedConnection);
}

int BrokenFetcher::inFlight() const
{
    return static_cast<int>(m_out.size());
}

void BrokenFetcher::land(FlightId id, const Failure &failure)
{
    const auto node = m_out.extract(id);
    if (!node)
        return; // already over
    FlightResult result;
    result.id = id;
    result.failure = failure;
    result.answer.url = node.mapped().url;
    result.timings.startedAt = std::chrono::time_point_cast<Millis>(std::chrono::system_clock::now());
    node.mapped().done(std::move(result));
}

} // namespace muster
