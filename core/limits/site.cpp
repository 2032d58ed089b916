// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/limits/site.h"

#include <algorithm>
#include <libpsl.h>

namespace muster {

QByteArray siteOf(const QByteArray &host)
{
    const QByteArray last = host.mid(host.lastIndexOf('.') + 1);
    const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
    if (host.contains(':') || std::all_of(last.begin(), last.end(), isDigit))
        return host;
    const psl_ctx_t *list = psl_builtin();
    // Without this a name below an unknown top level would be cut as if that were a registry.
    if (psl_is_public_suffix2(list, last.constData(), PSL_TYPE_ANY | PSL_TYPE_NO_STAR_RULE) == 0)
        return host;
    const char *site = psl_registrable_domain(list, host.constData());
    return site != nullptr ? QByteArray(site) : host;
}

} // namespace muster
