// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest/QtTest>

#include "core/net/brokenfetcher.h"
#include "tests/support/flighttest.h"

using namespace muster;
using namespace muster::fault;

class TestFetcher final : public QObject
{
    Q_OBJECT

private:
    static MaskedText masked(const QByteArray &before, const QByteArray &name, const QByteArray &after,
                             MaskedText::Encoding encoding)
    {
        MaskedText t;
        const QByteArray shown = "{secret:" + name + '}';
        t.text = before + shown + after;
        t.secretSlots.append(
            {static_cast<int>(before.size()), static_cast<int>(shown.size()), name, encoding});
        return t;
    }

private Q_SLOTS:
    void getCarriesOurHeadersOnly()
    {
        FlightBench b;
        FlightPlan p = b.plan("/bytes?n=2048");
        p.userAgent = "Muster/0.1 (+me@here)";
        p.request.headers.append({"X-Mine", {"yes", {}}});
        const FlightResult r = b.fly(std::move(p));
        QCOMPARE(said(r), QByteArray("ok 200"));
        QCOMPARE(r.answer.body.size(), 2048);
        QCOMPARE(r.received, 2048);
        QCOMPARE(r.sends, 1);
        QVERIFY(r.maySent);
        QCOMPARE(r.answer.contentType(), QByteArray("text/plain"));
        QVERIFY(!r.answer.partial && !r.answer.unverifiedLength);
        QVERIFY(r.timings.startedAt.time_since_epoch().count() > 0);
        const FaultHit hit = b.server.log().first();
        QCOMPARE(hit.header("User-Agent"), QByteArray("Muster/0.1 (+me@here)"));
        QCOMPARE(hit.header("Accept-Encoding"), QByteArray("gzip, deflate"));
        QVERIFY(!hit.header("Accept-Language").isEmpty());
        QCOMPARE(hit.header("X-Mine"), QByteArray("yes"));
        QVERIFY(hit.header("Cookie").isEmpty() && hit.header("Referer").isEmpty());
    }

    void theTargetIsSentAsItIs_data()
    {
        QTest::addColumn<QByteArray>("target");
        QTest::addColumn<QByteArray>("wire");
        for (const char *same :
             {"/a%2Fb", "/a//b/", "/%7Bx%7D", "/x?", "/x?a=%20+b&&=", "/x?u=http://b/?c%26",
              "/a;b=c,d:@!$&'()*", "/%E4%BD%A0", "/%FF%00", "/x?[a]=1", "/~u/-._"})
            QTest::newRow(same) << QByteArray(same) << QByteArray(same);
        QTest::newRow("brackets in a path") << QByteArray("/a[1]") << QByteArray("/a%5B1%5D");
        QTest::newRow("a bar") << QByteArray("/a|b") << QByteArray("/a%7Cb");
    }
    void theTargetIsSentAsItIs()
    {
        QFETCH(QByteArray, target);
        QFETCH(QByteArray, wire);
        FlightBench b;
        b.get(target);
        QCOMPARE(b.server.log().size(), 1);
        QVERIFY2(b.server.log().first().target == wire || b.server.log().first().target == target,
                 b.server.log().first().target.constData());
    }

    void noUrlNoRequest()
    {
        FlightBench b;
        for (const char *url : {"", "http://", "http:///x", "http://a b/", "/x", "http://[::1/"}) {
            FlightPlan p = b.plan("");
            p.request.url.text = url;
            const FlightResult r = b.fly(std::move(p));
            QCOMPARE(said(r), QByteArray("internal:url"));
            QCOMPARE(r.sends, 0);
        }
    }

