// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <QVector>
#include <unordered_map>
#include <vector>

#include "core/job/request.h"
#include "core/limits/limiter.h"

namespace muster {

/// Which limiters a request to one scheme, host and port can meet, found once and kept until the rules change
/// or idle instances are forgotten: five globs and a public suffix look-up are too dear for every request.
/// Engine thread, owned by the gate.
class Routes final
{
public:
    struct Stop
    {
        Limiter *limiter = nullptr;
        std::shared_ptr<LimiterInstance> instance; ///< made when first asked
    };
    using Route = std::vector<Stop>;

    /// The limiters whose origin matches, in the order of the list.
    Route &of(const Target &target, const QVector<Limiter *> &limiters);
    void clear() { m_routes.clear(); }

private:
    struct Origin
    {
        QByteArray host;
        int port;
        bool https;
        bool operator==(const Origin &) const = default;
    };
    struct Hash
    {
        std::size_t operator()(const Origin &o) const
        {
            return qHash(o.host, static_cast<std::size_t>(o.port));
        }
    };
    std::unordered_map<Origin, Route, Hash> m_routes;
};

} // namespace muster
