// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <QHash>
#include <QSet>
#include <QVector>
#include <tl/expected.hpp>

#include "core/job/job.h"
#include "core/job/request.h"
#include "core/job/snapshot.h"
#include "core/job/urlglob.h"
#include "core/limits/limiterinstance.h"
#include "core/settings/settings.h"

namespace muster {

/// One named rule and its instances, one for each value of its scope, made on first use. Engine thread, owned
/// by the gate. A limiter that is switched off or taken out of the list keeps its state under its name, so
/// that switching it on again fills no bucket and still counts the permits that are out.
///
/// An idle instance is forgotten only where making it again gives the same: all forgotten ones are full, and
/// one template bucket goes through every change in their place. With `start` full the hosts never seen are
/// full as well; with `start` empty their names must be kept, lest a known host waits as if it were new.
class Limiter final
{
public:
    Limiter(const LimiterSettings &rule, Mono now);
    Q_DISABLE_COPY_MOVE(Limiter)

    const LimiterSettings &rule() const { return m_rule; }
    const QByteArray &name() const { return m_name; }
    /// The rule as it is from `now` on. The instances whose waiters should ask again; none where nothing
    /// changed.
    QVector<InstanceId> change(const LimiterSettings &rule, Mono now);

    bool matchesOrigin(const Target &target) const { return m_glob.matchesOrigin(target); }
    bool matchesPath(QByteArrayView path) const { return m_glob.matchesPath(path); }
    /// Tokens of one request, or why it can never have them.
    tl::expected<qint64, QString> costOf(const InputColumns &input) const;
    std::shared_ptr<LimiterInstance> instanceFor(const Target &target, InstanceId &lastId, Mono now);

    QVector<InstanceId> ids() const; ///< of all its instances
    void forgetIdle(Mono now);
    void addViews(Mono now, QVector<std::pair<InstanceId, LimiterView>> &views) const;

private:
    QByteArray keyOf(const Target &target) const;
    std::optional<TokenBucket> firstBucket(const QByteArray &key, Mono now) const;
    LimiterView viewOf(const LimiterInstance &instance, Mono now) const;

    LimiterSettings m_rule;
    QByteArray m_name;
    QByteArray m_costColumn;
    UrlGlob m_glob;
    std::optional<Rate> m_rate;
    std::optional<TokenBucket> m_template; ///< stands for every forgotten instance
    QSet<QByteArray> m_forgotten;          ///< their keys, with `start` empty
    QHash<QByteArray, std::shared_ptr<LimiterInstance>> m_instances;
};

} // namespace muster
