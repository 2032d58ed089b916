// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/limits/limiter.h"

#include "core/limits/site.h"

namespace muster {

namespace {
std::optional<Rate> rateOf(const LimiterSettings &rule)
{
    QString why;
    const auto rate = rule.rate ? parseRate(*rule.rate, &why) : std::nullopt;
    Q_ASSERT_X(why.isEmpty(), "Limiter", "a rule that has not passed check");
    return rate;
}

bool startsFull(const LimiterSettings &rule)
{
    return rule.start == QLatin1String("full");
}
} // namespace

Limiter::Limiter(const LimiterSettings &rule, Mono now)
    : m_rule(rule)
    , m_name(rule.name.toUtf8())
    , m_costColumn(rule.costColumn.toUtf8())
    , m_glob(rule.match)
    , m_rate(rateOf(rule))
{
    if (m_rate)
        m_template.emplace(*m_rate, rule.burst, TokenBucket::Start::Full, now);
}

QVector<InstanceId> Limiter::change(const LimiterSettings &rule, Mono now)
{
    if (rule == m_rule)
        return {};
    const QVector<InstanceId> changed = ids();
    const bool rescoped = rule.scope != m_rule.scope;
    m_rule = rule;
    m_costColumn = rule.costColumn.toUtf8();
    m_glob = UrlGlob(rule.match);
    m_rate = rateOf(rule);
    if (rescoped) { // other instances altogether: permits out count in the old ones, and nobody starts full
        m_instances.clear();
        m_forgotten.clear();
        m_template.reset();
    }
    changeBucket(m_template, m_rate, rule.burst, now);
    for (const auto &instance : std::as_const(m_instances))
        instance->change(m_rate, rule.burst, rule.atOnce, now);
    return changed;
}

tl::expected<qint64, QString> Limiter::costOf(const InputColumns &input) const
{
    qint64 cost = m_rule.cost;
    if (!m_costColumn.isEmpty()) {
        const auto cell = input.cell(m_costColumn);
        bool ok = true;
        cost = cell ? cell->trimmed().toLongLong(&ok) : 1;
        if (!ok || cost < 1)
            return tl::make_unexpected(
                QStringLiteral(
                    "limiter %1: column %2 holds \"%3\" as the cost; give a whole number from 1 on")
                    .arg(m_rule.name, m_rule.costColumn, QString::fromUtf8(cell->left(40))));
    }
    if (m_rate && cost > m_rule.burst)
        return tl::make_unexpected(
            QStringLiteral("limiter %1: cost %2 is above the burst %3; raise the burst or lower the cost")
                .arg(m_rule.name)
                .arg(cost)
                .arg(m_rule.burst));
    return cost;
}

QByteArray Limiter::keyOf(const Target &target) const
{
    if (m_rule.scope == QLatin1String("host"))
        return target.host;
    return m_rule.scope == QLatin1String("site") ? siteOf(target.host) : QByteArray();
}

std::optional<TokenBucket> Limiter::firstBucket(const QByteArray &key, Mono now) const
{
    if (!m_rate || startsFull(m_rule) || m_forgotten.contains(key))
        return m_template;
    return TokenBucket(*m_rate, m_rule.burst, TokenBucket::Start::Empty, now);
}

std::shared_ptr<LimiterInstance> Limiter::instanceFor(const Target &target, InstanceId &lastId, Mono now)
{
    const QByteArray key = keyOf(target);
    std::shared_ptr<LimiterInstance> &instance = m_instances[key];
    if (!instance) {
        instance =
            std::make_shared<LimiterInstance>(++lastId, key, firstBucket(key, now), m_rule.atOnce, now);
        m_forgotten.remove(key);
    }
    return instance;
}

void Limiter::forgetIdle(Mono now)
{
    if (m_template && !m_template->isFull(now))
        return; // a full instance and the template would differ
    for (auto it = m_instances.begin(); it != m_instances.end();) {
        if (!(*it)->isIdle(now)) {
            ++it;
            continue;
        }
        if (!startsFull(m_rule))
            m_forgotten.insert(it.key());
        it = m_instances.erase(it);
    }
}

QVector<InstanceId> Limiter::ids() const
{
    QVector<InstanceId> all;
    all.reserve(m_instances.size());
    for (const auto &instance : m_instances)
        all << instance->id();
    return all;
}

LimiterView Limiter::viewOf(const LimiterInstance &instance, Mono now) const
{
    LimiterView view;
    view.name = m_name;
    view.instance = instance.key();
    if (instance.bucket()) {
        view.tokens = std::max(0.0, instance.bucket()->tokens(now));
        view.burst = static_cast<double>(instance.bucket()->burst());
        view.ratePerSecond = instance.bucket()->rate().perSecond();
        view.rate = m_rule.rate->toUtf8();
    }
    view.usedPerSecond = instance.meter().perSecond(now);
    view.out = instance.budget().out();
    view.atOnce = m_rule.atOnce;
    return view;
}

void Limiter::addViews(Mono now, QVector<std::pair<InstanceId, LimiterView>> &views) const
{
    for (const auto &instance : m_instances)
        views.emplaceBack(instance->id(), viewOf(*instance, now));
}

} // namespace muster