    void postAndPutSendTheirBody_data()
    {
        QTest::addColumn<QByteArray>("method");
        QTest::addColumn<QByteArray>("body");
        QTest::addColumn<QByteArray>("type");
        for (const char *m : {"POST", "PUT"}) {
            QTest::addRow("%s form", m)
                << QByteArray(m) << QByteArray("a=1&b=2") << QByteArray("application/x-www-form-urlencoded");
            QTest::addRow("%s json", m)
                << QByteArray(m) << QByteArray("{\"a\":1}") << QByteArray("application/json");
            QTest::addRow("%s nothing", m)
                << QByteArray(m) << QByteArray() << QByteArray("application/x-www-form-urlencoded");
            QTest::addRow("%s 300 KB", m) << QByteArray(m) << QByteArray(300'000, 'x')
                                          << QByteArray("application/x-www-form-urlencoded");
        }
    }
    void postAndPutSendTheirBody()
    {
        QFETCH(QByteArray, method);
        QFETCH(QByteArray, body);
        QFETCH(QByteArray, type);
        FlightBench b;
        for (int i = 0; i < 2; ++i) { // the second on the connection of the first
            FlightPlan p = b.plan("/echo");
            p.request.method = method;
            p.request.body.text = body;
            const FlightResult r = b.fly(std::move(p));
            QCOMPARE(said(r), QByteArray("ok 200"));
            QVERIFY(r.answer.body == method + '\n' + body);
            QCOMPARE(r.sends, 1);
            const FaultHit hit = b.server.log().last();
            QCOMPARE(hit.header("Content-Length"), QByteArray::number(body.size()));
            QCOMPARE(hit.header("Content-Type"), type);
            QVERIFY(hit.header("Transfer-Encoding").isEmpty());
        }
    }

    void aPostIsNeverSentTwice_data() // RT-02
    {
        QTest::addColumn<bool>("warm");
        QTest::addColumn<QByteArray>("method");
        QTest::addColumn<QByteArray>("body");
        for (const char *m : {"POST", "PUT"}) {
            QTest::addRow("RT-02 %s on a fresh connection", m)
                << false << QByteArray(m) << QByteArray("pay=1");
            QTest::addRow("RT-02 %s on a warm connection", m) << true << QByteArray(m) << QByteArray("pay=1");
            QTest::addRow("RT-02 %s without a body, fresh", m) << false << QByteArray(m) << QByteArray();
            QTest::addRow("RT-02 %s without a body, warm", m) << true << QByteArray(m) << QByteArray();
        }
    }
    void aPostIsNeverSentTwice()
    {
        QFETCH(bool, warm);
        QFETCH(QByteArray, method);
        QFETCH(QByteArray, body);
        FlightBench b({}, [](FaultServer &s) {
            s.route("/close", [](const FaultHit &) { return FaultScript{wait(60), fin()}; });
        });
        if (warm)
            QCOMPARE(said(b.get("/ok")), QByteArray("ok 200"));
        FlightPlan p = b.plan("/close");
        p.request.method = method;
        p.request.body.text = body;
        const FlightResult r = b.fly(std::move(p));
        QCOMPARE(said(r), QByteArray("closed_early:send_uncertain"));
        QVERIFY(r.maySent);
        QCOMPARE(r.sends, 1);
        QCOMPARE(said(b.get("/ok")), QByteArray("ok 200"));
        QCOMPARE(b.server.hits("/close"), 1);
    }

    void whatNeverLeftIsNotCharged_data()
    {
        QTest::addColumn<QByteArray>("listener");
        QTest::addColumn<QByteArray>("body");
        QTest::addColumn<QByteArray>("kind");
        for (const char *body : {"", "a=1"}) {
            QTest::addRow("refused, '%s'", body)
                << QByteArray("refused") << QByteArray(body) << QByteArray("connect:refused");
            // Without a body nobody can tell whether it left: it counts as sent.
            QTest::addRow("no connection, '%s'", body)
                << QByteArray("backlog") << QByteArray(body)
                << QByteArray(*body ? "connect_timeout" : "first_byte_timeout");
        }
    }
    void whatNeverLeftIsNotCharged()
    {
        QFETCH(QByteArray, listener);
        QFETCH(QByteArray, body);
        QFETCH(QByteArray, kind);
        FlightBench b({}, [](FaultServer &s) {
            s.addListener("refused", "127.0.0.1", FaultServer::Mode::Refuse);
            s.addListener("backlog", "127.0.0.3", FaultServer::Mode::Backlog);
        });
        FlightPlan p = b.plan("/ok", listener);
        p.request.method = "POST";
        p.request.body.text = body;
        p.connectTimeout = Millis(150);
        p.firstByteTimeout = Millis(150);
        const FlightResult r = b.fly(std::move(p));
        QCOMPARE(said(r), kind);
        const bool uncertain = kind == "first_byte_timeout";
        QCOMPARE(r.maySent, uncertain);
        QCOMPARE(r.sends, uncertain ? 1 : 0);
    }

    void aGetOnAClosedWarmConnection() // F05
    {
        FlightBench b;
        QCOMPARE(said(b.get("/ok")), QByteArray("ok 200"));
        const FlightResult r = b.get("/F05");
        QCOMPARE(said(r), QByteArray("closed_early"));
        QCOMPARE(r.sends, 2);
        QCOMPARE(said(b.get("/ok")), QByteArray("ok 200"));
        QCOMPARE(b.server.hits("/F05"), 2);
    }

    void recovers() // ?times=1: the next try is good
    {
        FlightBench b;
        QCOMPARE(said(b.get("/F30?times=1")), QByteArray("truncated"));
        QCOMPARE(said(b.get("/F30?times=1")), QByteArray("ok 200"));
    }

    void unknownNames() // F06
    {
        int asked = 0;
        FlightBench b({0, [&asked](const QString &, QObject *, const std::function<void(QHostInfo)> &done) {
                           ++asked;
                           QHostInfo info;
                           info.setError(QHostInfo::HostNotFound);
                           done(info);
                       }});
        for (int i = 0; i < 2; ++i) {
            FlightPlan p = b.plan("/");
            p.request.url.text = "http://no-such-host.invalid/";
            const FlightResult r = b.fly(std::move(p));
            QCOMPARE(said(r), QByteArray("dns:nxdomain"));
            QCOMPARE(r.sends, 0);
            QVERIFY(!r.maySent);
        }
        QCOMPARE(asked, 1); // the second from the cache of missing names
    }

    void aResolverThatFailsIsNoMissingName()
    {
        FlightBench b({0, [](const QString &, QObject *, const std::function<void(QHostInfo)> &done) {
                           QHostInfo info;
                           info.setError(QHostInfo::UnknownError);
                           done(info);
                       }});
        FlightPlan p = b.plan("/");
        p.request.url.text = "http://no-such-host.invalid/";
        QCOMPARE(said(b.fly(std::move(p))), QByteArray("dns:servfail"));
    }

    void endsOfBodies_data() // EN-02, EN-03
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QByteArray>("outcome");
        QTest::addColumn<bool>("unverified");
        const QByteArray chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n";
        const auto row = [](const char *name, const QByteArray &bytes, const char *outcome, bool unverified) {
            QTest::newRow(name) << bytes << QByteArray(outcome) << unverified;
        };
        row("EN-02 short", "HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\nabcde", "truncated", false);
        row("EN-02 two lengths", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nabcde",
            "malformed", false);
        row("EN-03 a", chunked, "truncated", false);
        row("EN-03 b", chunked + "0\r\n", "truncated", false);
        row("EN-03 c", chunked + "0\r\nX-Sum: 1\r\n\r\n", "ok 200", false);
        row("EN-03 d", "HTTP/1.0 200 OK\r\nX-A: b\r\n\r\nabcde", "ok 200", true);
    }
    void endsOfBodies()
    {
        QFETCH(QByteArray, bytes);
        QFETCH(QByteArray, outcome);
        QFETCH(bool, unverified);
        FlightBench b({}, [&bytes](FaultServer &s) {
            s.route("/end", [&bytes](const FaultHit &) {
                return FaultScript{send(bytes), wait(latencyMs), fin()};
            });
        });
        const FlightResult r = b.get("/end");
        QCOMPARE(said(r), outcome);
        if (!r.failure) {
            QCOMPARE(r.answer.body, QByteArray("abcde"));
            QCOMPARE(r.answer.unverifiedLength, unverified);
        }
    }

