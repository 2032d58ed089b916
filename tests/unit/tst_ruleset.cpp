// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest/QtTest>

#include "core/refine/ruleset.h"

// Conditions are written with the parts they have; GCC 12 warns of the others even so.
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"

using namespace muster;

namespace {

QString text(const char *utf8)
{
    return QString::fromUtf8(utf8);
}

Answer answerOf(const QByteArray &body, int status = 200, const QByteArray &type = "application/json")
{
    Answer answer;
    answer.status = status;
    answer.url = "https://api.example/v1/item?q=1";
    answer.headers = {{"Content-Type", type}, {"X-Id", "7"}, {"x-id", "8"}};
    answer.body = body;
    return answer;
}

/// `changes`: "expr=$.a|take=all|type=number".
FieldSettings field(const char *changes)
{
    FieldSettings f;
    f.name = text("f");
    const QStringList parts = text(changes).split(QLatin1Char('|'));
    for (const QString &part : parts) {
        const QString key = part.section(QLatin1Char('='), 0, 0);
        const QString value = part.section(QLatin1Char('='), 1);
        const QHash<QString, QString *> places{{text("name"), &f.name},
                                               {text("of"), &f.of},
                                               {text("from"), &f.from},
                                               {text("expr"), &f.expr},
                                               {text("take"), &f.take},
                                               {text("missing"), &f.missing},
                                               {text("default"), &f.defaultValue},
                                               {text("join"), &f.join},
                                               {text("type"), &f.type},
                                               {text("locale"), &f.locale},
                                               {text("match"), &f.match}};
        if (key == text("group"))
            f.group = value.toInt();
        else
            *places.value(key) = value;
    }
    return f;
}

Settings withFields(const QVector<FieldSettings> &fields)
{
    Settings settings;
    settings.fields = fields;
    return settings;
}

std::shared_ptr<const RuleSet> compiled(const Settings &settings)
{
    auto rules = compileRules(settings);
    if (!rules)
        qFatal("%s", qPrintable(sentence(rules.error().front())));
    return *rules;
}

/// The fields, or "kind:detail".
QByteArray outcome(const tl::expected<Refined, Failure> &refined)
{
    return refined ? refined->fields
                   : failureKindName(refined.error().kind) + QByteArray(":") + refined.error().detail;
}

const QByteArray document = "{\"p\":1.10,\"id\":12345678901234567890,\"s\":\"x\",\"n\":null,\"b\":true,"
                            "\"o\":{\"z\":1,\"a\":-0},\"l\":[1.0,\"two\",null],\"de\":\"1.234,56\","
                            "\"t\":1700000000,\"e\":\"\",\"d\":\"Sun, 06 Nov 1994 08:49:37 GMT\"}";

} // namespace

