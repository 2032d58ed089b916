// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <QObject>
#include <unordered_map>

#include "core/net/fetcher.h"

namespace muster {

/// The broken network: every request fails as connect:refused with nothing sent, after the caller's next turn
/// of its event loop. Proves that all above the port needs no transport, and rehearses an outage. Engine
/// thread, owned by whoever built it.
class BrokenFetcher final : public QObject, public Fetcher
{
    Q_OBJECT

public:
    explicit BrokenFetcher(QObject *parent = nullptr);

    void start(FlightPlan plan, Done done) override;
    void abort(FlightId id) override;
    int inFlight() const override;

private:
    void land(FlightId id);

    struct Out
    {
        QByteArray url;
        Done done;
        bool cancelled = false;
    };
    std::unordered_map<FlightId, Out> m_out;
};

} // namespace muster
