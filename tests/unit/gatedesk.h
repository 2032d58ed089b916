// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/limits/gate.h"

namespace muster {

inline Mono at(double seconds)
{
    return Mono(Nanos(qRound64(seconds * 1e9)));
}

inline LimiterSettings rule(const char *name, const char *rate = nullptr, qint64 burst = 1,
                            std::optional<qint64> atOnce = std::nullopt)
{
    LimiterSettings r;
    r.name = QLatin1String(name);
    if (rate)
        r.rate = QLatin1String(rate);
    r.burst = burst;
    r.atOnce = atOnce;
    return r;
}

inline LimiterSettings scoped(LimiterSettings r, const char *scope)
{
    r.scope = QLatin1String(scope);
    return r;
}

inline LimiterSettings full(LimiterSettings r)
{
    r.start = QStringLiteral("full");
    return r;
}

/// A gate with one URL at a time, as the team asks it.
struct Desk
{
    explicit Desk(QVector<LimiterSettings> rules = {}, double now = 0)
    {
        gate.onFreed([this](InstanceId id) { freed << id; });
        gate.setRules(rules, at(now));
    }
    Gate::Answer ask(double now, const QByteArray &url = "http://a.example/", Nanos late = Nanos::zero())
    {
        const Target target = targetOf(url);
        return gate.admit({target, url, input, {}}, at(now), late);
    }
    bool grants(double now, const QByteArray &url = "http://a.example/", Nanos late = Nanos::zero())
    {
        auto answer = ask(now, url, late);
        if (auto *permit = std::get_if<Permit>(&answer))
            out.push_back(std::move(*permit));
        return answer.index() == 0;
    }
    NotUntil refusal(double now, const QByteArray &url = "http://a.example/")
    {
        auto answer = ask(now, url);
        const auto *refused = std::get_if<NotUntil>(&answer);
        return refused ? *refused : NotUntil{0, "granted", WaitReason::Queue, Mono{}};
    }
    LimiterView view(double now, qsizetype index = 0) { return gate.views({at(now), {}}).at(index).second; }
    int atOnce(const QByteArray &url, int fallback)
    {
        const Target target = targetOf(url);
        return gate.atOnceFor({target, url, input, {}}, fallback);
    }

    InputColumns input;
    QVector<InstanceId> freed;
    Gate gate;
    std::vector<Permit> out;
};

inline InputColumns columns(const char *name, const char *cell)
{
    return {std::make_shared<const QVector<QByteArray>>(QVector<QByteArray>{name}), {QByteArray(cell)}};
}

} // namespace muster
