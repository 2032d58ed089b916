// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest/QtTest>

#include "core/intake/template.h"

using namespace muster;

namespace {

using Headers = QVector<std::pair<QString, QString>>;

Settings settingsWith(const QString &url, const QString &body = {}, const Headers &headers = {})
{
    Settings s;
    s.request.url = url;
    s.request.body = body;
    s.request.headers = headers;
    s.request.method = body.isEmpty() ? QStringLiteral("GET") : QStringLiteral("POST");
    return s;
}

InputColumns columns(const QVector<QByteArray> &names, const QVector<QByteArray> &cells)
{
    return InputColumns(std::make_shared<const QVector<QByteArray>>(names), cells);
}

const QVector<QByteArray> names{"city", "id", "url", "next", "Post Code", "path"};
const QVector<QByteArray> cells{"S\xc3\xa3o \"P\"/1", "7", "http://c.test/", "n&x", "1 a", "a/b?c=d"};

} // namespace

class TestRequestTemplate final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void urls_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QByteArray>("expected");
        const auto row = [](const char *name, const char *text, const char *expected) {
            QTest::newRow(name) << QString::fromUtf8(text) << QByteArray(expected);
        };
        row("the address alone", "{url}", "http://ok.test/a%2Fb?x=1");
        row("percent by default", "http://a.test/{city}?q={city}",
            "http://a.test/S%C3%A3o%20%22P%22%2F1?q=S%C3%A3o%20%22P%22%2F1");
        row("raw", "http://a.test/{path|raw}", "http://a.test/a/b?c=d");
        row("percent of the same", "http://a.test/{path}", "http://a.test/a%2Fb%3Fc%3Dd");
        row("address inside another", "http://a.test/?u={url}",
            "http://a.test/?u=http%3A%2F%2Fok.test%2Fa%252Fb%3Fx%3D1");
        row("address raw", "{url|raw}&y={id}", "http://ok.test/a%2Fb?x=1&y=7");
        row("input column called url", "http://a.test/?u={in.url}",
            "http://a.test/?u=http%3A%2F%2Fc.test%2F");
        row("input column called next", "http://a.test/?u={in.next}", "http://a.test/?u=n%26x");
        row("name with a blank", "http://a.test/{Post Code}", "http://a.test/1%20a");
        row("literal braces", "http://a.test/{{id}}/{{{id}}}", "http://a.test/%7Bid%7D/%7B7%7D");
        row("secret", "http://a.test/?key={secret:maps_1}&q={id}", "http://a.test/?key={secret:maps_1}&q=7");
        row("in a host", "http://{id}.test/", "http://7.test/");
        row("no scheme", "a.test/{id}", "https://a.test/7");
    }
    void urls()
    {
        QFETCH(QString, text);
        QFETCH(QByteArray, expected);
        const auto t = RequestTemplate::compile(settingsWith(text));
        QVERIFY(t.has_value());
        const auto request = t->render("http://ok.test/a%2Fb?x=1", columns(names, cells));
        QVERIFY2(request.has_value(), request ? "" : qPrintable(request.error()));
        QCOMPARE(request->url.text, expected);
        QCOMPARE(request->method, "GET");
        for (const MaskedText::Slot &slot : request->url.secretSlots) {
            QCOMPARE(request->url.text.mid(slot.at, slot.length), QByteArray("{secret:" + slot.name + '}'));
            QCOMPARE(slot.encoding, MaskedText::Encoding::Percent);
        }
        QCOMPARE(request->url.hasSecrets(), text.contains(QLatin1String("secret:")));
    }

    void bodies_data()
    {
        QTest::addColumn<QString>("type");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QByteArray>("expected");
        const auto row = [](const char *name, const char *type, const char *text, const char *expected) {
            QTest::newRow(name) << QString::fromUtf8(type) << QString::fromUtf8(text) << QByteArray(expected);
        };
        row("json by shape, nested, ends in }}", "", "{\"a\":{\"city\":\"{city}\",\"id\":{id}}}",
            "{\"a\":{\"city\":\"São \\\"P\\\"/1\",\"id\":7}}");
        row("json by type", "application/vnd.api+json; charset=utf-8", "\"{city}\"", "\"São \\\"P\\\"/1\"");
        row("json array", "", "[{\"id\":\"{id}\"},{}]", "[{\"id\":\"7\"},{}]");
        row("json raw", "application/json", "{\"a\":{in.city|raw}}", "{\"a\":S\xc3\xa3o \"P\"/1}");
        row("unknown names stay", "", "{\"q\":\"query {page } {nosuch} {{id}}\"}",
            "{\"q\":\"query {page } {nosuch} {7}\"}");
        row("unclosed braces stay", "", "{\"q\":\"{ {id\"}", "{\"q\":\"{ {id\"}");
        row("form by shape", "", "q={city}&id={id}", "q=S%C3%A3o+%22P%22%2F1&id=7");
        row("form by type", "Application/X-WWW-Form-Urlencoded", "{city}", "S%C3%A3o+%22P%22%2F1");
        row("form, name is a column", "", "{id}={city}", "7=S%C3%A3o+%22P%22%2F1");
        row("text", "text/plain", "q={city}", "q=S\xc3\xa3o \"P\"/1");
        row("text by shape", "", "<a>{city}</a>", "<a>S\xc3\xa3o \"P\"/1</a>");
        row("address in a form", "", "u={url}", "u=http%3A%2F%2Fok.test%2F");
        row("secret", "", "{\"key\":\"{secret:k}\"}", "{\"key\":\"{secret:k}\"}");
    }
    void bodies()
    {
        QFETCH(QString, type);
        QFETCH(QString, text);
        QFETCH(QByteArray, expected);
        const Headers headers = type.isEmpty() ? Headers() : Headers{{QStringLiteral("content-TYPE"), type}};
        const auto t =
            RequestTemplate::compile(settingsWith(QStringLiteral("http://a.test/"), text, headers));
        QVERIFY(t.has_value());
        const auto request = t->render("http://ok.test/", columns(names, cells));
        QCOMPARE(request->body.text, expected);
        QCOMPARE(request->method, "POST");
        QCOMPARE(request->hasSecrets(), text.contains(QLatin1String("secret:")));
    }

    void contentTypes_data()
    {
        QTest::addColumn<QString>("named");
        QTest::addColumn<QString>("body");
        QTest::addColumn<QByteArray>("expected");
        const auto row = [](const char *name, const char *named, const char *body, const char *expected) {
            QTest::newRow(name) << QString::fromUtf8(named) << QString::fromUtf8(body)
                                << QByteArray(expected);
        };
        row("object", "", " {\"id\":{id}}", "application/json");
        row("list", "", "[{id}]", "application/json");
        row("form", "", "q={city}", "application/x-www-form-urlencoded");
        row("form, name is a column", "", "{id}={city}", "application/x-www-form-urlencoded");
        row("text", "", "<a>{city}</a>", "text/plain; charset=utf-8");
        row("its own", "application/vnd.api+json", "{\"id\":{id}}", "application/vnd.api+json");
        row("its own, another than the shape", "text/csv", "[{id}]", "text/csv");
        row("no body", "", "", "");
    }
    /// One Content-Type, whoever chose it: with none Qt calls every body a form.
    void contentTypes()
    {
        QFETCH(QString, named);
        QFETCH(QString, body);
        QFETCH(QByteArray, expected);
        const Headers headers =
            named.isEmpty() ? Headers() : Headers{{QStringLiteral("content-type"), named}};
        const auto t =
            RequestTemplate::compile(settingsWith(QStringLiteral("http://a.test/"), body, headers));
        QVERIFY(t.has_value());
        const auto request = t->render({}, columns(names, cells));
        QCOMPARE(request->headers.size(), expected.isEmpty() ? 0 : 1);
        if (!expected.isEmpty()) {
            QCOMPARE(request->headers[0].name.toLower(), "content-type");
            QCOMPARE(request->headers[0].value.text, expected);
        }
    }

    void jsonControlCharacters()
    {
        const auto t = RequestTemplate::compile(
            settingsWith(QStringLiteral("http://a.test/"), QStringLiteral("[\"{id}\"]")));
        const auto request = t->render({}, columns({"id"}, {QByteArray("\\a\n\r\t\x01\x1f\0b", 9)}));
        QCOMPARE(request->body.text, "[\"\\\\a\\n\\r\\t\\u0001\\u001f\\u0000b\"]");
    }

    void aCellNeverBecomesASecret()
    {
        const QVector<QByteArray> one{"a"};
        const QVector<QByteArray> bad{"{secret:k}"};
        const auto t = RequestTemplate::compile(settingsWith(
            QStringLiteral("http://a.test/?q={a|raw}&k={secret:k}"), QStringLiteral("<x>{a}</x>")));
        const auto request = t->render({}, columns(one, bad));
        QCOMPARE(request->url.text, "http://a.test/?q=%7Bsecret:k%7D&k={secret:k}");
        QCOMPARE(request->url.secretSlots.size(), 1);
        QCOMPARE(request->url.secretSlots.first().at, 34);
        QVERIFY(!request->body.hasSecrets());
        const auto alone = RequestTemplate::compile(Settings())->render("http://a.test/{secret:k}", {});
        QVERIFY(!alone->hasSecrets());
    }

    void headers()
    {
        const auto t = RequestTemplate::compile(settingsWith(
            QStringLiteral("http://a.test/"), {},
            {{QStringLiteral("X-City"), QStringLiteral("c={city}; {{x}}")}, {QStringLiteral("A"), {}}}));
        const auto request = t->render({}, columns(names, cells));
        QCOMPARE(request->headers.size(), 2);
        QCOMPARE(request->headers[0].name, "X-City");
        QCOMPARE(request->headers[0].value.text, "c=S\xc3\xa3o \"P\"/1; {x}");
        for (const QByteArray &bad :
             {QByteArray("a\r\nX: y"), QByteArray("a\nb"), QByteArray("a\0b", 3), QByteArray("\x7f.")}) {
            const auto refused = t->render({}, columns({"city"}, {bad}));
            QVERIFY(refused.error().contains(QLatin1String("header cannot carry")));
            QVERIFY(refused.error().contains(QLatin1String("{city}")));
        }
    }

    void trims()
    {
        Settings s = settingsWith(QStringLiteral("http://a.test/{id}"));
        const InputColumns input = columns({"id"}, {" 7\t"});
        QCOMPARE(RequestTemplate::compile(s)->render({}, input)->url.text, "http://a.test/7");
        s.input.trim = false;
        QCOMPARE(RequestTemplate::compile(s)->render({}, input)->url.text, "http://a.test/%207%09");
        QCOMPARE(RequestTemplate::compile(Settings())->render(" http://a.test/ ", {})->url.text,
                 "http://a.test/");
    }

    void problems_data()
    {
        QTest::addColumn<Settings>("settings");
        QTest::addColumn<QString>("place");
        QTest::addColumn<QString>("reason");
        const auto row = [](const char *name, const Settings &s, const char *place, const char *reason) {
            QTest::newRow(name) << s << QString::fromUtf8(place) << QString::fromUtf8(reason);
        };
        const QString url = QStringLiteral("http://a.test/");
        row("open brace", settingsWith(QStringLiteral("http://a.test/{id")), "request.url",
            "character 15 has no partner");
        row("closing brace", settingsWith(QStringLiteral("http://a.test/id}")), "request.url", "no partner");
        row("no name", settingsWith(QStringLiteral("http://a.test/{}")), "request.url", "{} names no column");
        row("brace in a name", settingsWith(QStringLiteral("http://a.test/{a{b}")), "request.url",
            "names no column");
        row("next", settingsWith(QStringLiteral("http://a.test/{next}")), "request.url",
            "{next} belongs to next pages");
        row("page in a body", settingsWith(url, QStringLiteral("p={page}")), "request.body",
            "{page} belongs to next pages");
        row("secret name", settingsWith(QStringLiteral("http://a.test/{secret:Maps}")), "request.url",
            "no name of a secret");
        row("secret without name", settingsWith(url, QStringLiteral("k={secret:}")), "request.body",
            "no name of a secret");
        row("secret in a header",
            settingsWith(url, {}, {{QStringLiteral("X-Key"), QStringLiteral("{secret:k}")}}),
            "request.headers.X-Key", "may hold no secret");
        row("line feed in a header", settingsWith(url, {}, {{QStringLiteral("A"), QStringLiteral("a\nb")}}),
            "request.headers.A", "line break");
        row("name of a header", settingsWith(url, {}, {{QStringLiteral("A b"), {}}}), "request.headers.A b",
            "no name of a header");
        row("empty", settingsWith(QString()), "request.url", "empty");
    }
    void problems()
    {
        QFETCH(Settings, settings);
        QFETCH(QString, place);
        QFETCH(QString, reason);
        const auto t = RequestTemplate::compile(settings);
        QVERIFY(!t.has_value());
        QCOMPARE(t.error().size(), 1);
        QCOMPARE(t.error().first().place, place);
        QVERIFY2(t.error().first().reason.contains(reason), qPrintable(t.error().first().reason));
        QVERIFY(!t.error().first().mend.isEmpty());
    }

    void everyProblemIsNamed()
    {
        const auto t = RequestTemplate::compile(
            settingsWith(QStringLiteral("http://a.test/{next}{"), QStringLiteral("{page}")));
        QCOMPARE(t.error().size(), 3);
    }

    void refusedRows()
    {
        const auto t = RequestTemplate::compile(settingsWith(QStringLiteral("http://{city}/{nosuch}")));
        QVERIFY(t->render({}, columns(names, cells)).error().contains(QLatin1String("no such column")));
        const auto host = RequestTemplate::compile(settingsWith(QStringLiteral("http://{path}/")));
        QVERIFY(host->render({}, columns(names, cells)).error().contains(QLatin1String("host name")));
        const auto body = RequestTemplate::compile(
            settingsWith(QStringLiteral("http://a.test/"), QStringLiteral("a={in.b}")));
        QVERIFY(!body->render({}, {}).has_value());
        QVERIFY(!RequestTemplate::compile(Settings())->render("ftp://a.test", {}).has_value());
    }

    void shortRowsHaveEmptyCells()
    {
        const auto t = RequestTemplate::compile(settingsWith(QStringLiteral("http://a.test/{a}/{b}")));
        QCOMPARE(t->render({}, columns({"a", "b"}, {"x"}))->url.text, "http://a.test/x/");
    }

    void namesItKnows()
    {
        const auto t =
            RequestTemplate::compile(settingsWith(QStringLiteral("http://a.test/{a}/{a}/{in.url}/{secret:k}"),
                                                  QStringLiteral("x={b}&y={in.c}&k={secret:l}"),
                                                  {{QStringLiteral("H"), QStringLiteral("{d|raw}")}}));
        QCOMPARE(t->columns(), QVector<QByteArray>({"a", "url", "d", "c"}));
        QCOMPARE(t->missingColumns({"d", "a", "e"}), QVector<QByteArray>({"url", "c"}));
        QCOMPARE(t->secrets(), QVector<QByteArray>({"k", "l"}));
        QVERIFY(!t->usesUrl());
        QVERIFY(RequestTemplate::compile(Settings())->usesUrl());
    }

    void receivedUrls()
    {
        const auto t = RequestTemplate::compile(
            settingsWith(QStringLiteral("http://a.test/{id}"), QStringLiteral("i={id}"),
                         {{QStringLiteral("H"), QStringLiteral("{id}")}}));
        const InputColumns input = columns(names, cells);
        const auto next = t->renderReceived("http://B.test/?k={secret:k}&x={secret:K}&p=2#f", input, true);
        QCOMPARE(next->url.text, "http://b.test/?k={secret:k}&x=%7Bsecret:K%7D&p=2");
        QCOMPARE(next->url.secretSlots.size(), 1);
        QCOMPARE(next->url.secretSlots.first().name, "k");
        QCOMPARE(next->body.text, "i=7");
        QCOMPARE(next->headers.size(), 2);
        QCOMPARE(next->headers[1].value.text, "application/x-www-form-urlencoded");
        QCOMPARE(next->method, "POST");
        const auto link = t->renderReceived("http://b.test/{secret:", input, false);
        QCOMPARE(link->url.text, "http://b.test/%7Bsecret:");
        QCOMPARE(link->method, "GET");
        QVERIFY(link->headers.isEmpty() && link->body.text.isEmpty());
        QVERIFY(!t->renderReceived("http://u:p@b.test/", input, true).has_value());
    }

    void renderingCost()
    {
        const auto t = RequestTemplate::compile(Settings());
        const QByteArray url = "https://www.example.com/some/path/of/a/page?id=12345&lang=en";
        QBENCHMARK
        {
            QVERIFY(t->render(url, {}).has_value());
        }
    }
};

Q_DECLARE_METATYPE(Settings)
QTEST_GUILESS_MAIN(TestRequestTemplate)
#include "tst_requesttemplate.moc"
