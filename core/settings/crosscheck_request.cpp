// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/settings/crosscheck.h"

#include <algorithm>
#include <array>
#include <QSet>

#include "core/settings/keycheck.h"

namespace muster {

namespace {

struct OwnHeader
{
    const char *name;
    const char *reason;
    const char *mend;
};

/// Headers that the transport or another key sets: a second one would contradict it, or change the framing.
constexpr const char *framing = "it is set from the request itself";
constexpr const char *leaveOut = "leave it out";
constexpr const char *credential = "request.headers may hold no secret";
constexpr const char *useAuth =
    "leave it out (`auth` comes with a later version); a key in the URL or body goes as {secret:NAME}";
constexpr std::array<OwnHeader, 14> ownHeaders{{
    {"host", framing, leaveOut},
    {"content-length", framing, leaveOut},
    {"transfer-encoding", framing, leaveOut},
    {"connection", framing, leaveOut},
    {"keep-alive", framing, leaveOut},
    {"proxy-connection", framing, leaveOut},
    {"te", framing, leaveOut},
    {"trailer", framing, leaveOut},
    {"upgrade", framing, leaveOut},
    {"expect", framing, leaveOut},
    {"accept-encoding", "it is set to what can be decoded", leaveOut},
    {"authorization", credential, useAuth},
    {"proxy-authorization", credential, useAuth},
    {"cookie", credential, useAuth},
}};

bool printable(const QString &text)
{
    return std::all_of(text.begin(), text.end(),
                       [](QChar c) { return c == u'\t' || (c.unicode() >= 0x20 && c.unicode() != 0x7f); });
}

bool looksSecret(const QString &lowerName)
{
    for (const char *part : {"api-key", "apikey", "token", "secret", "password"}) {
        if (lowerName.contains(QLatin1String(part)))
            return true;
    }
    return false;
}

void checkHeader(const QString &name, const QString &value, QSet<QString> &seen, Findings &findings)
{
    const QString place = QStringLiteral("request.headers.") + name;
    const QString lower = name.toLower();
    if (!findings.clean(place))
        return;
    if (!isHeaderName(name)) {
        findings.error(place, QStringLiteral("this is no name of a header"),
                       QStringLiteral("write letters, digits and -, for example \"X-Request-Source\""));
        return;
    }
    if (seen.contains(lower))
        findings.error(place, QStringLiteral("it is there twice, letter case aside"),
                       QStringLiteral("keep one of them"));
    seen.insert(lower);
    const auto own = std::find_if(ownHeaders.begin(), ownHeaders.end(),
                                  [&lower](const OwnHeader &h) { return lower == QLatin1String(h.name); });
    if (own != ownHeaders.end())
        findings.error(place, QLatin1String(own->reason), QLatin1String(own->mend));
    else if (lower == QLatin1String("user-agent"))
        findings.error(place, QStringLiteral("it has a key of its own"),
                       QStringLiteral("leave it out and set request.userAgent"));
    else if (value.contains(QLatin1String("{secret:")))
        findings.error(place, QLatin1String(credential), QLatin1String(useAuth));
    else if (looksSecret(lower))
        findings.warning(
            place, QStringLiteral("this looks like a secret, and settings are stored and copied readably"),
            QStringLiteral("send keys in the URL or body as {secret:NAME}"));
    if (!printable(value))
        findings.error(place, QStringLiteral("a header holds no line ends or control characters"),
                       QStringLiteral("write one line of text"));
}

void checkUserAgent(const char *key, const QString &value, Findings &findings)
{
    if (!printable(value))
        findings.error(QLatin1String("request.") + QLatin1String(key),
                       QStringLiteral("a header holds no line ends or control characters"),
                       QStringLiteral("write one line of text"));
    if (value.contains(QLatin1String("{secret:")))
        findings.error(QLatin1String("request.") + QLatin1String(key),
                       QStringLiteral("it is sent as it stands and may hold no secret"),
                       QStringLiteral("leave the secret out"));
}

} // namespace

void checkRequest(const Settings &settings, Findings &findings)
{
    const RequestSettings &s = settings.request;
    if (s.url.trimmed().isEmpty() && findings.clean(QStringLiteral("request.url")))
        findings.error(QStringLiteral("request.url"), QStringLiteral("it is empty"),
                       QStringLiteral("write a template, or leave it out (it then is \"{url}\")"));
    const bool bodyless = s.method == QLatin1String("GET") || s.method == QLatin1String("HEAD");
    if (bodyless && !s.body.isEmpty() && findings.clean(QStringLiteral("request.method")))
        findings.error(QStringLiteral("request.body"),
                       QStringLiteral("a %1 request carries no body").arg(s.method),
                       QStringLiteral("leave it out, or set request.method to POST or PUT"));
    QSet<QString> seen;
    for (const auto &[name, value] : s.headers)
        checkHeader(name, value, seen, findings);
    checkUserAgent("userAgent", s.userAgent, findings);
    checkUserAgent("contact", s.contact, findings);
    if (s.accept.isEmpty() && findings.clean(QStringLiteral("request.accept")))
        findings.error(QStringLiteral("request.accept"), QStringLiteral("no answer could ever count"),
                       QStringLiteral("write statuses, for example [\"2xx\"], or leave it out"));
    if (s.fallback && s.fallback->on.isEmpty() && findings.clean(QStringLiteral("request.fallback")))
        findings.error(QStringLiteral("request.fallback.on"), QStringLiteral("it names no status"),
                       QStringLiteral("write statuses, for example [405,501], or leave it out"));
    if (s.fallback && s.fallback->method == s.method && findings.clean(QStringLiteral("request.fallback")))
        findings.warning(QStringLiteral("request.fallback.method"),
                         QStringLiteral("it asks by the same method again"),
                         QStringLiteral("leave request.fallback out, or set request.method to HEAD"));
}

} // namespace muster
