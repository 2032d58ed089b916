// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QHostAddress>
#include <QNetworkRequest>
#include <tl/expected.hpp>

#include "core/job/failure.h"
#include "core/net/fetcher.h"
#include "core/settings/secrets.h"

namespace muster {

/// A request as it goes on the wire, secrets filled in: sent, never kept or shown.
struct WireRequest
{
    QNetworkRequest request;
    QByteArray url;
    QByteArray body;
};

/// Builds it, or says why nothing may be sent (kind internal, or redirect:secret). Pure.
tl::expected<WireRequest, Failure> makeWireRequest(const FlightPlan &plan, const SecretBook *book);

/// Directs a request to an address that was checked: URL with the address, own Host, SNI and certificate by
/// the name.
void pinTo(WireRequest &wire, const Target &target, const QHostAddress &address);

} // namespace muster
