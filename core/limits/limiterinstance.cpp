// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/limits/limiterinstance.h"

#include <utility>

namespace muster {

LimiterInstance::LimiterInstance(InstanceId id, QByteArray key, std::optional<TokenBucket> bucket,
                                 std::optional<qint64> atOnce, Mono now)
    : m_id(id)
    , m_key(std::move(key))
    , m_bucket(std::move(bucket))
    , m_budget(atOnce)
    , m_meter(now)
{}

Mono LimiterInstance::readyAt(qint64 cost, Mono earliest, Mono now) const
{
    return m_bucket ? m_bucket->readyAt(cost, earliest, now) : now;
}

LimiterInstance::Receipt LimiterInstance::take(qint64 cost, Mono earliest, Mono now)
{
    Receipt receipt{0, 0, cost};
    if (m_bucket)
        receipt = {m_bucket->take(cost, earliest, now), m_era, cost};
    m_budget.take();
    m_meter.add(now);
    return receipt;
}

void LimiterInstance::release(const Receipt &receipt)
{
    if (paid(receipt))
        m_bucket->close(receipt.ticket);
    m_budget.giveBack();
}

void LimiterInstance::refund(const Receipt &receipt)
{
    if (paid(receipt))
        m_bucket->refund(receipt.ticket, receipt.cost);
    m_budget.giveBack();
}

void LimiterInstance::charge(const Receipt &receipt, Mono now)
{
    if (m_bucket)
        m_bucket->charge(receipt.cost, now);
    m_meter.add(now);
}

void LimiterInstance::change(std::optional<Rate> rate, qint64 burst, std::optional<qint64> atOnce, Mono now)
{
    if (changeBucket(m_bucket, rate, burst, now))
        ++m_era;
    m_budget.setLimit(atOnce);
}

bool LimiterInstance::isIdle(Mono now) const
{
    return m_budget.out() == 0 && m_meter.isQuiet(now) && now - TokenBucket::maxBack > m_fullAt &&
           (!m_bucket || m_bucket->isFull(now));
}

bool changeBucket(std::optional<TokenBucket> &bucket, std::optional<Rate> rate, qint64 burst, Mono now)
{
    if (!rate) {
        bucket.reset();
        return false;
    }
    if (bucket) {
        bucket->change(*rate, burst, now);
        return false;
    }
    bucket.emplace(*rate, burst, TokenBucket::Start::Empty, now);
    return true;
}

} // namespace muster
