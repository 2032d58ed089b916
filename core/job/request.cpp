// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/job/request.h"

#include <algorithm>

namespace muster {

bool Request::hasSecrets() const
{
    return url.hasSecrets() || body.hasSecrets() ||
           std::any_of(headers.begin(), headers.end(), [](const Header &h) { return h.value.hasSecrets(); });
}

Target targetOf(const QByteArray &url)
{
    Target t;
    const bool https = url.startsWith("https://");
    if (!https && !url.startsWith("http://"))
        return t;
    const qsizetype begin = https ? 8 : 7;
    qsizetype end = begin;
    while (end < url.size() && url[end] != '/' && url[end] != '?' && url[end] != '#')
        ++end;
    QByteArray authority = url.mid(begin, end - begin);
    if (const qsizetype at = authority.lastIndexOf('@'); at >= 0)
        authority = authority.mid(at + 1);
    int port = https ? 443 : 80;
    const qsizetype bracket = authority.lastIndexOf(']');
    if (const qsizetype colon = authority.lastIndexOf(':'); colon > bracket) {
        if (colon + 1 < authority.size()) {
            bool ok = false;
            port = authority.mid(colon + 1).toInt(&ok);
            if (!ok || port < 1 || port > 65535)
                return t;
        }
        authority.truncate(colon);
    }
    if (bracket > 0)
        authority = authority.mid(1, bracket - 1);
    while (authority.endsWith('.'))
        authority.chop(1);
    if (authority.isEmpty())
        return t;
    t.scheme = https ? "https" : "http";
    t.host = authority.toLower();
    t.port = port;
    qsizetype query = end;
    while (query < url.size() && url[query] != '?' && url[query] != '#')
        ++query;
    t.path = query > end ? url.mid(end, query - end) : QByteArray("/");
    return t;
}

} // namespace muster