    void redirectsAreHandedUp()
    {
        FlightBench b;
        const FlightResult r = b.get("/to?code=307&url=%2Fok%3Fa%3D1");
        QCOMPARE(said(r), QByteArray("to " + b.server.url("/ok?a=1")));
        QVERIFY(r.redirect->sameOrigin);
        QCOMPARE(r.redirect->status, 307);
        QCOMPARE(r.answer.status, 307);
        QCOMPARE(b.server.hits("/ok"), 0); // the team pays for the hop
        QCOMPARE(said(b.get("/to?code=302")), QByteArray("redirect:invalid"));
        QCOMPARE(said(b.get("/to?code=302&url=file:%2F%2F%2Fetc%2Fpasswd")), QByteArray("redirect:scheme"));
        QCOMPARE(said(b.get("/to?code=300&url=%2Fok")), QByteArray("ok 300"));
        QCOMPARE(said(b.get("/to?raw=" + QByteArray("/a\0b", 4).toHex())), QByteArray("redirect:invalid"));
    }

    void aHopToAnotherOriginCarriesNothing() // SE-01, F44
    {
        FlightBench b;
        b.fetcher->setSecrets(
            std::make_shared<const SecretBook>(SecretBook{{"key", Secret("canary-secret")}}));
        FlightPlan first = b.plan("/to?url=" + b.server.url("/ok", "other").toPercentEncoding());
        first.request.headers = {{"Authorization", masked("Bearer ", "key", "", MaskedText::Encoding::Raw)},
                                 {"Cookie", {"canary-cookie", {}}},
                                 {"X-Api-Key", {"canary-key", {}}}};
        FlightPlan second = first;
        second.id = 77;
        const FlightResult r = b.fly(std::move(first));
        QVERIFY(r.redirect && !r.redirect->sameOrigin);
        QCOMPARE(b.server.log().last().header("Authorization"), QByteArray("Bearer canary-secret"));
        second.request.url = r.redirect->url;
        second.withCredentials = false;
        QCOMPARE(said(b.fly(std::move(second))), QByteArray("ok 200"));
        const FaultHit hit = b.server.log().last();
        for (const RawHeader &h : hit.headers)
            QVERIFY2(!h.value.contains("canary"), h.name.constData());
    }

