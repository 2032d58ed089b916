// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <QByteArray>
#include <QtGlobal>

#include "core/limits/budget.h"
#include "core/limits/permit.h"
#include "core/limits/tokenbucket.h"
#include "core/limits/usemeter.h"

namespace muster {

/// The state of one limiter for one value of its scope: bucket, permits out, use. Shared by its limiter and
/// by the permits it granted, which may outlive the limiter. Engine thread.
class LimiterInstance final
{
public:
    /// What one permit took here.
    struct Receipt
    {
        TokenBucket::Ticket ticket = 0;
        quint64 era = 0; ///< of the bucket that was paid; 0: no rate stood then
        qint64 cost = 1;
    };

    LimiterInstance(InstanceId id, QByteArray key, std::optional<TokenBucket> bucket,
                    std::optional<qint64> atOnce, Mono now);
    Q_DISABLE_COPY_MOVE(LimiterInstance)

    InstanceId id() const { return m_id; }
    const QByteArray &key() const { return m_key; }
    const std::optional<TokenBucket> &bucket() const { return m_bucket; }
    const Budget &budget() const { return m_budget; }
    const UseMeter &meter() const { return m_meter; }

    /// Earliest date of a grant: `dated`, but not before the at-once share was last seen taken.
    Mono earliest(Mono dated) const { return std::max(dated, m_fullAt); }
    void sawFull(Mono now) { m_fullAt = std::max(m_fullAt, now); }
    Mono readyAt(qint64 cost, Mono earliest, Mono now) const;
    Receipt take(qint64 cost, Mono earliest, Mono now);
    void release(const Receipt &receipt);
    void refund(const Receipt &receipt);
    void charge(const Receipt &receipt, Mono now);

    /// New numbers at `now`. A rate where none was begins with an empty bucket: a change never fills one.
    void change(std::optional<Rate> rate, qint64 burst, std::optional<qint64> atOnce, Mono now);
    /// Nothing is out and nothing but a full bucket would be remembered.
    bool isIdle(Mono now) const;

private:
    bool paid(const Receipt &receipt) const { return m_bucket && receipt.era == m_era; }

    const InstanceId m_id;
    const QByteArray m_key;
    std::optional<TokenBucket> m_bucket;
    quint64 m_era = 1; ///< counts the buckets this instance had
    Budget m_budget;
    UseMeter m_meter;
    Mono m_fullAt{Nanos::min() / 4};
};

/// The rule for a bucket whose limiter changed, used for instances and for the template of forgotten ones.
/// True where a bucket was made anew.
bool changeBucket(std::optional<TokenBucket> &bucket, std::optional<Rate> rate, qint64 burst, Mono now);

} // namespace muster
