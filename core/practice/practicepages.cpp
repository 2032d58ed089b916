// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/practice/practicepages.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QUrl>
#include <QUrlQuery>

#include "core/practice/practicedata.h"

namespace muster::practice {

namespace {

QByteArray json(const QJsonObject &o)
{
    return QJsonDocument(o).toJson(QJsonDocument::Compact);
}

QByteArray queryValue(const QUrl &url, const char *key)
{
    return QUrlQuery(url).queryItemValue(QString::fromLatin1(key), QUrl::FullyDecoded).toUtf8();
}

Page notFound(const QByteArray &what)
{
    return {
        404, "application/json", json({{QStringLiteral("error"), QString::fromUtf8("no such " + what)}}), {}};
}

Page rates(const QUrl &url, qint64 refusedForMs)
{
    if (refusedForMs > 0) {
        const qint64 seconds = (refusedForMs + 999) / 1000;
        return {429,
                "application/json",
                json({{QStringLiteral("error"), QStringLiteral("rate limit exceeded")}}),
                {{"Retry-After", QByteArray::number(seconds)}}};
    }
    const auto currency = currencyCalled(queryValue(url, "symbol"));
    if (!currency)
        return notFound("currency");
    return {200,
            "application/json",
            "{\"base\":\"EUR\",\"symbol\":\"" + QByteArray(currency->code) +
                "\",\"rate\":" + QByteArray::number(currency->perEuro, 'f', 4) + "}",
            {}};
}

/// As some geocoders do, it refuses inside a 200.
Page geocode(const QUrl &url, qint64 refusedForMs)
{
    if (refusedForMs > 0)
        return {200,
                "application/json",
                json({{QStringLiteral("status"), QStringLiteral("OVER_QUERY_LIMIT")}}),
                {}};
    const auto city = cityCalled(queryValue(url, "address"));
    if (!city)
        return {200,
                "application/json",
                json({{QStringLiteral("status"), QStringLiteral("ZERO_RESULTS")},
                      {QStringLiteral("results"), QJsonArray()}}),
                {}};
    return {200,
            "application/json",
            "{\"status\":\"OK\",\"results\":[{\"name\":\"" + QByteArray(city->name) + "\",\"country\":\"" +
                city->country +
                "\",\"geometry\":{\"location\":{\"lat\":" + QByteArray::number(city->lat, 'f', 4) +
                ",\"lng\":" + QByteArray::number(city->lng, 'f', 4) + "}}}]}",
            {}};
}

Page page(const QUrl &url)
{
    const QString path = url.path();
    if (path == QLatin1String("/moved"))
        return {301, "text/html; charset=utf-8", {}, {{"Location", "/page/1"}}};
    if (path == QLatin1String("/broken"))
        return {500, "text/plain; charset=utf-8", "this page is always broken", {}};
    bool ok = false;
    const int number = path.startsWith(QLatin1String("/page/")) ? path.mid(6).toInt(&ok) : 0;
    if (!ok || number < 1 || number > 500)
        return {404, "text/html; charset=utf-8", "<title>Not found</title>", {}};
    const City &city = cities()[number % cities().size()];
    return {200,
            "text/html; charset=utf-8",
            "<!doctype html><html><head><title>Page " + QByteArray::number(number) + ": " + city.name +
                "</title></head><body><h1>" + city.name +
                "</h1><p>A page of the practice service.</p></body></html>",
            {}};
}

} // namespace

qint64 FixedWindow::ask(qint64 nowMs)
{
    const qint64 window = nowMs / 1000;
    if (window != m_window) {
        m_window = window;
        m_used = 0;
    }
    if (m_used < m_perSecond) {
        ++m_used;
        return 0;
    }
    return (window + 1) * 1000 - nowMs;
}

Page answerOf(Service service, const QByteArray &pathAndQuery, qint64 refusedForMs)
{
    const QUrl url(QString::fromUtf8(pathAndQuery), QUrl::StrictMode);
    switch (service) {
    case Service::Rates:
        return url.path() == QLatin1String("/rates") ? rates(url, refusedForMs) : notFound("path");
    case Service::Geocoder:
        return url.path() == QLatin1String("/geocode") ? geocode(url, refusedForMs) : notFound("path");
    case Service::Pages:
        return page(url);
    }
    return notFound("service");
}

} // namespace muster::practice