    void secretsAreWrittenAsTheirPlaceWants()
    {
        FlightBench b;
        b.fetcher->setSecrets(std::make_shared<const SecretBook>(SecretBook{{"k", Secret("a b\"&/1")}}));
        FlightPlan p = b.plan("");
        p.request.url =
            masked(b.server.url("/echo?key="), "k", "&x={secret:k}", MaskedText::Encoding::Percent);
        p.request.url.text.replace("&x={secret:k}", "&x=%7Bsecret:k%7D"); // a column that only looks like one
        p.request.method = "POST";
        p.request.body = masked("{\"k\":\"", "k", "\"}", MaskedText::Encoding::Json);
        p.request.headers.append({"X-Key", masked("", "k", "", MaskedText::Encoding::Form)});
        const FlightResult r = b.fly(std::move(p));
        QCOMPARE(said(r), QByteArray("ok 200"));
        const FaultHit hit = b.server.log().last();
        QCOMPARE(hit.target, QByteArray("/echo?key=a%20b%22%26%2F1&x=%7Bsecret:k%7D"));
        QCOMPARE(hit.body, QByteArray("{\"k\":\"a b\\\"&/1\"}"));
        QCOMPARE(hit.header("X-Key"), QByteArray("a+b%22%26%2F1"));
        QVERIFY(!r.answer.url.contains("a%20b"));
    }

    void whatMayNotBeSentIsNot_data()
    {
        QTest::addColumn<QByteArray>("header");
        QTest::addColumn<QByteArray>("value");
        QTest::newRow("line break") << QByteArray("X-A") << QByteArray("a\r\nX-B: c");
        QTest::newRow("NUL") << QByteArray("X-A") << QByteArray("a\0b", 3);
        QTest::newRow("bad name") << QByteArray("X A") << QByteArray("a");
        QTest::newRow("no name") << QByteArray("") << QByteArray("a");
        for (const char *own : {"Host", "content-length", "Transfer-Encoding"})
            QTest::newRow(own) << QByteArray(own) << QByteArray("1");
    }
    void whatMayNotBeSentIsNot()
    {
        QFETCH(QByteArray, header);
        QFETCH(QByteArray, value);
        FlightBench b;
        FlightPlan p = b.plan("/ok");
        p.request.headers.append({header, {value, {}}});
        const FlightResult r = b.fly(std::move(p));
        QCOMPARE(said(r), QByteArray("internal:header"));
        QCOMPARE(r.sends, 0);
        QVERIFY(!r.failure.note.isEmpty() && !r.failure.note.contains(u"X-B"));
        QCOMPARE(b.server.log().size(), 0);
    }

