// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <optional>
#include <QByteArray>
#include <QMetaType>
#include <QString>
#include <QVector>

#include "core/job/failure.h"
#include "core/job/jobstate.h"
#include "core/job/moment.h"
#include "core/job/timings.h"

namespace muster {

/// The ledger (spec 2): how many rows stand in each state, and how many were taken in from where.
struct Ledger
{
    std::array<qint64, jobStateCount> states{};
    qint64 waiting = 0; ///< of the queued ones, those that wait to retry
    qint64 imported = 0;
    qint64 found = 0;
    qint64 nextPages = 0;

    qint64 &operator[](JobState s) { return states[static_cast<std::size_t>(s)]; }
    qint64 operator[](JobState s) const { return states[static_cast<std::size_t>(s)]; }
    qint64 takenIn() const { return imported + found + nextPages; }
    qint64 total() const;
    bool balanced() const { return takenIn() == total(); }
    bool operator==(const Ledger &) const = default;
};

enum class CrawlState : quint8 { Idle, Running, Paused, Draining, Offline, Finished };
const char *crawlStateName(CrawlState state);

/// One quota of one limiter instance.
struct QuotaView
{
    qint64 limit = 0;
    QByteArray per;
    qint64 used = 0;
    std::optional<Utc> resetsAt;
    bool operator==(const QuotaView &) const = default;
};

/// One limiter instance, as a gauge shows it. Absent values: no such rule.
struct LimiterView
{
    QByteArray name;
    QByteArray instance;          ///< host, site or budget; empty for scope `all`
    std::optional<double> tokens; ///< now, 0 to burst
    double burst = 0;
    std::optional<double> ratePerSecond;
    QByteArray rate;          ///< as it was written, "10/s"
    double usedPerSecond = 0; ///< grants a second over the last few seconds
    qint64 out = 0;           ///< permits out
    std::optional<qint64> atOnce;
    QVector<QuotaView> quotas;
    qint64 waiting = 0;           ///< members whose next grant this instance refused last
    std::optional<Utc> nextGrant; ///< when somebody waits
    bool binding = false;         ///< holds the crawl back now
    bool operator==(const LimiterView &) const = default;
};

enum class HostState : quint8 { Open, Closed, Held, Parked };
const char *hostStateName(HostState state);

struct HostView
{
    QByteArray host;
    HostState state = HostState::Open;
    std::optional<Utc> until;
    QString reason; ///< one sentence, empty when open
    qint64 waiting = 0;
    qint64 inFlight = 0;
    bool operator==(const HostView &) const = default;
};

/// Failures that ended jobs, grouped.
struct FailureGroup
{
    FailureKind kind = FailureKind::None;
    QByteArray host;
    int code = 0;
    qint64 count = 0;
    bool operator==(const FailureGroup &) const = default;
};

/// All that a window, the status command or a progress line shows: one value, made every fifth beat (250 ms)
/// on the engine thread and handed up by copy.
struct Snapshot
{
    Utc asOf{};
    CrawlState state = CrawlState::Idle;
    QString reason; ///< why nothing is fired, in words; empty where it is
    bool rehearsal = false;
    Ledger rows;
    qint64 members = 0;  ///< conscripted, waiting in the team
    qint64 inFlight = 0; ///< requests really out
    double requestsPerSecond = 0;
    double bytesPerSecond = 0;
    QVector<LimiterView> limiters;  ///< binding first, then the busiest; at most 200
    QVector<HostView> hosts;        ///< not open first; at most 200
    QVector<FailureGroup> failures; ///< most first; at most 200
    Waits waits;
    QVector<qint64> changed;      ///< rows whose state changed since the last snapshot; at most 2,000
    qint64 seq = 0;               ///< commits
    std::optional<Utc> resumesAt; ///< when a stopped or waiting crawl could go on
};

} // namespace muster

Q_DECLARE_METATYPE(muster::Snapshot)
