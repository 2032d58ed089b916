// SPDX-License-Identifier: GPL-3.0-or-later
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTcpSocket>
#include <QtTest/QtTest>
#include <QUrl>

#include "core/practice/practicedata.h"
#include "core/practice/practicepages.h"
#include "core/practice/practiceservice.h"
#include "core/view/checker.h"

using namespace muster;
using namespace muster::practice;

namespace {

QJsonObject parsed(const QByteArray &json)
{
    return QJsonDocument::fromJson(json).object();
}

/// What one connection answers to `sent`, read until it holds `until` or the service hangs up.
QByteArray talk(const QByteArray &url, const QByteArray &sent, const QByteArray &until)
{
    const QUrl parts = QUrl::fromEncoded(url);
    QTcpSocket socket;
    socket.connectToHost(parts.host(), quint16(parts.port()));
    if (!socket.waitForConnected(10'000))
        return "not connected";
    socket.write(sent);
    QByteArray got;
    while (!got.contains(until) && socket.waitForReadyRead(10'000))
        got += socket.readAll();
    return got;
}

} // namespace

class TestPracticePages final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aWindowRefusesHonestly()
    {
        FixedWindow window(2);
        QCOMPARE(window.ask(5'000), 0);
        QCOMPARE(window.ask(5'400), 0);
        QCOMPARE(window.ask(5'400), 600);
        QCOMPARE(window.ask(5'999), 1);
        QCOMPARE(window.ask(6'000), 0); // as it said
        QCOMPARE(window.ask(6'000), 0);
        QCOMPARE(window.ask(6'000), 1'000);
        QCOMPARE(window.ask(9'999), 0); // nothing is saved up
        QCOMPARE(window.ask(9'999), 0);
        QCOMPARE(window.ask(9'999), 1);
    }

    void rates()
    {
        const Page page = answerOf(Service::Rates, "/rates?symbol=USD&day=1", 0);
        QCOMPARE(page.status, 200);
        QCOMPARE(page.type, QByteArray("application/json"));
        QCOMPARE(page.body, QByteArray("{\"base\":\"EUR\",\"symbol\":\"USD\",\"rate\":1.0843}"));
        QCOMPARE(answerOf(Service::Rates, "/rates?symbol=XXX", 0).status, 404);
        QCOMPARE(answerOf(Service::Rates, "/rates", 0).status, 404);
        QCOMPARE(answerOf(Service::Rates, "/other", 0).status, 404);
    }

    void ratesAboveTheLimit()
    {
        const Page page = answerOf(Service::Rates, "/rates?symbol=USD", 1001);
        QCOMPARE(page.status, 429);
        QCOMPARE(page.headers.size(), 1);
        QCOMPARE(page.headers[0].name, QByteArray("Retry-After"));
        QCOMPARE(page.headers[0].value, QByteArray("2")); // whole seconds, never too few
    }

    void everyCurrencyAndCityIsFound()
    {
        for (const Currency &currency : currencies()) {
            const Page page = answerOf(Service::Rates, "/rates?symbol=" + QByteArray(currency.code), 0);
            QCOMPARE(parsed(page.body).value(QLatin1String("rate")).toDouble(), currency.perEuro);
        }
        for (const City &city : cities()) {
            const QByteArray address = QUrl::toPercentEncoding(QString::fromUtf8(city.name));
            const QJsonObject body =
                parsed(answerOf(Service::Geocoder, "/geocode?address=" + address, 0).body);
            QCOMPARE(body.value(QLatin1String("status")).toString(), QStringLiteral("OK"));
            const QJsonObject place = body.value(QLatin1String("results")).toArray()[0].toObject();
            QCOMPARE(place.value(QLatin1String("name")).toString(), QString::fromUtf8(city.name));
            QCOMPARE(place.value(QLatin1String("country")).toString(), QString::fromUtf8(city.country));
            const QJsonObject location =
                place.value(QLatin1String("geometry")).toObject().value(QLatin1String("location")).toObject();
            QCOMPARE(location.value(QLatin1String("lat")).toDouble(), city.lat);
            QCOMPARE(location.value(QLatin1String("lng")).toDouble(), city.lng);
        }
    }

    /// As some geocoders do: 200, and the refusal inside.
    void theGeocoderRefusesInsideAnAnswer()
    {
        const Page refused = answerOf(Service::Geocoder, "/geocode?address=Paris", 300);
        QCOMPARE(refused.status, 200);
        QVERIFY(refused.headers.isEmpty());
        QCOMPARE(refused.body, QByteArray("{\"status\":\"OVER_QUERY_LIMIT\"}"));
        const QJsonObject nowhere = parsed(answerOf(Service::Geocoder, "/geocode?address=Atlantis", 0).body);
        QCOMPARE(nowhere.value(QLatin1String("status")).toString(), QStringLiteral("ZERO_RESULTS"));
        QCOMPARE(answerOf(Service::Geocoder, "/", 0).status, 404);
    }

    void pages_data()
    {
        QTest::addColumn<QByteArray>("path");
        QTest::addColumn<int>("status");
        const auto row = [](const char *path, int status) {
            QTest::newRow(path) << QByteArray(path) << status;
        };
        row("/page/1", 200);
        row("/page/500", 200);
        row("/page/0", 404);
        row("/page/501", 404);
        row("/page/-1", 404);
        row("/page/one", 404);
        row("/page/", 404);
        row("/", 404);
        row("", 404);
        row("/moved", 301);
        row("/broken", 500);
    }
    void pages()
    {
        QFETCH(QByteArray, path);
        const Page page = answerOf(Service::Pages, path, 0);
        QTEST(page.status, "status");
        QCOMPARE(page.body.contains("<title>Page "), page.status == 200);
        QCOMPARE(page.headers.size(), page.status == 301 ? 1 : 0);
    }

    void itsSettingsPassTheCheck()
    {
        const Checked checked = checkDocument(PracticeService().settings());
        QVERIFY(checked.ok());
        QVERIFY(checked.problems.isEmpty());
        QCOMPARE(checked.settings.limiters.size(), 4);
    }

    void itsListHasEveryKindOfRow()
    {
        PracticeService service;
        QCOMPARE(service.start(), QString());
        const QByteArray list = service.list();
        QCOMPARE(list.count("\r\n"), 1 + 160 + 120 + 160 + 5);
        QVERIFY(list.startsWith(QByteArray("url,kind,query\r\n" + service.ratesUrl() + "/rates?symbol=USD")));
        for (const QByteArray &base : {service.ratesUrl(), service.geocoderUrl(), service.pagesUrl()})
            QVERIFY(list.contains(QByteArray("\r\n" + base + '/')));
    }

    void answersOverASocket()
    {
        PracticeService service;
        QCOMPARE(service.start(), QString());
        // Two heads in one write: both are answered, one after the other, on the same connection.
        const QByteArray both =
            talk(service.pagesUrl(), "GET /page/1 HTTP/1.1\r\nHost: a\r\n\r\nGET /broken HTTP/1.1\r\n\r\n",
                 "always broken");
        QVERIFY2(both.startsWith("HTTP/1.1 200 OK\r\n"), both.constData());
        QVERIFY2(both.contains("HTTP/1.1 500 Internal Server Error\r\n"), both.constData());
        const QByteArray moved = talk(service.pagesUrl(), "GET /moved HTTP/1.1\r\n\r\n", "\r\n\r\n");
        QVERIFY2(moved.startsWith("HTTP/1.1 301 Moved Permanently\r\n"), moved.constData());
        QVERIFY2(moved.contains("\r\nLocation: /page/1\r\n"), moved.constData());
        const QByteArray missing = talk(service.pagesUrl(), "HEAD /page/999 HTTP/1.1\r\n\r\n", "\r\n\r\n");
        QVERIFY2(missing.startsWith("HTTP/1.1 404 Not Found\r\n"), missing.constData());
        QVERIFY2(missing.endsWith("\r\n\r\n"), missing.constData()); // no body behind the head
    }

    void refusesOverASocket()
    {
        PracticeService service;
        QCOMPARE(service.start(), QString());
        QByteArray burst;
        for (int i = 0; i < 20; ++i)
            burst += "GET /rates?symbol=USD HTTP/1.1\r\n\r\n";
        // Eight a second: of twenty at once some are refused even where a second ends among them.
        const QByteArray got = talk(service.ratesUrl(), burst, "HTTP/1.1 429 Too Many Requests\r\n");
        QVERIFY2(got.contains("HTTP/1.1 429 Too Many Requests\r\n"), got.constData());
    }

    void anEndlessHeadIsCutOff()
    {
        PracticeService service;
        QCOMPARE(service.start(), QString());
        const QByteArray got =
            talk(service.pagesUrl(), "GET / HTTP/1.1\r\nX: " + QByteArray(70'000, 'x'), "HTTP");
        QCOMPARE(got, QByteArray());
    }
};

QTEST_GUILESS_MAIN(TestPracticePages)
#include "tst_practicepages.moc"
