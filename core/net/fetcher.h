// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <QByteArray>

#include "core/job/answer.h"
#include "core/job/failure.h"
#include "core/job/moment.h"
#include "core/job/request.h"
#include "core/job/timings.h"

namespace muster {

using FlightId = quint64;

/// How one hop of a request is to be sent. Times are for this hop; they start when the request leaves us.
struct FlightPlan
{
    FlightId id = 0;
    Request request;
    Millis connectTimeout{10'000};
    Millis firstByteTimeout{20'000};
    Millis silenceTimeout{20'000};
    Millis totalTimeout{60'000};
    qint64 maxBody = 10 << 20; ///< decoded bytes
    qint64 readAtMost = -1;    ///< request.read: -1 whole, 0 headers only, else bytes
    QByteArray userAgent;
    bool withCredentials = true; ///< false after a hop to another origin: no template headers, no secrets
    bool received = false;       ///< URL came from the net: address policy applies
    bool privateAllowed = true;  ///< for received URLs: the list named this host, or allowPrivate is `always`
    int lanes = 1;               ///< most flights that the limits let run to this host at once
};

/// Where a redirect leads, already judged by scheme and form (not by address). Policy words: spec 5.
struct Redirect
{
    int status = 0;
    MaskedText url;    ///< normalised, without userinfo and fragment
    QByteArray method; ///< of the next hop, by the fetch standard
    bool keepsBody = false;
    bool sameOrigin = false;
};

/// How a flight ended. Exactly one of: whole answer, redirect, failure.
struct FlightResult
{
    FlightId id = 0;
    Failure failure;                  ///< kind None where `answer` or `redirect` counts
    std::optional<Redirect> redirect; ///< a 301, 302, 303, 307 or 308 that can be followed
    Answer answer;                    ///< also on failure as far as it came (status, headers)
    Timings timings;
    int sends = 0;         ///< requests that left us: 0 gives the permit back, 2 means the second was aborted
    bool maySent = false;  ///< the server may have seen it (for POST and PUT)
    qint64 received = 0;   ///< body bytes on the wire
    QByteArray retryAfter; ///< the raw header values joined by ", "; null where there is none
    QByteArray serverDate; ///< the answer's own Date header
    std::optional<Millis> retryAfterDelay; ///< what `retryAfter` asks for (spec 3), already read
};

/// Port: sends requests, one flight each. Values in, values out; the callback runs on the caller's thread
/// (the engine's), in batches, exactly once a flight, also after abort(). Nothing queues inside: what start()
/// accepts is sent as soon as the machine can.
class Fetcher
{
public:
    using Done = std::function<void(FlightResult)>;
    Fetcher() = default;
    virtual ~Fetcher() = default;
    Q_DISABLE_COPY_MOVE(Fetcher)

    virtual void start(FlightPlan plan, Done done) = 0;
    /// Ends a flight as `cancelled`; its callback still comes. Unknown ids are ignored.
    virtual void abort(FlightId id) = 0;
    /// Flights started and not yet called back.
    virtual int inFlight() const = 0;
};

} // namespace muster
