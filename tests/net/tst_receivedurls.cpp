// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest/QtTest>

#include "core/net/wirerequest.h"
#include "tests/support/flighttest.h"

using namespace muster;

/// URLs that came from the net reach no address of this machine or of a private network (F10, F11, F43,
/// SE-02).
class TestReceivedUrls final : public QObject
{
    Q_OBJECT

private:
    static QHostInfo found(const QStringList &addresses)
    {
        QHostInfo info;
        QList<QHostAddress> list;
        for (const QString &a : addresses)
            list.append(QHostAddress(a));
        info.setAddresses(list);
        return info;
    }
    static QnamFetcher::Options names(QMap<QString, QStringList> book)
    {
        QnamFetcher::Options o;
        o.resolve = [book](const QString &name, QObject *, const std::function<void(QHostInfo)> &done) {
            QHostInfo info;
            info.setError(QHostInfo::HostNotFound);
            done(book.contains(name) ? found(book[name]) : info);
        };
        return o;
    }

private Q_SLOTS:
    void blocked_data()
    {
        QTest::addColumn<QByteArray>("host");
        for (const char *host : {"localhost", "127.0.0.1", "127.1", "2130706433", "0x7f.1", "[::1]",
                                 "[::ffff:127.0.0.1]", "0.0.0.0", "10.0.0.1", "169.254.169.254", "[fe80::1]",
                                 "inside.test", "both.test", "mapped.test"})
            QTest::newRow(host) << QByteArray(host);
    }
    void blocked()
    {
        QFETCH(QByteArray, host);
        FlightBench b(
            names({{QStringLiteral("inside.test"), {QStringLiteral("10.0.0.1")}},
                   {QStringLiteral("mapped.test"), {QStringLiteral("::ffff:127.0.0.1")}},
                   {QStringLiteral("both.test"), {QStringLiteral("8.8.8.8"), QStringLiteral("127.0.0.1")}}}));
        FlightPlan p = b.plan("");
        p.request.url.text = "http://" + host + ':' + QByteArray::number(b.server.port()) + "/ok";
        p.received = true;
        p.privateAllowed = false;
        const FlightResult r = b.fly(std::move(p));
        QCOMPARE(said(r), QByteArray("blocked_address"));
        QCOMPARE(r.sends, 0);
        QVERIFY(!r.maySent);
        QCOMPARE(b.server.connectionsMade(), 0);
    }

    void badPorts()
    {
        FlightBench b;
        FlightPlan p = b.plan("");
        p.request.url.text = "http://example.test:6379/";
        p.received = true;
        FlightPlan listed = p;
        QCOMPARE(said(b.fly(std::move(p))), QByteArray("blocked_address"));
        listed.id = 2;
        listed.received = false; // the person's own list may ask for it
        listed.request.url.text = "http://127.0.0.1:6379/";
        QVERIFY(said(b.fly(std::move(listed))) != "blocked_address");
    }

    void aListedHostMayBePrivate()
    {
        FlightBench b;
        FlightPlan p = b.plan("/ok");
        p.received = true;
        p.privateAllowed = true;
        QCOMPARE(said(b.fly(std::move(p))), QByteArray("ok 200"));
    }

    void theCheckedAddressIsTheOneUsed() // F11: the name is looked up once, the connection goes where it was
                                         // checked
    {
        QnamFetcher::Options o = names({{QStringLiteral("pinned.test"), {QStringLiteral("127.0.0.2")}}});
        o.allowed = [](const QHostAddress &a) { return a == QHostAddress(QStringLiteral("127.0.0.2")); };
        FlightBench b(std::move(o));
        const QByteArray authority = "pinned.test:" + QByteArray::number(b.server.port("other"));
        for (int i = 0; i < 3; ++i) {
            FlightPlan p = b.plan("");
            p.request.url.text = "http://" + authority + "/ok";
            p.received = true;
            p.privateAllowed = false;
            QCOMPARE(said(b.fly(std::move(p))), QByteArray("ok 200"));
            QCOMPARE(b.server.log().last().listener, QByteArray("other"));
            QCOMPARE(b.server.log().last().header("Host"), authority);
        }
        QCOMPARE(b.server.connectionsMade("other"), 1);
    }

    void manyPinnedFlightsAreReal()
    {
        QnamFetcher::Options o = names({{QStringLiteral("pinned.test"), {QStringLiteral("127.0.0.2")}}});
        o.allowed = [](const QHostAddress &) { return true; };
        FlightBench b(std::move(o));
        for (int i = 0; i < 20; ++i) {
            FlightPlan p = b.plan("");
            p.request.url.text =
                "http://pinned.test:" + QByteArray::number(b.server.port("other")) + "/delay?ms=300";
            p.received = true;
            p.privateAllowed = false;
            p.lanes = 20;
            b.fetcher->start(std::move(p), [](const FlightResult &) {});
        }
        QTRY_COMPARE_WITH_TIMEOUT(b.fetcher->inFlight(), 0, 10'000);
        QCOMPARE(b.server.maxConcurrent("other"), 20);
    }

    void unknownNames()
    {
        FlightBench b(names({}));
        FlightPlan p = b.plan("");
        p.request.url.text = "http://gone.test/";
        p.received = true;
        p.privateAllowed = false;
        QCOMPARE(said(b.fly(std::move(p))), QByteArray("dns:nxdomain"));
    }

    void aLookupThatHangs()
    {
        QnamFetcher::Options o;
        o.resolve = [](const QString &, QObject *, const std::function<void(QHostInfo)> &) {};
        FlightBench b(std::move(o));
        FlightPlan p = b.plan("");
        p.request.url.text = "http://slow.test/";
        p.received = true;
        p.privateAllowed = false;
        p.connectTimeout = Millis(100);
        FlightPlan cancelled = p;
        cancelled.id = 3;
        cancelled.connectTimeout = Millis(10'000);
        const FlightResult r = b.fly(std::move(p));
        QCOMPARE(said(r), QByteArray("dns:timeout"));
        QCOMPARE(r.sends, 0);
        std::optional<FlightResult> out;
        b.fetcher->start(std::move(cancelled), [&out](FlightResult x) { out = std::move(x); });
        b.fetcher->abort(3);
        QTRY_VERIFY(out);
        QCOMPARE(said(*out), QByteArray("cancelled"));
    }

    void httpsIsPinnedByName()
    {
        FlightPlan p;
        p.request.url.text = "https://name.test/x?y";
        auto wire = makeWireRequest(p, nullptr);
        QVERIFY(wire);
        pinTo(*wire, targetOf(p.request.url.text), QHostAddress(QStringLiteral("2606:4700::1111")));
        QCOMPARE(wire->request.url().toEncoded(), QByteArray("https://[2606:4700::1111]/x?y"));
        QCOMPARE(wire->request.rawHeader("Host"), QByteArray("name.test"));
        QCOMPARE(wire->request.peerVerifyName(), QStringLiteral("name.test"));
    }
};

QTEST_GUILESS_MAIN(TestReceivedUrls)
#include "tst_receivedurls.moc"
