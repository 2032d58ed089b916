// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/faultpages.h"

#include <functional>
#include <map>
#include <random>

namespace muster {

using namespace fault;

namespace {

using Page = std::function<FaultScript(const FaultHit &)>;
using Pages = std::map<QByteArray, Page>;

/// The same bytes whoever asks.
Page always(FaultScript script)
{
    return [script = std::move(script)](const FaultHit &) { return script; };
}

Page always(const QByteArray &bytes)
{
    return always(FaultScript{send(bytes)});
}

QByteArray head(const QByteArray &headers)
{
    return "HTTP/1.1 200 OK\r\n" + headers + "\r\n";
}

QByteArray encoded(const QByteArray &encoding, const QByteArray &body)
{
    return answer(200, body, "Content-Encoding: " + encoding + "\r\n");
}

QByteArray noise(int size)
{
    std::minstd_rand random(1);
    QByteArray out;
    for (int i = 0; i < size; ++i)
        out += static_cast<char>(random() >> 8 & 0xff);
    return out;
}

QByteArray manyHeaders(int count)
{
    QByteArray out;
    for (int i = 0; i < count; ++i)
        out += "X-" + QByteArray::number(i) + ": y\r\n";
    return out;
}

QByteArray text(qsizetype size)
{
    QByteArray out;
    while (out.size() < size)
        out += "The quick brown fox jumps over the lazy dog. " + QByteArray::number(out.size()) + '\n';
    out.truncate(size);
    return out;
}

QByteArray wrongChecksum()
{
    QByteArray data = gzip(text(4000));
    data[data.size() - 8] = static_cast<char>(data[data.size() - 8] ^ 0x55);
    return data;
}

void addConnectionRows(Pages &pages)
{
    pages["/F04"] = always({wait(latencyMs), reset()});
    pages["/F05"] = [](const FaultHit &hit) {
        return hit.onConnection == 1 ? FaultScript{send(answer(200))} : FaultScript{wait(latencyMs), fin()};
    };
    pages["/F14"] = always({wait(latencyMs), send("HTTP/1.1 200 OK\r\nContent-Le"), fin()});
    pages["/F15"] = always({send("HTTP/1.1 200 OK\r\nContent-Le"), hold()});
    pages["/F16"] = always({send("HTTP/1.1 200 OK\r\nX-Slow: "), repeat("x", 50)});
    pages["/F17"] = always({wait(latencyMs), send(noise(2000)), fin()});
    pages["/F18"] = always({wait(latencyMs), send("<html><body>No status line at all</body></html>"), fin()});
    pages["/F22/headers"] =
        always({send("HTTP/1.1 200 OK\r\n"), repeat("X-More: " + QByteArray(1000, 'm') + "\r\n", 5)});
    pages["/F22/reason"] = always({send("HTTP/1.1 200 "), repeat(QByteArray(1000, 'r'), 5)});
}

void addHeadRows(Pages &pages)
{
    pages["/F19/099"] = always({send("HTTP/1.1 099 Low\r\nContent-Length: 2\r\n\r\nok")});
    pages["/F19/1000"] = always({send("HTTP/1.1 1000 High\r\nContent-Length: 2\r\n\r\nok")});
    pages["/F19/abc"] =
        always({wait(latencyMs), send("HTTP/1.1 abc Word\r\nContent-Length: 2\r\n\r\nok"), fin()});
    pages["/F20"] = always(
        {send("HTTP/1.1 200 OK\r\nX-Big: " + QByteArray(20 << 20, 'b') + "\r\nContent-Length: 2\r\n\r\nok")});
    pages["/F21"] = always({send(head(manyHeaders(200'000) + "Content-Length: 2\r\n") + "ok")});
    pages["/F23"] = always("HTTP/1.1 100 Continue\r\n\r\n" + answer(200));
    pages["/F27/two"] = always({send(head("Content-Length: 3\r\nContent-Length: 5\r\n") + "abcde")});
    pages["/F27/negative"] = always({send(head("Content-Length: -5\r\n") + "abcde")});
    pages["/F27/equal"] = always({send(head("Content-Length: 5, 5\r\n") + "abcde")});
    pages["/F27/huge"] = always({send(head("Content-Length: 100000000000000000000\r\n") + "abcde")});
    pages["/F28"] = always(
        {send(head("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n") + "5\r\nabcde\r\n0\r\n\r\n")});
    pages["/F29/204"] = always("HTTP/1.1 204 None\r\nContent-Length: 5\r\n\r\nabcde");
    pages["/F29/304"] = always("HTTP/1.1 304 Same\r\nContent-Length: 5\r\n\r\nabcde");
    pages["/F29/head"] = always(answer(200, "a body that HEAD must not have"));
    pages["/F29/glued"] = always(answer(200) + answer(200, "the answer of nobody"));
}

void addBodyRows(Pages &pages)
{
    const QByteArray hundred(100, 'b');
    pages["/F30"] = always({send(head("Content-Length: 1000\r\n") + hundred), fin()});
    pages["/F31"] = always({send(head("Content-Length: 1000\r\n") + hundred), wait(50), reset()});
    pages["/F32"] = always({send(head("Content-Type: text/plain\r\n") + hundred), fin()});
    pages["/F33"] = always({send(head("Content-Type: text/plain\r\n") + hundred), wait(50), reset()});
    pages["/F34"] = always({send(head("Content-Length: 10\r\n") + hundred)});
    pages["/F35"] = always({send(head("Transfer-Encoding: chunked\r\n") + "5\r\nabcde\r\n"), fin()});
    const QByteArray chunked = head("Transfer-Encoding: chunked\r\n");
    pages["/F36/zz"] = always({send(chunked + "ZZ\r\nabcde\r\n0\r\n\r\n"), fin()});
    pages["/F36/overflow"] = always({send(chunked + "FFFFFFFFFFFFFFFFF\r\nabcde\r\n0\r\n\r\n"), fin()});
    pages["/F36/negative"] = always({send(chunked + "-5\r\nabcde\r\n0\r\n\r\n"), fin()});
    pages["/F37"] = always({send(head("Content-Length: 1000\r\n") + hundred), hold()});
    pages["/F38"] = always({send(head("Content-Length: 1000000\r\n")), repeat("d", 50)});
    pages["/F39"] = always({send(head("Content-Type: text/plain\r\n")), repeat(QByteArray(65536, 'i'), 0)});
}

void addEncodingRows(Pages &pages)
{
    const QByteArray packed = gzip(text(20'000));
    pages["/F60"] = always(encoded("gzip", packed.left(packed.size() * 2 / 5)));
    pages["/F61/crc"] = always(encoded("gzip", wrongChecksum()));
    pages["/F61/plain"] = always(encoded("gzip", "not compressed at all"));
    pages["/F62/gzip"] = [](const FaultHit &) {
        static const QByteArray bomb = gzipBomb(400);
        return FaultScript{send(encoded("gzip", bomb))};
    };
    pages["/F62/nested"] = [](const FaultHit &) {
        static const QByteArray bomb = gzip(gzipBomb(200));
        return FaultScript{send(encoded("gzip, gzip", bomb))};
    };
    pages["/F62/deflate"] = [](const FaultHit &) {
        static const QByteArray bomb = deflate(QByteArray(32 << 20, '\0'), false);
        return FaultScript{send(encoded("deflate", bomb))};
    };
    pages["/F62/br"] = always(encoded("br", "\x0b\x02\x80ok\x03"));
    pages["/F63"] = always(encoded("x-unknown", "ok"));
}

void addStatusRows(Pages &pages)
{
    // Every form of Retry-After, as the test names it in `ra` (twice for two headers).
    pages["/F71"] = [](const FaultHit &hit) {
        QByteArray headers;
        for (const char *name : {"ra", "ra2", "date"})
            if (const QByteArray value = hit.query(name); !value.isNull())
                headers +=
                    (name[0] == 'r' ? QByteArray("Retry-After: ") : QByteArray("Date: ")) + value + "\r\n";
        return FaultScript{send(answer(429, "slow down", headers))};
    };
    pages["/F72"] = always(answer(429, "slow down"));
    pages["/F76"] = always(answer(401, "who are you", "WWW-Authenticate: Basic realm=\"x\"\r\n"));
    pages["/status"] = [](const FaultHit &hit) {
        return FaultScript{send(answer(hit.query("code").toInt(), "a page"))};
    };
}

void addRedirectRows(Pages &pages)
{
    // `/to?code=302&url=...`; `raw` takes the Location as hex, so that it may hold any byte.
    pages["/to"] = [](const FaultHit &hit) {
        const QByteArray code = hit.query("code");
        QByteArray location;
        if (const QByteArray raw = hit.query("raw"); !raw.isNull())
            location = "Location: " + QByteArray::fromHex(raw) + "\r\n";
        else if (const QByteArray url = hit.query("url"); !url.isNull())
            location = "Location: " + url + "\r\n";
        return FaultScript{send(answer(code.isEmpty() ? 302 : code.toInt(), "moved", location))};
    };
    pages["/F40"] = always(answer(302, "again", "Location: /F40\r\n"));
    pages["/F41"] = [](const FaultHit &hit) {
        const QByteArray next = QByteArray::number(hit.query("n").toInt() + 1);
        return FaultScript{send(answer(302, "on", "Location: /F41?n=" + next + "\r\n"))};
    };
}

void addPlainPages(Pages &pages)
{
    pages["/ok"] = always(answer(200));
    pages["/bytes"] = [](const FaultHit &hit) {
        return FaultScript{send(answer(200, text(hit.query("n").toLongLong())))};
    };
    pages["/delay"] = [](const FaultHit &hit) {
        return FaultScript{wait(hit.query("ms").toInt()), send(answer(200))};
    };
    pages["/silent"] = always({hold()});
    pages["/echo"] = [](const FaultHit &hit) {
        return FaultScript{send(answer(200, hit.method + '\n' + hit.body))};
    };
}

} // namespace

std::optional<FaultScript> faultPage(const FaultHit &hit)
{
    static const Pages pages = [] {
        Pages all;
        addConnectionRows(all);
        addHeadRows(all);
        addBodyRows(all);
        addEncodingRows(all);
        addStatusRows(all);
        addRedirectRows(all);
        addPlainPages(all);
        return all;
    }();
    const auto it = pages.find(hit.path());
    if (it == pages.end())
        return std::nullopt;
    return it->second(hit);
}

} // namespace muster