    void secretsStayAtHome()
    {
        FlightBench b;
        FlightPlan unknown = b.plan("/ok");
        unknown.request.headers.append({"X-Key", masked("", "k", "", MaskedText::Encoding::Raw)});
        FlightPlan forbidden = unknown;
        forbidden.id = 5;
        FlightPlan hop = b.plan("");
        hop.request.url = masked(b.server.url("/ok?k="), "k", "", MaskedText::Encoding::Percent);
        hop.withCredentials = false;
        FlightPlan breaking = unknown;
        breaking.id = 6;
        QCOMPARE(said(b.fly(std::move(unknown))), QByteArray("internal:secret"));
        b.fetcher->setSecrets(std::make_shared<const SecretBook>(SecretBook{{"k", Secret("a\nb")}}));
        QCOMPARE(said(b.fly(std::move(breaking))), QByteArray("internal:header"));
        QCOMPARE(said(b.fly(std::move(hop))), QByteArray("redirect:secret"));
        b.fetcher->setSecretHosts(
            [](const QByteArray &, const QByteArray &host) { return host != "127.0.0.1"; });
        QCOMPARE(said(b.fly(std::move(forbidden))), QByteArray("internal:secret"));
        QCOMPARE(b.server.log().size(), 0);
        QCOMPARE(b.fetcher->inFlight(), 0);
    }

