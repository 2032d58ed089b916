// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/limits/gate.h"

#include <algorithm>
#include <limits>
#include <QHash>

#include "core/limits/freednotice.h"
#include "core/limits/grant.h"
#include "core/limits/limiter.h"
#include "core/limits/routes.h"

namespace muster {

struct Gate::Private
{
    struct Asked
    {
        Routes::Stop *stop;
        qint64 cost;
    };
    using AskedAll = QVarLengthArray<Asked, 8>;

    std::optional<Never> gather(const Ask &ask, AskedAll &asked);
    Mono earliest(const AskedAll &asked, Mono now, Nanos late) const;
    std::optional<NotUntil> refusal(const AskedAll &asked, Mono earliest, Mono now) const;
    QVector<InstanceId> apply(const QVector<LimiterSettings> &rules, Mono now);

    std::shared_ptr<FreedNotice> freed = std::make_shared<FreedNotice>();
    QHash<QString, std::shared_ptr<Limiter>> known; ///< by name, those switched off or taken out too
    QVector<Limiter *> active;                      ///< in the order of the list
    Routes routes;
    InstanceId lastId = 0;
};

Gate::Gate()
    : d(std::make_unique<Private>())
{}

Gate::~Gate()
{
    d->freed->silence();
}

QVector<InstanceId> Gate::Private::apply(const QVector<LimiterSettings> &rules, Mono now)
{
    const QVector<Limiter *> before = std::exchange(active, {});
    routes.clear();
    QVector<InstanceId> changed;
    for (const LimiterSettings &rule : rules) {
        if (!rule.enabled)
            continue;
        std::shared_ptr<Limiter> &limiter = known[rule.name];
        if (limiter)
            changed += limiter->change(rule, now);
        else
            limiter = std::make_shared<Limiter>(rule, now);
        active << limiter.get();
    }
    for (const Limiter *limiter : before)
        if (!active.contains(limiter))
            changed += limiter->ids();
    return changed;
}

void Gate::setRules(const QVector<LimiterSettings> &rules, Mono now)
{
    const auto freed = d->freed;
    for (const InstanceId id : d->apply(rules, now)) // all rules stand before anybody asks again
        freed->tell(id);
}

/// The limiters that match, with what each wants.
std::optional<Never> Gate::Private::gather(const Ask &ask, AskedAll &asked)
{
    for (Routes::Stop &stop : routes.of(ask.target, active)) {
        if (!stop.limiter->matchesPath(ask.target.path))
            continue;
        const auto cost = stop.limiter->costOf(ask.input);
        if (!cost)
            return Never{stop.limiter->name(), cost.error()};
        asked.push_back({&stop, *cost});
    }
    return std::nullopt;
}

/// One date for all of them: a late timer counts, time before a full at-once share does not.
Mono Gate::Private::earliest(const AskedAll &asked, Mono now, Nanos late) const
{
    Mono date = TokenBucket::datedBack(now, late);
    for (const Asked &a : asked)
        date = a.stop->instance->earliest(date);
    return date;
}

/// A full at-once share is named before any bucket, because only a returning permit ends it; among buckets
/// the one that grants last.
std::optional<NotUntil> Gate::Private::refusal(const AskedAll &asked, Mono earliest, Mono now) const
{
    std::optional<NotUntil> answer;
    for (const Asked &a : asked) {
        LimiterInstance &instance = *a.stop->instance;
        if (!instance.budget().isFree()) {
            instance.sawFull(now);
            return NotUntil{instance.id(), a.stop->limiter->name(), WaitReason::AtOnce, monoNever};
        }
        const Mono ready = instance.readyAt(a.cost, earliest, now);
        if (ready > now && (!answer || ready > answer->when))
            answer = NotUntil{instance.id(), a.stop->limiter->name(), WaitReason::Bucket, ready};
    }
    return answer;
}

Gate::Answer Gate::admit(const Ask &ask, Mono now, Nanos late)
{
    Private::AskedAll asked;
    if (auto never = d->gather(ask, asked))
        return *std::move(never);
    for (const Private::Asked &a : asked)
        if (!a.stop->instance)
            a.stop->instance = a.stop->limiter->instanceFor(ask.target, d->lastId, now);
    const Mono date = d->earliest(asked, now, late);
    if (auto refused = d->refusal(asked, date, now))
        return *std::move(refused);
    auto grant = std::make_unique<Permit::Grant>();
    grant->freed = d->freed;
    for (const Private::Asked &a : asked)
        grant->shares.push_back({a.stop->instance, a.stop->instance->take(a.cost, date, now)});
    return Permit(std::move(grant));
}

void Gate::chargeAgain(const Permit &permit, Mono now)
{
    if (permit.isValid())
        for (const Permit::Grant::Share &share : permit.grant()->shares)
            share.instance->charge(share.receipt, now);
}

int Gate::atOnceFor(const Ask &ask, int fallback) const
{
    std::optional<qint64> least;
    for (const Routes::Stop &stop : d->routes.of(ask.target, d->active)) {
        const std::optional<qint64> limit = stop.limiter->rule().atOnce;
        if (limit && stop.limiter->matchesPath(ask.target.path))
            least = std::min(*limit, least.value_or(*limit));
    }
    return static_cast<int>(std::min<qint64>(least.value_or(fallback), std::numeric_limits<int>::max()));
}

void Gate::onFreed(std::function<void(InstanceId)> freed)
{
    d->freed->listen(std::move(freed));
}

void Gate::forgetIdle(Mono now)
{
    d->routes.clear();
    for (const auto &limiter : std::as_const(d->known))
        limiter->forgetIdle(now);
}

QVector<std::pair<InstanceId, LimiterView>> Gate::views(Moment now) const
{
    QVector<std::pair<InstanceId, LimiterView>> views;
    for (const Limiter *limiter : d->active)
        limiter->addViews(now.mono, views);
    return views;
}

} // namespace muster
