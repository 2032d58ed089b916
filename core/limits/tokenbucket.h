// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/job/moment.h"
#include "core/limits/takelog.h"
#include "core/limits/wide.h"
#include "core/settings/rate.h"

namespace muster {

/// A token bucket in whole numbers: level = min(burst, level + rate × time). With the rate as `grants` in
/// `nanos`, a token is `nanos` units and a nanosecond brings `grants` units, so no fraction is ever lost
/// while the rate stands; a change of rate costs less than the units of one nanosecond. Exact from 1 a year
/// to 1,000,000 a second, for bursts up to 2^31 and times up to 2^62 ns (spec 3, laws TB1 to TB8).
///
/// A value on the engine thread, owned by its LimiterInstance; time is an argument, a time before the last
/// one counts as the last one. The level stands for the instant of the last date, which lies at most
/// `maxBack` before the call that made it.
class TokenBucket final
{
public:
    enum class Start { Empty, Full };
    using Ticket = TakeLog::Ticket;
    static constexpr qint64 maxBurst = qint64{1} << 31;
    static constexpr qint64 maxDebt = qint64{1} << 31; ///< tokens; keeps the arithmetic in range
    static constexpr Nanos maxBack{20'000'000};        ///< how far a late grant is dated back

    TokenBucket(Rate rate, qint64 burst, Start start, Mono now);

    /// The earliest date for a grant that is made at `now` by a timer that was `late`.
    static Mono datedBack(Mono now, Nanos late);
    /// When `cost` (1 to burst) can be taken: at `now` or before it, dated not before `earliest`, or the
    /// exact later instant. Before monoNever always.
    Mono readyAt(qint64 cost, Mono earliest, Mono now) const;
    /// Takes it, dated when it was due but not before `earliest`. Only where readyAt() is not after `now`.
    Ticket take(qint64 cost, Mono earliest, Mono now);
    /// What was taken is spent for good.
    void close(Ticket ticket) { m_log.close(ticket); }
    /// Nothing was sent: the level becomes what it would be had this take never been asked for.
    void refund(Ticket ticket, qint64 cost);
    /// Sent without a grant: the level falls by `cost`, below 0 where it must.
    void charge(qint64 cost, Mono now);
    /// Settles at the old rate, then goes on at the new one with min(level, burst).
    void change(Rate rate, qint64 burst, Mono now);

    double tokens(Mono now) const; ///< below 0: debt
    bool isFull(Mono now) const;
    qint64 burst() const { return m_burst; }
    Rate rate() const { return m_rate; }

private:
    Wide cap() const { return Wide{m_burst} * m_rate.nanos; }
    Wide levelAt(Mono time) const;
    Wide due(Wide price, Mono from) const;
    void settle(Mono time);

    Rate m_rate;
    qint64 m_burst;
    Wide m_level; ///< units, at m_last
    Mono m_last;
    TakeLog m_log;
};

} // namespace muster
