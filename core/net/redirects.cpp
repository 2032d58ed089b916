// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/net/redirects.h"

#include <algorithm>
#include <optional>
#include <QUrl>

#include "core/net/secretfill.h"

namespace muster {

namespace {

// Longer ones are an attack or a mistake; browsers stop at 2 to 64 KiB, servers at 8.
constexpr qsizetype longestLocation = 16 * 1024;

bool isHex(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

bool isUnreserved(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' ||
           c == '.' || c == '_' || c == '~';
}

void appendEscaped(QByteArray &out, char c)
{
    out += '%';
    out += QByteArray(1, c).toHex().toUpper();
}

/// Path and query as spec 2 normalises them: unreserved escapes decoded, the others in upper case, and what
/// may not stand in a URL escaped.
QByteArray cleaned(QByteArrayView text)
{
    QByteArray out;
    out.reserve(text.size());
    bool inPath = true;
    for (qsizetype i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '%' && i + 2 < text.size() && isHex(text[i + 1]) && isHex(text[i + 2])) {
            const QByteArray one = QByteArray::fromHex(text.sliced(i + 1, 2).toByteArray());
            if (isUnreserved(one[0]))
                out += one;
            else
                appendEscaped(out, one[0]);
            i += 2;
        } else if (static_cast<unsigned char>(c) <= 0x20 || static_cast<unsigned char>(c) >= 0x7f ||
                   QByteArrayView("%\"<>\\^`{|}").contains(c) || (inPath && (c == '[' || c == ']'))) {
            appendEscaped(out, c);
        } else {
            inPath = inPath && c != '?';
            out += c;
        }
    }
    return out;
}

QByteArray schemeOf(const QByteArray &location)
{
    const auto end = std::find_if_not(location.begin(), location.end(), [](char c) {
        return (isUnreserved(c) && c != '_' && c != '~') || c == '+';
    });
    const bool letter = !location.isEmpty() && !(location[0] >= '0' && location[0] <= '9') &&
                        location[0] != '.' && location[0] != '-' && location[0] != '+';
    if (end == location.end() || *end != ':' || !letter)
        return {};
    return location.left(end - location.begin()).toLower();
}

bool hasControls(const QByteArray &text)
{
    return std::any_of(text.begin(), text.end(), [](char c) {
        const auto u = static_cast<unsigned char>(c);
        return u < 0x20 || u == 0x7f;
    });
}

/// The reference as QUrl reads it strictly: only its host may hold letters beyond ASCII.
QUrl parsedReference(const QByteArray &location, const QByteArray &scheme)
{
    QByteArray text = location.left(location.indexOf('#') < 0 ? location.size() : location.indexOf('#'));
    qsizetype rest = scheme.isEmpty() ? 0 : scheme.size() + 1;
    if (QByteArrayView(text).sliced(rest).startsWith("//")) {
        rest += 2;
        while (rest < text.size() && text[rest] != '/' && text[rest] != '?')
            ++rest;
    } else if (rest > 0) {
        return QUrl(); // "http:path" means something else to everybody
    }
    const QString head = QString::fromUtf8(text.left(rest));
    return QUrl(head + QString::fromLatin1(cleaned(QByteArrayView(text).sliced(rest))), QUrl::StrictMode);
}

/// Scheme, host, port, path and query; nothing where one of them is no good.
std::optional<QByteArray> normalised(const QUrl &url)
{
    const QByteArray scheme = url.scheme().toLatin1().toLower();
    QByteArray host = url.host(QUrl::FullyEncoded).toLatin1().toLower();
    if (!url.isValid() || host.isEmpty() || host.contains('%'))
        return std::nullopt;
    if (host.contains(':') && !host.startsWith('['))
        host = '[' + host + ']';
    const int usual = scheme == "https" ? 443 : 80;
    const int port = url.port(usual);
    if (port < 1 || port > 65535)
        return std::nullopt;
    QByteArray out = scheme + "://" + host;
    if (port != usual)
        out += ':' + QByteArray::number(port);
    const QByteArray path = url.path(QUrl::FullyEncoded).toLatin1();
    out += path.isEmpty() ? QByteArray("/") : path;
    if (url.hasQuery())
        out += '?' + url.query(QUrl::FullyEncoded).toLatin1();
    return out;
}

tl::unexpected<Failure> refused(const char *detail, int status, QString note)
{
    return tl::unexpected(Failure{FailureKind::Redirect, detail, status, std::move(note)});
}

// The method table of the fetch standard, "HTTP-redirect fetch", step 12.
bool becomesGet(int status, const QByteArray &method)
{
    if (status == 303)
        return method != "GET" && method != "HEAD";
    return (status == 301 || status == 302) && method == "POST";
}

} // namespace

bool isRedirectStatus(int status)
{
    return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
}

tl::expected<Redirect, Failure> resolveRedirect(const RedirectFrom &from, int status,
                                                const QByteArray &location, const SecretBook *book)
{
    const QByteArray text = location.trimmed();
    if (text.isEmpty())
        return refused("invalid", status, QStringLiteral("it does not say where to"));
    if (text.size() > longestLocation)
        return refused("invalid", status, u"its target is " % QString::number(text.size()) % u" bytes long");
    if (hasControls(text))
        return refused("invalid", status, QStringLiteral("its target has control characters"));
    const QByteArray scheme = schemeOf(text);
    if (!scheme.isEmpty() && scheme != "http" && scheme != "https")
        return refused("scheme", status,
                       u"it leads to the scheme \"" % QString::fromLatin1(scheme.left(20)) % u'"');
    const auto query = std::find_if(text.begin(), text.end(), [](char c) { return c == '?' || c == '#'; });
    if (std::find(text.begin(), query, '\\') != query)
        return refused("invalid", status, QStringLiteral("its target has a backslash"));

    const QUrl base = QUrl::fromEncoded(from.url, QUrl::StrictMode);
    const QUrl reference = text.startsWith('#') ? base : parsedReference(text, scheme);
    const auto url = reference.isValid() ? normalised(base.resolved(reference)) : std::nullopt;
    if (!url)
        return refused("invalid", status, QStringLiteral("its target is no URL"));

    const Target here = targetOf(from.url);
    const Target there = targetOf(*url);
    if (here.scheme == "https" && there.scheme == "http")
        return refused("downgrade", status, QStringLiteral("it leads from https to http"));
    Redirect redirect;
    redirect.status = status;
    redirect.sameOrigin = here.sameOrigin(there);
    redirect.url = maskSecrets(*url, book);
    if (redirect.url.hasSecrets() && !redirect.sameOrigin)
        return refused("secret", status, QStringLiteral("it would carry a secret to another origin"));
    const bool drops = becomesGet(status, from.method);
    redirect.method = drops ? QByteArray("GET") : from.method;
    if (from.hasBody && !drops && !redirect.sameOrigin)
        return refused("body", status, QStringLiteral("it would send the body again, to another origin"));
    redirect.keepsBody = from.hasBody && !drops;
    return redirect;
}

} // namespace muster
