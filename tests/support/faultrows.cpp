// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/faultrows.h"

namespace muster {

namespace {

using Kind = FailureKind;
using Retry = FaultRow::Retry;

constexpr Millis brief{400};

const QByteArray blind = "Qt says the same for a close, a reset and garbage: error 2 and no headers";

FaultRow row(const char *id, QByteArray path, Retry retry, Kind kind, const char *detail = "", int sends = 1)
{
    FaultRow r;
    r.id = id;
    r.path = std::move(path);
    r.retry = retry;
    r.kind = kind;
    r.detail = detail;
    r.sends = sends;
    return r;
}

FaultRow page(const char *id, QByteArray path, int status, Retry retry = Retry::Ok, Kind kind = Kind::None)
{
    FaultRow r = row(id, std::move(path), retry, kind);
    r.status = status;
    return r;
}

FaultRow good(const char *id, QByteArray path, QByteArray body)
{
    FaultRow r = page(id, std::move(path), 200);
    r.body = std::move(body);
    return r;
}

/// A connection that ends without an answer: Qt sends a GET once more, we stop it there.
FaultRow closed(const char *id, QByteArray path, const char *wish, Kind wishKind = Kind::ClosedEarly)
{
    FaultRow r = row(id, std::move(path), Retry::Yes, Kind::ClosedEarly, "", 2);
    r.wishKind = wishKind;
    r.wishDetail = wish;
    r.xfail = blind;
    return r;
}

/// The same for a POST: sent once, and nobody knows whether it counted.
FaultRow posted(const char *id, QByteArray path)
{
    FaultRow r = row(id, std::move(path), Retry::Never, Kind::ClosedEarly, "send_uncertain");
    r.method = "POST";
    return r;
}

void addConnection(QVector<FaultRow> &rows)
{
    FaultRow refused = row("F01", "/ok", Retry::Yes, Kind::Connect, "refused", 0);
    refused.listener = "refused";
    rows << refused;
    refused.id = "F01 POST";
    refused.method = "POST";
    rows << refused;
    FaultRow backlog = row("F02", "/ok", Retry::Yes, Kind::ConnectTimeout, "", 0);
    backlog.listener = "backlog";
    backlog.connect = brief;
    rows << backlog;
    FaultRow closing = closed("F03", "", "closed");
    closing.listener = "closing";
    rows << closing << closed("F04", "/F04", "reset") << posted("F04 POST", "/F04");
    rows << closed("F14", "/F14", "half_headers") << posted("F14 POST", "/F14");
    FaultRow r = row("F15", "/F15", Retry::Yes, Kind::FirstByteTimeout);
    r.firstByte = brief;
    rows << r;
    r.id = "F16";
    r.path = "/F16";
    rows << r;
    rows << closed("F17", "/F17", "", Kind::Malformed) << closed("F18", "/F18", "", Kind::Malformed);
    rows << posted("F18 POST", "/F18");
    for (const char *endless : {"headers", "reason"}) {
        r.id = QByteArray("F22 endless ") + endless;
        r.path = QByteArray("/F22/") + endless;
        r.wishKind = Kind::TooLarge;
        r.wishDetail = "headers";
        r.xfail = "Qt bounds no header while it reads it and shows none before the last";
        rows << r;
    }
}

void addHead(QVector<FaultRow> &rows)
{
    rows << row("F19 099", "/F19/099", Retry::Never, Kind::Malformed)
         << row("F19 1000", "/F19/1000", Retry::Never, Kind::Malformed)
         << closed("F19 abc", "/F19/abc", "", Kind::Malformed)
         << row("F20", "/F20", Retry::Never, Kind::TooLarge, "headers")
         << row("F21", "/F21", Retry::Never, Kind::TooLarge, "headers") << good("F23", "/F23", "ok")
         << row("F27 two", "/F27/two", Retry::Never, Kind::Malformed)
         << row("F27 negative", "/F27/negative", Retry::Never, Kind::Malformed)
         << good("F27 equal", "/F27/equal", "abcde")
         << row("F27 huge", "/F27/huge", Retry::Never, Kind::Malformed)
         << row("F28", "/F28", Retry::Never, Kind::Malformed);
    FaultRow r = page("F29 204", "/F29/204", 204);
    r.body = "";
    rows << r;
    r = page("F29 304", "/F29/304", 304, Retry::Never, Kind::UnexpectedStatus);
    r.body = "";
    rows << r;
    r = good("F29 HEAD", "/F29/head", "");
    r.method = "HEAD";
    rows << r << good("F29 glued", "/F29/glued", "ok");
}

void addBody(QVector<FaultRow> &rows)
{
    rows << row("F30", "/F30", Retry::Yes, Kind::Truncated) << row("F31", "/F31", Retry::Yes, Kind::Truncated)
         << good("F32", "/F32", QByteArray(100, 'b'));
    FaultRow r = row("F33", "/F33", Retry::Ok, Kind::None);
    r.status = 200;
    r.wishKind = Kind::Truncated;
    r.xfail = "Qt takes a reset for the end of a body without a length";
    rows << r << good("F34", "/F34", QByteArray(10, 'b')) << row("F35", "/F35", Retry::Yes, Kind::Truncated);
    for (const char *size : {"zz", "overflow", "negative"}) {
        r = row("", QByteArray("/F36/") + size, Retry::Ok, Kind::None);
        r.id = QByteArray("F36 ") + size;
        r.status = 200;
        r.wishKind = Kind::Malformed;
        r.xfail = "Qt takes a bad chunk size for the last chunk";
        if (r.id.endsWith("negative")) { // read as a chunk that the close cuts short
            r.retry = Retry::Yes;
            r.kind = Kind::Truncated;
            r.status = 0;
        }
        rows << r;
    }
    r = row("F37", "/F37", Retry::Yes, Kind::Stalled);
    r.silence = brief;
    rows << r;
    r = row("F38", "/F38", Retry::Yes, Kind::TotalTimeout);
    r.silence = Millis(5'000);
    r.total = Millis(1'000);
    rows << r << row("F39", "/F39", Retry::Never, Kind::TooLarge);
}

void addEncoding(QVector<FaultRow> &rows)
{
    rows << row("F60", "/F60", Retry::Once, Kind::Decode, "truncated")
         << row("F61 crc", "/F61/crc", Retry::Once, Kind::Decode)
         << row("F61 plain", "/F61/plain", Retry::Once, Kind::Decode)
         << row("F62 gzip", "/F62/gzip", Retry::Never, Kind::TooLarge, "decoded")
         << row("F62 nested", "/F62/nested", Retry::Never, Kind::TooLarge, "decoded")
         << row("F62 deflate", "/F62/deflate", Retry::Never, Kind::TooLarge, "decoded")
         << row("F62 br", "/F62/br", Retry::Never, Kind::Decode, "unsupported")
         << row("F63", "/F63", Retry::Never, Kind::Decode, "unsupported");
}

FaultRow hint(const char *id, const QByteArray &value, std::optional<int> ms, const QByteArray &more = {})
{
    FaultRow r = page(id, "/F71?ra=" + value.toPercentEncoding() + more, 429, Retry::Wait, Kind::RateLimited);
    r.retryAfterMs = ms;
    return r;
}

void addStatus(QVector<FaultRow> &rows)
{
    const QByteArray date = "&date=" + QByteArray("Sun, 06 Nov 1994 08:49:37 GMT").toPercentEncoding();
    rows << hint("F71 0", "0", 1'000) << hint("F71 7", "7", 7'000) << hint("F71 120", "120", 120'000)
         << hint("F71 IMF date", "Sun, 06 Nov 1994 08:51:07 GMT", 90'000, date)
         << hint("F71 past date", "Sun, 06 Nov 1994 08:40:00 GMT", 1'000, date)
         << hint("F71 RFC 850 date", "Sunday, 06-Nov-94 08:51:07 GMT", 90'000, date)
         << hint("F71 asctime date", "Sun Nov  6 08:51:07 1994", 90'000, date)
         << hint("F71 past, by our clock", "Sun, 06 Nov 1994 08:51:07 GMT", 1'000)
         << hint("F71 empty", "", std::nullopt) << hint("F71 -5", "-5", std::nullopt)
         << hint("F71 1.5", "1.5", std::nullopt) << hint("F71 soon", "soon", std::nullopt)
         << hint("F71 1e12", "1e12", std::nullopt) << hint("F71 two headers", "5", 60'000, "&ra2=60")
         << page("F72", "/F72", 429, Retry::Wait, Kind::RateLimited);
    for (const int status : {500, 502, 504})
        rows << page("F74", "/status?code=" + QByteArray::number(status), status, Retry::Yes, Kind::Http5xx);
    for (const int status : {404, 410, 400, 407, 451})
        rows << page("F75", "/status?code=" + QByteArray::number(status), status, Retry::Never,
                     Kind::Http4xx);
    rows << page("F76", "/F76", 401, Retry::Never, Kind::Http4xx)
         << page("F77", "/status?code=403", 403, Retry::Never, Kind::Http4xx);
    for (const int status : {408, 425})
        rows << page("F78", "/status?code=" + QByteArray::number(status), status, Retry::Yes, Kind::Http4xx);
    rows << page("F79", "/status?code=418", 418, Retry::Never, Kind::Http4xx)
         << page("F79", "/status?code=509", 509, Retry::Never, Kind::Http5xx)
         << page("F79", "/status?code=999", 999, Retry::Never, Kind::Http5xx);
    for (FaultRow &r : rows)
        if (r.id.startsWith("F7") && !r.id.contains(' '))
            r.id += ' ' + QByteArray::number(r.status);
}

} // namespace

FlightPlan FaultRow::plan(const FaultServer &server, FlightId flight) const
{
    FlightPlan p;
    p.id = flight;
    p.request.method = method;
    p.request.url.text = server.url(path, listener);
    if (p.request.isWrite())
        p.request.body.text = "a=1";
    p.connectTimeout = connect;
    p.firstByteTimeout = firstByte;
    p.silenceTimeout = silence;
    p.totalTimeout = total;
    return p;
}

QVector<FaultRow> faultRows()
{
    QVector<FaultRow> rows;
    addConnection(rows);
    addHead(rows);
    addBody(rows);
    addEncoding(rows);
    addStatus(rows);
    return rows;
}

void addFaultListeners(FaultServer &server)
{
    server.addListener("refused", "127.0.0.1", FaultServer::Mode::Refuse);
    server.addListener("backlog", "127.0.0.3", FaultServer::Mode::Backlog);
    server.addListener("closing", "127.0.0.4", FaultServer::Mode::CloseAtOnce);
}

} // namespace muster
