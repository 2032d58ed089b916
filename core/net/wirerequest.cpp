// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/net/wirerequest.h"

#include <QUrl>

#include "core/net/headerrules.h"
#include "core/net/secretfill.h"

namespace muster {

namespace {

// Idle sockets of every host visited are kept that long; Qt's default is 120 s.
constexpr int idleConnectionSeconds = 12;

QNetworkRequest makeTemplate()
{
    QNetworkRequest r;
    r.setAttribute(QNetworkRequest::RedirectPolicyAttribute, QNetworkRequest::ManualRedirectPolicy);
    r.setAttribute(QNetworkRequest::CookieLoadControlAttribute, QNetworkRequest::Manual);
    r.setAttribute(QNetworkRequest::CookieSaveControlAttribute, QNetworkRequest::Manual);
    r.setAttribute(QNetworkRequest::AuthenticationReuseAttribute, QNetworkRequest::Manual);
    r.setAttribute(QNetworkRequest::CacheLoadControlAttribute, QNetworkRequest::AlwaysNetwork);
    r.setAttribute(QNetworkRequest::CacheSaveControlAttribute, false);
    r.setAttribute(QNetworkRequest::Http2AllowedAttribute, false);
    r.setAttribute(QNetworkRequest::HttpPipeliningAllowedAttribute, false);
    r.setAttribute(QNetworkRequest::ConnectionCacheExpiryTimeoutSecondsAttribute, idleConnectionSeconds);
    // Naming them here also spares Qt building both from the locale for each request.
    r.setRawHeader("Accept-Encoding", "gzip, deflate");
    r.setRawHeader("Accept-Language", "en,*");
    return r;
}

Failure refusal(const char *detail, QString note)
{
    return Failure{FailureKind::Internal, detail, 0, std::move(note)};
}

Failure unknownSecret(const QByteArray &name)
{
    return refusal("secret", u"the secret \"" % QString::fromUtf8(name) % u"\" has no value");
}

std::optional<Failure> addHeaders(QNetworkRequest &request, const FlightPlan &plan, const SecretBook *book)
{
    if (const QString problem = headerProblem("User-Agent", plan.userAgent); !problem.isEmpty())
        return refusal("header", problem);
    request.setRawHeader("User-Agent",
                         plan.userAgent.isEmpty() ? QByteArray("Muster/" MUSTER_VERSION) : plan.userAgent);
    if (!plan.withCredentials)
        return std::nullopt;
    for (const Header &h : plan.request.headers) {
        const auto value = fillSecrets(h.value, book);
        if (!value)
            return unknownSecret(value.error());
        if (const QString problem = headerProblem(h.name, *value); !problem.isEmpty())
            return refusal("header", problem);
        request.setRawHeader(h.name, *value);
    }
    return std::nullopt;
}

// The template names the type of its body. After a hop to another origin its headers stay behind, and Qt
// would call every body a form.
QByteArray guessedType(const QByteArray &body)
{
    const QByteArray start = body.left(64).trimmed();
    return start.startsWith('{') || start.startsWith('[') ? "application/json"
                                                          : "application/x-www-form-urlencoded";
}

} // namespace

tl::expected<WireRequest, Failure> makeWireRequest(const FlightPlan &plan, const SecretBook *book)
{
    static const QNetworkRequest base = makeTemplate();
    if (!plan.withCredentials && (plan.request.url.hasSecrets() || plan.request.body.hasSecrets()))
        return tl::unexpected(Failure{FailureKind::Redirect, "secret", 0,
                                      QStringLiteral("a secret would go to an origin that did not send it")});
    WireRequest wire{base, {}, {}};
    const auto url = fillSecrets(plan.request.url, book);
    if (!url)
        return tl::unexpected(unknownSecret(url.error()));
    wire.url = *url;
    QUrl parsed = QUrl::fromEncoded(wire.url, QUrl::StrictMode);
    if (!parsed.isValid()) // brackets and the like, which servers take and QUrl escapes
        parsed = QUrl::fromEncoded(wire.url, QUrl::TolerantMode);
    if (!parsed.isValid() || parsed.host().isEmpty())
        return tl::unexpected(refusal("url", QStringLiteral("its URL cannot be sent")));
    wire.request.setUrl(parsed);
    if (auto failure = addHeaders(wire.request, plan, book))
        return tl::unexpected(*failure);
    if (!plan.request.isWrite())
        return wire;
    const auto body = fillSecrets(plan.request.body, book);
    if (!body)
        return tl::unexpected(unknownSecret(body.error()));
    wire.body = *body;
    wire.request.setAttribute(QNetworkRequest::DoNotBufferUploadDataAttribute, true);
    wire.request.setHeader(QNetworkRequest::ContentLengthHeader, wire.body.size());
    if (!wire.request.hasRawHeader("Content-Type"))
        wire.request.setRawHeader("Content-Type", guessedType(wire.body));
    return wire;
}

void pinTo(WireRequest &wire, const Target &target, const QHostAddress &address)
{
    const bool plain = target.scheme == "http";
    QByteArray host = target.host.contains(':') ? '[' + target.host + ']' : target.host;
    if (target.port != (plain ? 80 : 443))
        host += ':' + QByteArray::number(target.port);
    QUrl url = wire.request.url();
    url.setHost(address.toString());
    wire.request.setUrl(url);
    wire.request.setRawHeader("Host", host);
    wire.request.setPeerVerifyName(QString::fromLatin1(target.host));
}

} // namespace muster
