// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <QVector>

#include "core/job/failure.h"
#include "core/net/fetcher.h"
#include "tests/support/faultserver.h"

namespace muster {

/// One row of the fault catalogue (reliability.md 2.2): what to ask the fault server for, what the fetcher
/// must say, and what must become of the job.
struct FaultRow
{
    enum class Retry { Ok, Yes, Once, Never, Wait };

    QByteArray id; ///< "F27 two lengths"
    QByteArray path;
    Retry retry = Retry::Ok;
    FailureKind kind = FailureKind::None; ///< the job's, when it never recovers
    QByteArray detail;
    int sends = 1; ///< = hits at the server
    QByteArray listener = "main";
    QByteArray method = "GET";
    int status = 0; ///< where an answer came whole: the fetcher gives it, the team judges it
    std::optional<QByteArray> body = std::nullopt; ///< of that answer
    std::optional<int> retryAfterMs = std::nullopt;
    Millis connect{10'000};
    Millis firstByte{20'000};
    Millis silence{20'000};
    Millis total{60'000};
    /// The catalogue's XFAIL: what we would say if Qt let us see it, and why it does not.
    FailureKind wishKind = FailureKind::None;
    QByteArray wishDetail = {};
    QByteArray xfail = {};

    /// True where the fetcher hands an answer up and the kind is the team's judgement of its status.
    bool isAnswer() const { return status != 0; }
    FlightPlan plan(const FaultServer &server, FlightId id) const;
};

/// Every row of this catalogue that the net room can be asked for.
QVector<FaultRow> faultRows();
/// The listeners that the rows need beside main and other.
void addFaultListeners(FaultServer &server);

} // namespace muster
