// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/job/describe.h"

#include <QList>

namespace muster {

namespace {

struct DetailWords
{
    FailureKind kind;
    const char *detail;
    const char *words;
};

// The detail words of the fault catalogue. `send_uncertain` is written as the contract words it.
constexpr DetailWords detailWords[] = {
    {FailureKind::Dns, "nxdomain", "the host name does not exist"},
    {FailureKind::Dns, "servfail", "the name server failed"},
    {FailureKind::Dns, "timeout", "the name server did not answer"},
    {FailureKind::Connect, "refused", "connection refused"},
    {FailureKind::ClosedEarly, "send_uncertain", "outcome unknown, not retried"},
    {FailureKind::ClosedEarly, "goaway", "the server closed the connection before it took the request"},
    {FailureKind::Tls, "expired", "the certificate has expired"},
    {FailureKind::Tls, "not_yet", "the certificate is not valid yet"},
    {FailureKind::Tls, "hostname", "the certificate is for another host"},
    {FailureKind::Tls, "self_signed", "the certificate is self-signed"},
    {FailureKind::Tls, "untrusted", "the certificate's issuer is not trusted"},
    {FailureKind::Tls, "chain", "the certificate's chain is incomplete"},
    {FailureKind::Tls, "handshake", "the TLS handshake failed"},
    {FailureKind::Tls, "weak", "the server offers only weak encryption"},
    {FailureKind::Proxy, "down", "the proxy cannot be reached"},
    {FailureKind::Proxy, "auth", "the proxy refused the login"},
    {FailureKind::Proxy, "tunnel", "the proxy opened no tunnel"},
    {FailureKind::Proxy, "died", "the proxy broke off in the middle"},
    {FailureKind::Proxy, "page", "the proxy sent a page of its own"},
    {FailureKind::Stalled, "too_slow", "the body came too slowly"},
    {FailureKind::Malformed, "1xx", "an interim status came as the last one"},
    {FailureKind::Malformed, "h2", "HTTP/2 was broken"},
    {FailureKind::Malformed, "xml", "the XML cannot be read"},
    {FailureKind::Decode, "truncated", "the compressed body ends too early"},
    {FailureKind::Decode, "unsupported", "the content encoding is not supported"},
    {FailureKind::TooLarge, "headers", "too many header fields, or too long ones"},
    {FailureKind::TooLarge, "decoded", "the decoded body is larger than allowed"},
    {FailureKind::Redirect, "loop", "the redirects go round in a circle"},
    {FailureKind::Redirect, "too_many", "too many redirects"},
    {FailureKind::Redirect, "scheme", "redirected to something other than http or https"},
    {FailureKind::Redirect, "downgrade", "redirected from https to http"},
    {FailureKind::Redirect, "invalid", "redirected to an address that is none"},
    {FailureKind::Redirect, "secret", "redirected elsewhere with a secret in the address"},
    {FailureKind::Refine, "missing", "a field that must be there is missing"},
    {FailureKind::Refine, "type", "a field is of another type"},
    {FailureKind::Refine, "limit", "a rule was too costly"},
    {FailureKind::Refine, "json", "the answer is not JSON"},
    {FailureKind::Refine, "empty", "the answer is empty"},
    {FailureKind::Internal, "local_resources", "this machine ran out of ports or files"},
};

constexpr const char *kindWords(FailureKind kind)
{
    switch (kind) {
    case FailureKind::None:
        return "";
    case FailureKind::Dns:
        return "the host name could not be looked up";
    case FailureKind::Connect:
        return "no connection";
    case FailureKind::ConnectTimeout:
        return "no connection in time";
    case FailureKind::ClosedEarly:
        return "connection closed before the answer began";
    case FailureKind::Tls:
        return "no secure connection";
    case FailureKind::Proxy:
        return "the proxy failed";
    case FailureKind::FirstByteTimeout:
        return "no answer in time";
    case FailureKind::Stalled:
        return "the body stopped coming";
    case FailureKind::TotalTimeout:
        return "not finished in time";
    case FailureKind::Truncated:
        return "the body ends too early";
    case FailureKind::Malformed:
        return "the answer is not proper HTTP";
    case FailureKind::Decode:
        return "the body cannot be unpacked";
    case FailureKind::TooLarge:
        return "the answer is too large";
    case FailureKind::Redirect:
        return "the redirect was not followed";
    case FailureKind::BlockedAddress:
        return "the address is not allowed";
    case FailureKind::RateLimited:
        return "told to wait";
    case FailureKind::Http4xx:
        return "refused";
    case FailureKind::Http5xx:
        return "the server failed";
    case FailureKind::UnexpectedStatus:
        return "a status that is not accepted";
    case FailureKind::ErrorRule:
        return "an error rule matched";
    case FailureKind::Refine:
        return "the answer could not be refined";
    case FailureKind::Robots:
        return "robots.txt forbids it";
    case FailureKind::SuspectedCrash:
        return "the program crashed on it";
    case FailureKind::Cancelled:
        return "cancelled";
    case FailureKind::Internal:
        return "an error of our own";
    }
    return "";
}

struct StatusWords
{
    int code;
    const char *words;
};
constexpr StatusWords statusWords[] = {
    {400, "bad request"},
    {401, "login needed"},
    {402, "payment needed"},
    {403, "forbidden"},
    {404, "not found"},
    {405, "method not allowed"},
    {406, "not acceptable"},
    {407, "proxy login needed"},
    {408, "the server waited too long"},
    {409, "conflict"},
    {410, "gone"},
    {413, "the request is too large"},
    {414, "the URL is too long"},
    {415, "the body's type is not supported"},
    {422, "the request cannot be processed"},
    {425, "too early"},
    {451, "withheld for legal reasons"},
    {500, "the server failed"},
    {501, "not supported by the server"},
    {502, "bad gateway"},
    {503, "unavailable"},
    {504, "gateway timeout"},
};

QString wordsOf(const Failure &failure)
{
    for (const DetailWords &d : detailWords)
        if (d.kind == failure.kind && failure.detail == d.detail)
            return QString::fromLatin1(d.words);
    if (failure.kind == FailureKind::Http4xx || failure.kind == FailureKind::Http5xx)
        for (const StatusWords &s : statusWords)
            if (s.code == failure.code)
                return QString::fromLatin1(s.words);
    const QString words = QString::fromLatin1(kindWords(failure.kind));
    // A detail word that has no sentence here still says more than the kind alone.
    if (failure.detail.isEmpty())
        return words;
    return words % QStringLiteral(" (") % QString::fromUtf8(failure.detail) % QLatin1Char(')');
}

/// "a=***&b=***": names stay, for they say which URL it was.
QByteArray maskedQuery(const QByteArray &query)
{
    QByteArray out;
    const QList<QByteArray> parts = query.split('&');
    for (const QByteArray &part : parts) {
        if (!out.isEmpty())
            out += '&';
        const qsizetype equals = part.indexOf('=');
        // A query without names may be a key as a whole.
        if (equals < 0)
            out += part.isEmpty() ? "" : "***";
        else
            out += part.first(equals + 1) + (equals + 1 < part.size() ? "***" : "");
    }
    return out;
}

} // namespace

QString describe(const Failure &failure)
{
    if (!failure)
        return failure.note; // a refused row: no kind, but a reason
    QString text;
    if (failure.code > 0)
        text = QStringLiteral("HTTP ") % QString::number(failure.code) % QStringLiteral(": ");
    text += wordsOf(failure);
    if (!failure.note.isEmpty())
        text += QStringLiteral(", ") % failure.note;
    return text;
}

QString counted(qint64 n, const char *noun)
{
    return QString::number(n) + QLatin1Char(' ') + QLatin1String(noun) +
           (n == 1 ? QString() : QStringLiteral("s"));
}

QByteArray redactedUrl(const QByteArray &url)
{
    QByteArray out = url;
    const qsizetype scheme = out.indexOf("://");
    if (scheme >= 0) {
        const qsizetype from = scheme + 3;
        qsizetype end = from;
        while (end < out.size() && !std::strchr("/?#\\", out[end]))
            ++end;
        const qsizetype at = out.lastIndexOf('@', end - 1);
        if (at >= from)
            out.replace(from, at - from, "***");
    }
    const qsizetype fragment = out.indexOf('#');
    // Tokens travel in fragments, too, and a fragment is never sent.
    if (fragment >= 0)
        out = out.first(fragment) + (fragment + 1 < out.size() ? "#***" : "#");
    const qsizetype query = out.indexOf('?');
    if (query < 0)
        return out;
    const qsizetype end = out.indexOf('#', query);
    const QByteArray tail = end < 0 ? QByteArray() : out.sliced(end);
    const QByteArray middle = out.sliced(query + 1, (end < 0 ? out.size() : end) - query - 1);
    return out.first(query + 1) + maskedQuery(middle) + tail;
}

} // namespace muster
