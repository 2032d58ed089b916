// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/practice/practiceservice.h"

#include <QHostAddress>
#include <QThread>
#include <QUrl>

#include "core/practice/practicedata.h"
#include "core/practice/practiceserver.h"

namespace muster::practice {

namespace {

struct Listener
{
    Service service;
    const char *address;
    int perSecond;
    int pauseMs;
};

// The addresses differ so that the crawl sees three hosts. What the services allow is a little above what the
// crawl's limits ask for.
constexpr std::array<Listener, 3> listeners{Listener{Service::Rates, "127.0.0.1", 8, 40},
                                            Listener{Service::Geocoder, "127.0.0.2", 7, 80},
                                            Listener{Service::Pages, "127.0.0.3", 50, 20}};

QByteArray percent(const char *text)
{
    return QUrl::toPercentEncoding(QString::fromUtf8(text));
}

} // namespace

struct PracticeService::Private
{
    QThread thread;
    std::array<PracticeServer *, 3> servers{};
    std::array<QByteArray, 3> urls;

    QString listen(std::size_t i)
    {
        const Listener &l = listeners[i];
        auto *server = new PracticeServer(l.service, l.perSecond, l.pauseMs);
        server->moveToThread(&thread);
        servers[i] = server;
        QString why;
        QMetaObject::invokeMethod(
            server,
            [server, &l, &why] {
                if (!server->listen(QHostAddress(QString::fromLatin1(l.address)), 0))
                    why = QStringLiteral("the practice service cannot listen on %1")
                              .arg(QString::fromLatin1(l.address));
            },
            Qt::BlockingQueuedConnection);
        urls[i] = "http://" + QByteArray(l.address) + ':' + QByteArray::number(server->serverPort());
        return why;
    }
};

PracticeService::PracticeService()
    : d(std::make_unique<Private>())
{}

PracticeService::~PracticeService()
{
    for (PracticeServer *server : d->servers)
        if (server)
            server->deleteLater();
    d->thread.quit();
    d->thread.wait();
}

QString PracticeService::start()
{
    d->thread.setObjectName(QStringLiteral("practice"));
    d->thread.start();
    for (std::size_t i = 0; i < listeners.size(); ++i)
        if (const QString why = d->listen(i); !why.isEmpty())
            return why;
    return {};
}

QByteArray PracticeService::ratesUrl() const
{
    return d->urls[0];
}
QByteArray PracticeService::geocoderUrl() const
{
    return d->urls[1];
}
QByteArray PracticeService::pagesUrl() const
{
    return d->urls[2];
}

QByteArray PracticeService::list() const
{
    QByteArray csv = "url,kind,query\r\n";
    const auto row = [&csv](const QByteArray &url, const char *kind, const QByteArray &query) {
        csv += url + ',' + kind + ',' + query + "\r\n";
    };
    // Taken in turns, so that all three gauges move from the first second on.
    for (int i = 0; i < 160; ++i) {
        const Currency &currency = currencies()[i % currencies().size()];
        row(ratesUrl() + "/rates?symbol=" + currency.code +
                "&day=" + QByteArray::number(1 + i / currencies().size()),
            "rate", currency.code);
        if (i < 120) {
            const City &city = cities()[i % cities().size()];
            row(geocoderUrl() + "/geocode?address=" + percent(city.name) +
                    "&round=" + QByteArray::number(1 + i / cities().size()),
                "place", city.name);
        }
        row(pagesUrl() + "/page/" + QByteArray::number(i + 1), "page", {});
    }
    row(pagesUrl() + "/moved", "page", "moved");
    row(pagesUrl() + "/page/999", "page", "missing");
    row(pagesUrl() + "/broken", "page", "broken");
    row(pagesUrl() + "/page/1#twice", "page", "again");
    row("mailto:somebody@example.org", "page", "no address of a page");
    return csv;
}

QByteArray PracticeService::settings() const
{
    return R"({
  "version": 1, "name": "Practice crawl",
  "input": {"column": "url"},
  "limiters": [
    {"name": "everything", "match": "*", "scope": "all", "atOnce": 16},
    {"name": "rates", "match": "127.0.0.1/*", "rate": "6/s", "burst": 2, "atOnce": 4},
    {"name": "geocoder", "match": "127.0.0.2/*", "rate": "4/s", "atOnce": 2},
    {"name": "pages", "match": "127.0.0.3/*", "rate": "10/s", "burst": 5, "atOnce": 4}
  ],
  "errorRules": [ {"when": {"jsonpath": "$.status", "equals": "OVER_QUERY_LIMIT"}, "treatAs": "rate_limited"} ],
  "fields": [
    {"name": "rate", "from": "jsonpath", "expr": "$.rate", "type": "number", "match": "127.0.0.1/*"},
    {"name": "lat", "from": "jsonpath", "expr": "$.results[0].geometry.location.lat", "type": "number", "match": "127.0.0.2/*"},
    {"name": "lng", "from": "jsonpath", "expr": "$.results[0].geometry.location.lng", "type": "number", "match": "127.0.0.2/*"},
    {"name": "title", "from": "regex", "expr": "<title>([^<]*)</title>", "group": 1, "match": "127.0.0.3/*"}
  ]
})";
}

} // namespace muster::practice
