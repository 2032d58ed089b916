// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/limits/routes.h"

namespace muster {

Routes::Route &Routes::of(const Target &target, const QVector<Limiter *> &limiters)
{
    const auto [it, isNew] = m_routes.try_emplace({target.host, target.port, target.scheme == "https"});
    if (isNew)
        for (Limiter *limiter : limiters)
            if (limiter->matchesOrigin(target))
                it->second.push_back({limiter, nullptr});
    return it->second;
}

} // namespace muster