    void theBodyLimit_data() // BL-01
    {
        QTest::addColumn<int>("size");
        QTest::addColumn<QByteArray>("how");
        for (const char *how : {"length", "chunked", "close"})
            for (const int size : {10'239, 10'240, 10'241})
                QTest::addRow("BL-01 %d by %s", size, how) << size << QByteArray(how);
    }
    void theBodyLimit()
    {
        QFETCH(int, size);
        QFETCH(QByteArray, how);
        const QByteArray body(size, 'x');
        FlightBench b({}, [&](FaultServer &s) {
            s.route("/sized", [&](const FaultHit &) {
                if (how == "length")
                    return FaultScript{send(answer(200, body))};
                if (how == "close")
                    return FaultScript{send("HTTP/1.1 200 OK\r\nX-A: b\r\n\r\n" + body), fin()};
                return FaultScript{send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" +
                                        QByteArray::number(size, 16) + "\r\n" + body + "\r\n0\r\n\r\n")};
            });
        });
        FlightPlan p = b.plan("/sized");
        p.maxBody = 10'240;
        const FlightResult r = b.fly(std::move(p));
        if (size <= 10'240) {
            QCOMPARE(said(r), QByteArray("ok 200"));
            QVERIFY(r.answer.body == body);
            QCOMPARE(r.answer.unverifiedLength, how == "close");
        } else {
            QCOMPARE(said(r), QByteArray("too_large"));
            QVERIFY(r.failure.note.contains(u"10240"));
        }
    }

    void readsOnlySoMuch_data()
    {
        QTest::addColumn<int>("atMost");
        QTest::addColumn<int>("got");
        QTest::addColumn<bool>("partial");
        QTest::newRow("headers") << 0 << 0 << true;
        QTest::newRow("some") << 1000 << 1000 << true;
        QTest::newRow("exactly all") << 5000 << 5000 << false;
        QTest::newRow("more than all") << 9000 << 5000 << false;
    }
    void readsOnlySoMuch()
    {
        QFETCH(int, atMost);
        QFETCH(int, got);
        QFETCH(bool, partial);
        FlightBench b;
        FlightPlan p = b.plan("/bytes?n=5000");
        p.readAtMost = atMost;
        const FlightResult r = b.fly(std::move(p));
        QCOMPARE(said(r), QByteArray("ok 200"));
        QCOMPARE(r.answer.body.size(), got);
        QCOMPARE(r.answer.partial, partial);
    }

    void everyFlightCanBeCancelled() // F99
    {
        FlightBench b({}, [](FaultServer &s) {
            s.addListener("backlog", "127.0.0.3", FaultServer::Mode::Backlog);
            s.route("/body", [](const FaultHit &) {
                return FaultScript{send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"), hold()};
            });
        });
        const auto cancelled = [&b](FlightPlan p, const std::function<bool()> &when) {
            std::optional<FlightResult> out;
            int calls = 0;
            const FlightId id = p.id;
            b.fetcher->start(std::move(p), [&](FlightResult r) {
                out = std::move(r);
                ++calls;
            });
            if (!QTest::qWaitFor(when, 10'000))
                return QByteArray("never got so far");
            b.fetcher->abort(id);
            b.fetcher->abort(id);
            if (!QTest::qWaitFor([&] { return out.has_value(); }, 10'000))
                return QByteArray("never called back");
            QTest::qWait(0);
            return QByteArray(said(*out) + " sends " + QByteArray::number(out->sends) + " calls " +
                              QByteArray::number(calls));
        };
        QCOMPARE(cancelled(b.plan("/ok"), [] { return true; }).left(9), QByteArray("cancelled"));
        QCOMPARE(cancelled(b.plan("/ok", "backlog"), [] { return true; }),
                 QByteArray("cancelled sends 0 calls 1"));
        QCOMPARE(cancelled(b.plan("/silent"), [&b] { return b.server.hits("/silent") == 1; }).left(9),
                 QByteArray("cancelled"));
        QCOMPARE(
            cancelled(b.plan("/body"),
                      [&b] { return b.server.hits("/body") == 1 && b.server.log().last().bytesSent > 0; })
                .left(9),
            QByteArray("cancelled"));
        QCOMPARE(b.fetcher->inFlight(), 0);
        b.fetcher->abort(4711); // unknown: ignored
        QCOMPARE(said(b.get("/ok")), QByteArray("ok 200"));
    }

    void lanesComeBack() // every way out frees its slot: the lowest lane's connections are used again
    {
        FlightBench b;
        for (const char *path :
             {"/ok", "/F30", "/F14", "/F28", "/status?code=404", "/to?url=%2Fok", "/F61/plain"})
            for (int i = 0; i < 7; ++i)
                b.get(path);
        const int before = b.server.connectionsMade();
        for (int i = 0; i < 20; ++i)
            QCOMPARE(said(b.get("/ok")), QByteArray("ok 200"));
        QVERIFY(b.server.connectionsMade() - before <= 6); // one lane's worth
    }

    void diesWithFlightsOut()
    {
        FlightBench b;
        bool called = false;
        b.fetcher->start(b.plan("/silent"), [&called](const FlightResult &) { called = true; });
        QTRY_COMPARE(b.server.hits("/silent"), 1);
        b.fetcher.reset();
        QTest::qWait(0);
        QVERIFY(!called);
    }

    void theBrokenNetwork()
    {
        BrokenFetcher broken;
        QVector<FlightResult> results;
        for (FlightId id = 1; id <= 3; ++id) {
            FlightPlan p;
            p.id = id;
            p.request.url.text = "http://a.test/";
            broken.start(std::move(p), [&results](FlightResult r) { results.append(std::move(r)); });
        }
        broken.abort(2);
        broken.abort(9);
        QCOMPARE(broken.inFlight(), 3);
        QVERIFY(results.isEmpty()); // never from inside start()
        QTRY_COMPARE(results.size(), 3);
        QCOMPARE(broken.inFlight(), 0);
        QCOMPARE(said(results[0]), QByteArray("connect:refused"));
        QCOMPARE(said(results[1]), QByteArray("cancelled"));
        QCOMPARE(results[2].sends, 0);
        QVERIFY(!results[2].maySent);
    }
};

QTEST_GUILESS_MAIN(TestFetcher)
#include "tst_fetcher.moc"