class TestRuleSet final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void fields_data()
    {
        QTest::addColumn<QString>("rule");
        QTest::addColumn<QByteArray>("expected");
        const auto row = [](const char *rule, const char *expected) {
            QTest::newRow(rule) << text(rule) << QByteArray(expected);
        };
        row("expr=$.p", "{\"f\":\"1.10\"}");
        row("expr=$.p|type=number", "{\"f\":1.10}");
        row("expr=$.id|type=number", "{\"f\":12345678901234567890}");
        row("expr=$.o", "{\"f\":\"{\\\"z\\\":1,\\\"a\\\":-0}\"}");
        row("expr=$.o|type=list", "{\"f\":[{\"z\":1,\"a\":-0}]}");
        row("expr=$.l|type=list", "{\"f\":[1.0,\"two\",null]}");
        row("expr=$.l[*]|take=all", "{\"f\":[1.0,\"two\",null]}");
        row("expr=$.l[0,2]|take=all|type=number", "{\"f\":[1.0,null]}");
        row("expr=$.l[*]|take=all|type=number", "refine:type");
        row("expr=$.l[*]|take=count", "{\"f\":3}");
        row("expr=$.none|take=count|missing=fail", "{\"f\":0}");
        row("expr=$.l[*]|take=join", "{\"f\":\"1.0; two\"}");
        row("expr=$.l[*]|take=join|join=/|type=list", "{\"f\":[\"1.0/two\"]}");
        row("expr=$.l[*]|take=join|type=number", "refine:type");
        row("expr=$.b", "{\"f\":\"true\"}");
        row("expr=$.b|type=number", "refine:type");
        row("expr=$.b|type=date", "refine:type");
        row("expr=$.none", "{}");
        row("expr=$.n|missing=fail", "refine:missing");
        row("expr=$.none|missing=fail", "refine:missing");
        row("expr=$.none|missing=default|default=n/a", "{\"f\":\"n/a\"}");
        row("expr=$.none|missing=default|default=-1.50|type=number", "{\"f\":-1.50}");
        row("expr=$.none|missing=default|default=x|type=list", "{\"f\":[\"x\"]}");
        row("expr=$.e|missing=fail", "{\"f\":\"\"}");
        row("expr=$.e|type=number|missing=fail", "refine:missing");
        row("expr=$.s|type=number", "refine:type");
        row("expr=$.de|type=number|locale=de", "{\"f\":1234.56}");
        row("expr=$.de|type=number", "refine:type");
        row("expr=$.t|type=date", "{\"f\":\"2023-11-14T22:13:20Z\"}");
        row("expr=$['t','d']|type=date|take=join", "{\"f\":\"2023-11-14T22:13:20Z; 1994-11-06T08:49:37Z\"}");
        row("expr=$['t','d']|type=date|take=all",
            "{\"f\":[\"2023-11-14T22:13:20Z\",\"1994-11-06T08:49:37Z\"]}");
        row("expr=$.s|type=date", "refine:type");
        row("from=pointer|expr=/l/1", "{\"f\":\"two\"}");
        row("from=pointer|expr=/l/9|missing=fail", "refine:missing");
        row("from=regex|expr=\"(\\w)\":true|group=1", "{\"f\":\"b\"}");
        row("from=regex|expr=\"([a-z])\":[0-9]|group=1|take=join", "{\"f\":\"p; z; t\"}");
        row("from=regex|expr=\"([a-z])\":\\d|group=1|take=count", "{\"f\":3}");
        row("from=regex|expr=(zz)?\"p\"|group=1|missing=fail", "refine:missing");
        row("from=regex|expr=.|take=all", "limit?");
        row("from=header|expr=x-id", "{\"f\":\"7\"}");
        row("from=header|expr=X-ID|take=all|type=number", "{\"f\":[7,8]}");
        row("from=header|expr=X-None|missing=fail", "refine:missing");
        row("expr=$.p|match=api.example/v1/*", "{\"f\":\"1.10\"}");
        row("expr=$.none|missing=fail|match=*.other", "{}");
    }
    void fields()
    {
        QFETCH(QString, rule);
        QFETCH(QByteArray, expected);
        const auto rules = compiled(withFields({field(rule.toUtf8().constData())}));
        QVERIFY(!rules->isEmpty());
        const auto refined = rules->refine(answerOf(document));
        if (expected == "limit?")
            QVERIFY(refined.has_value() && refined->fields.size() > document.size());
        else
            QCOMPARE(outcome(refined), expected);
        QCOMPARE(outcome(rules->judge(answerOf(document), true).refined), outcome(refined));
        if (!refined) {
            QCOMPARE(refined.error().code, 200);
            QVERIFY(refined.error().note.startsWith(text("field f: ")));
        }
    }

    void orderIsThatOfTheRules()
    {
        const auto rules = compiled(withFields({field("name=z|expr=$.s"), field("name=none|expr=$.none"),
                                                field("name=a|expr=$.p|type=number")}));
        QCOMPARE(outcome(rules->refine(answerOf(document))), QByteArray("{\"z\":\"x\",\"a\":1.10}"));
        QVERIFY(compiled(Settings())->isEmpty());
        QCOMPARE(outcome(compiled(Settings())->refine(answerOf(document))), QByteArray("{}"));
    }

    void answersWithoutABody()
    {
        const auto rules = compiled(withFields({field("expr=$.p"), field("name=c|expr=$.p|take=count"),
                                                field("name=h|from=header|expr=X-Id|take=count"),
                                                field("name=r|from=regex|expr=x")}));
        Answer head = answerOf({});
        head.isHead = true;
        QCOMPARE(outcome(rules->refine(head)), QByteArray("{\"h\":2}"));
        Answer headersOnly = answerOf({});
        headersOnly.partial = true;
        QCOMPARE(outcome(rules->refine(headersOnly)), QByteArray("{\"h\":2}"));
        QCOMPARE(outcome(rules->refine(answerOf(" \r\n"))), QByteArray("refine:empty")); // F66
        QCOMPARE(outcome(rules->refine(answerOf("<html>"))), QByteArray("refine:json"));
        QCOMPARE(outcome(rules->refine(answerOf(QByteArray(600, '[')))), QByteArray("refine:limit")); // F67
        QCOMPARE(outcome(compiled(withFields({field("from=regex|expr=x|missing=fail")}))->refine(head)),
                 QByteArray("refine:missing"));
    }

    void boundsAreFailures()
    {
        const auto regex = compiled(withFields({field("from=regex|expr=(a+)+$")}));
        const auto costly = regex->refine(answerOf(QByteArray(30, 'a') + '!'));
        QCOMPARE(outcome(costly), QByteArray("refine:limit")); // F69
        QVERIFY(costly.error().note.contains(text("pattern too costly")));
        QCOMPARE(outcome(compiled(withFields({field("from=regex|expr=.|take=all")}))
                             ->refine(answerOf(QByteArray(10'001, 'x')))),
                 QByteArray("refine:limit"));
        const QByteArray large = "{\"a\":\"" + QByteArray(1024 * 1024, 'x') + "\"}";
        QCOMPARE(outcome(compiled(withFields({field("expr=$.a")}))->refine(answerOf(large))),
                 QByteArray("refine:limit"));
        QByteArray nested =
            QByteArray(200, '[') + '"' + QByteArray(200'000, 'x') + '"' + QByteArray(200, ']');
        QCOMPARE(outcome(compiled(withFields({field("expr=$..*|take=count")}))->refine(answerOf(nested))),
                 QByteArray("refine:limit"));
        QByteArray wide = "[" + QByteArray("1,").repeated(5000) + "1]";
        QCOMPARE(outcome(compiled(withFields({field("expr=$[?count($[*])>1]")}))->refine(answerOf(wide))),
                 QByteArray("refine:limit"));
    }

    void problemsNameTheKey_data()
    {
        QTest::addColumn<QString>("rule");
        QTest::addColumn<QString>("place");
        const auto row = [](const char *rule, const char *place) {
            QTest::newRow(rule) << text(rule) << text(place);
        };
        row("name=lat|expr=lat", "fields.lat.expr");
        row("expr=$[", "fields.f.expr");
        row("from=pointer|expr=x", "fields.f.expr");
        row("from=regex|expr=(", "fields.f.expr");
        row("from=regex|expr=(*LIMIT_MATCH=1)x", "fields.f.expr");
        row("from=regex|expr=(a)|group=2", "fields.f.group");
        row("from=header|expr=a b", "fields.f.expr");
        row("from=css|expr=h1", "fields.f.from");
        row("expr=$|take=some", "fields.f.take");
        row("expr=$|missing=x", "fields.f.missing");
        row("expr=$|type=bool", "fields.f.type");
        row("expr=$|of=x", "fields.f.of");
        row("expr=$|locale=klingon", "fields.f.locale");
        row("expr=$|type=number|missing=default|default=n/a", "fields.f.default");
        row("expr=$|type=date|missing=default|default=soon", "fields.f.default");
    }
    void problemsNameTheKey()
    {
        QFETCH(QString, rule);
        QFETCH(QString, place);
        const auto rules = compileRules(withFields({field(rule.toUtf8().constData()), field("expr=$")}));
        QVERIFY(!rules.has_value());
        QCOMPARE(rules.error().size(), 1);
        QCOMPARE(rules.error().front().place, place);
        QVERIFY(!rules.error().front().reason.isEmpty());
        QVERIFY(!rules.error().front().mend.isEmpty());
    }

    void errorRules_data()
    {
        QTest::addColumn<ErrorCondition>("when");
        QTest::addColumn<QByteArray>("body");
        QTest::addColumn<int>("status");
        QTest::addColumn<bool>("expected");
        const auto row = [](const char *name, const ErrorCondition &when, const char *body, int status,
                            bool expected) {
            QTest::newRow(name) << when << QByteArray(body) << status << expected;
        };
        const char *limited =
            "{\"status\":\"OVER_QUERY_LIMIT\",\"left\":0,\"code\":\"404\",\"ok\":false,\"n\":null}";
        ErrorCondition equals{.jsonpath = text("$.status"), .equals = QJsonValue(text("OVER_QUERY_LIMIT"))};
        row("equals", equals, limited, 200, true);
        row("equals, other", equals, "{\"status\":\"OK\"}", 200, false);
        row("equals, none", equals, "{}", 200, false);
        row("equals, a page", equals, "<html>", 502, false);
        row("RT-06", {.regex = text("rate limit")}, "{\"error\":\"rate limit exceeded\"}", 200, true);
        row("RT-06 data", {.regex = text("rate limit")}, "{\"data\":1}", 200, false);
        row("regex, none wanted", {.regex = text("data"), .exists = false}, "{}", 200, true);
        row("regex, none wanted, there", {.regex = text("data"), .exists = false}, "data", 200, false);
        row("regex, number", {.regex = text("wait (\\d+) s"), .above = 10}, "wait 11 s", 200, true);
        row("regex, number below", {.regex = text("wait (\\d+) s"), .above = 10}, "wait 9 s", 200, false);
        row("exists", {.jsonpath = text("$.error")}, "{\"error\":null}", 200, true);
        row("exists, not", {.jsonpath = text("$.error")}, "{}", 200, false);
        row("exists: true", {.jsonpath = text("$.status"), .exists = true}, limited, 200, true);
        row("exists: false", {.jsonpath = text("$.data"), .exists = false}, limited, 200, true);
        row("pointer", {.pointer = text("/left"), .below = 1}, limited, 200, true);
        row("pointer, null", {.pointer = text("/n"), .equals = QJsonValue()}, limited, 200, true);
        row("pointer, not null", {.pointer = text("/left"), .equals = QJsonValue()}, limited, 200, false);
        row("pointer, false", {.pointer = text("/ok"), .equals = QJsonValue(false)}, limited, 200, true);
        row("pointer, true", {.pointer = text("/ok"), .equals = QJsonValue(true)}, limited, 200, false);
        row("number of a text", {.pointer = text("/code"), .equals = QJsonValue(404)}, limited, 200, true);
        row("number", {.pointer = text("/left"), .equals = QJsonValue(0.0)}, limited, 200, true);
        row("number, none", {.pointer = text("/status"), .equals = QJsonValue(0)}, limited, 200, false);
        row("below, no number", {.pointer = text("/status"), .below = 9}, limited, 200, false);
        row("matches", {.jsonpath = text("$.*"), .matches = text("^OVER_")}, limited, 200, true);
        row("matches, not", {.jsonpath = text("$.*"), .matches = text("^UNDER_")}, limited, 200, false);
        row("status", {.status = text("5xx")}, "", 503, true);
        row("status, not", {.status = text("5xx")}, "", 499, false);
        row("status, one", {.status = text("418")}, "", 418, true);
        row("status, range", {.status = text("500-504")}, "", 504, true);
        row("status, number", {.status = text("2xx"), .above = 201}, "", 202, true);
        row("both", {.regex = text("LIMIT"), .status = text("200")}, limited, 200, true);
        row("both, status not", {.regex = text("LIMIT"), .status = text("200")}, limited, 201, false);
        ErrorCondition all{.jsonpath = text("$.status"),
                           .regex = text("left"),
                           .equals = QJsonValue(text("OVER_QUERY_LIMIT"))};
        row("path and regex", all, limited, 200, true);
        all.regex = text("right");
        row("path and regex, not", all, limited, 200, false);
    }
    void errorRules()
    {
        QFETCH(ErrorCondition, when);
        QFETCH(QByteArray, body);
        QFETCH(int, status);
        QFETCH(bool, expected);
        Settings settings = withFields({field("from=header|expr=X-Id")});
        settings.errorRules = {{when, text("rate_limited")}};
        const auto rules = compiled(settings);
        const auto failure = rules->failing(answerOf(body, status));
        QCOMPARE(failure.has_value(), expected);
        const RefineResult judged = rules->judge(answerOf(body, status), true);
        QCOMPARE(judged.rule, failure);
        if (!expected) {
            QCOMPARE(outcome(judged.refined), QByteArray("{\"f\":\"7\"}"));
            return;
        }
        QCOMPARE(failure->kind, FailureKind::RateLimited);
        QCOMPARE(failure->detail, QByteArray("rule-0"));
        QCOMPARE(failure->code, status);
        QVERIFY(!failure->note.isEmpty());
        Answer head = answerOf({}, 200);
        head.isHead = true;
        if (when.status.isEmpty() && when.exists.value_or(true))
            QVERIFY(!rules->failing(head));
    }

    void firstRuleWinsAndOnlyAcceptedAreRefined()
    {
        Settings settings = withFields({field("expr=$.p")});
        settings.errorRules = {{{.status = text("4xx")}, text("http_4xx")},
                               {{.regex = text("p")}, text("error_rule")}};
        const auto rules = compiled(settings);
        QCOMPARE(rules->failing(answerOf(document, 404))->kind, FailureKind::Http4xx);
        QCOMPARE(rules->failing(answerOf(document, 200))->detail, QByteArray("rule-1"));
        QVERIFY(rules->judge(answerOf("{}", 200), false).refined->fields.isEmpty());
    }

    void errorRuleBoundsAreFailures()
    {
        Settings settings;
        settings.errorRules = {{{.regex = text("(a+)+$")}, text("error_rule")}};
        const QByteArray evil = QByteArray(30, 'a') + '!';
        const auto regex = compiled(settings)->failing(answerOf(evil, 500));
        QCOMPARE(regex->kind, FailureKind::Refine);
        QCOMPARE(regex->detail, QByteArray("limit"));
        QCOMPARE(regex->code, 500);
        settings.errorRules = {{{.jsonpath = text("$.a"), .matches = text("(a+)+$")}, text("error_rule")}};
        QCOMPARE(compiled(settings)->failing(answerOf("{\"a\":\"" + evil + "\"}"))->detail,
                 QByteArray("limit"));
        settings.errorRules = {{{.jsonpath = text("$[?search(@,'(a+)+$')]")}, text("error_rule")}};
        QCOMPARE(compiled(settings)->failing(answerOf("[\"" + evil + "\"]"))->detail, QByteArray("limit"));
        QCOMPARE(compiled(settings)->failing(answerOf(QByteArray(600, '[')))->detail, QByteArray("limit"));
    }

    void errorRuleProblems_data()
    {
        QTest::addColumn<ErrorCondition>("when");
        QTest::addColumn<QString>("kind");
        QTest::addColumn<QString>("place");
        QTest::newRow("nothing") << ErrorCondition{} << text("error_rule")
                                 << text("errorRules.0.when.jsonpath");
        QTest::newRow("path") << ErrorCondition{.jsonpath = text("$[")} << text("error_rule")
                              << text("errorRules.0.when.jsonpath");
        QTest::newRow("pointer") << ErrorCondition{.pointer = text("x")} << text("error_rule")
                                 << text("errorRules.0.when.pointer");
        QTest::newRow("regex") << ErrorCondition{.regex = text("(")} << text("error_rule")
                               << text("errorRules.0.when.regex");
        QTest::newRow("matches") << ErrorCondition{.jsonpath = text("$"), .matches = text("(")}
                                 << text("error_rule") << text("errorRules.0.when.matches");
        for (const char *bad : {"20x", "2", "504-500", "0xx", "abc", "-200"})
            QTest::newRow(bad) << ErrorCondition{.status = text(bad)} << text("error_rule")
                               << text("errorRules.0.when.status");
        QTest::newRow("equals") << ErrorCondition{.jsonpath = text("$"), .equals = QJsonValue(QJsonObject())}
                                << text("error_rule") << text("errorRules.0.when.equals");
        QTest::newRow("kind") << ErrorCondition{.regex = text("x")} << text("limited")
                              << text("errorRules.0.treatAs");
    }
    void errorRuleProblems()
    {
        QFETCH(ErrorCondition, when);
        QFETCH(QString, kind);
        QFETCH(QString, place);
        Settings settings;
        settings.errorRules = {{when, kind}};
        const auto rules = compileRules(settings);
        QVERIFY(!rules.has_value());
        QCOMPARE(rules.error().front().place, place);
        QVERIFY(!rules.error().front().mend.isEmpty());
    }
};

Q_DECLARE_METATYPE(muster::ErrorCondition)
QTEST_GUILESS_MAIN(TestRuleSet)
#include "tst_ruleset.moc"
