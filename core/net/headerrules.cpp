// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/net/headerrules.h"

#include <algorithm>
#include <array>

namespace muster {

namespace {

// RFC 9110 5.6.2
bool isTokenChar(char c)
{
    if ((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'))
        return true;
    return c != '\0' && QByteArrayView("!#$%&'*+-.^_`|~").contains(c);
}

// They frame the message: set by the transport alone.
constexpr std::array<const char *, 3> ownNames{"Host", "Content-Length", "Transfer-Encoding"};

QString shown(QByteArrayView name)
{
    return QString::fromLatin1(name.first(std::min<qsizetype>(name.size(), 60)).toByteArray().simplified());
}

} // namespace

QString headerProblem(QByteArrayView name, QByteArrayView value)
{
    if (name.isEmpty())
        return QStringLiteral("a header without a name");
    if (!std::all_of(name.begin(), name.end(), isTokenChar))
        return u"header name \"" % shown(name) % u"\" has a character that no header name may have";
    const bool own = std::any_of(ownNames.begin(), ownNames.end(), [&](const char *n) {
        return name.compare(QByteArrayView(n), Qt::CaseInsensitive) == 0;
    });
    if (own)
        return u"header " % shown(name) % u" is set by the transport and cannot be given";
    const bool broken =
        std::any_of(value.begin(), value.end(), [](char c) { return c == '\r' || c == '\n' || c == '\0'; });
    if (broken)
        return u"the value of header " % shown(name) % u" has a line break or a NUL";
    return {};
}

} // namespace muster
