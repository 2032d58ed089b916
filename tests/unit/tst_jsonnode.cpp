// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest/QtTest>

#include "core/settings/jsonnode.h"

using namespace muster;

class TestJsonNode final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void keepsOrderDigitsAndDoubles()
    {
        const QByteArray json =
            "{\"z\":1.10,\"a\":[true,null,\"\\u00e4\\n\"],\"z\":18446744073709551615,\"e\":{}}";
        const auto tree = parseJson(json);
        QVERIFY(tree);
        QCOMPARE(tree->names.size(), std::size_t(4));
        QCOMPARE(tree->toJson(), QByteArray("{\"z\":1.10,\"a\":[true,null,\"\xC3\xA4\\n\"],"
                                            "\"z\":18446744073709551615,\"e\":{}}"));
        QCOMPARE(tree->find(QStringLiteral("z"))->text, QStringLiteral("1.10"));
        QVERIFY(!tree->find(QStringLiteral("q")));
    }

    void indented()
    {
        const auto tree = parseJson("{\"a\":[1,\"x\"],\"b\":{\"c\":[{\"d\":false}],\"e\":[]},\"f\":{}}");
        QVERIFY(tree);
        QCOMPARE(
            tree->toIndentedJson(),
            QByteArray("{\n  \"a\": [1, \"x\"],\n  \"b\": {\n    \"c\": [\n      {\n        \"d\": false\n"
                       "      }\n    ],\n    \"e\": []\n  },\n  \"f\": {}\n}\n"));
        QVERIFY(parseJson(tree->toIndentedJson())->means(*tree));
    }

    void meaning_data()
    {
        QTest::addColumn<QByteArray>("a");
        QTest::addColumn<QByteArray>("b");
        QTest::addColumn<bool>("same");
        const auto row = [](const char *a, const char *b, bool same) {
            QTest::addRow("%s %s", a, b) << QByteArray(a) << QByteArray(b) << same;
        };
        row("1", "1.0", true);
        row("1e2", "100", true);
        row("1", "\"1\"", false);
        row("9007199254740993", "9007199254740992", false);
        row("[1,2]", "[2,1]", false);
        row("[1,2]", "[1.0,2]", true);
        row("{\"a\":1,\"b\":2}", "{\"b\":2,\"a\":1}", true);
        row("{\"a\":1}", "{\"b\":1}", false);
        row("{\"a\":1}", "{\"a\":2}", false);
        row("[]", "{}", false);
        row("true", "false", false);
        row("null", "null", true);
    }
    void meaning()
    {
        QFETCH(QByteArray, a);
        QFETCH(QByteArray, b);
        QFETCH(bool, same);
        QCOMPARE(parseJson(a)->means(*parseJson(b)), same);
        QCOMPARE(parseJson(b)->means(*parseJson(a)), same);
    }

    void qtValuesBothWays_data()
    {
        QTest::addColumn<QByteArray>("json");
        for (const char *json : {"null", "true", "-5", "1.25", "\"x\"", "[1,[2]]", "{\"a\":{\"b\":[]}}",
                                 "9007199254740993", "1e300"})
            QTest::newRow(json) << QByteArray(json);
    }
    void qtValuesBothWays()
    {
        QFETCH(QByteArray, json);
        const auto tree = parseJson(json);
        QVERIFY(tree);
        QVERIFY(jsonNodeOf(tree->toJsonValue()).means(*tree));
    }

    void numbersAsPeopleWriteThem()
    {
        QCOMPARE(JsonNode::ofNumber(60).toJson(), QByteArray("60"));
        QCOMPARE(JsonNode::ofNumber(0.25).toJson(), QByteArray("0.25"));
        QCOMPARE(JsonNode::ofNumber(-3).toJson(), QByteArray("-3"));
        QVERIFY(parseJson(JsonNode::ofNumber(1e300).toJson()));
    }

    void depthIsBounded()
    {
        QVERIFY(parseJson(QByteArray(64, '[') + QByteArray(64, ']')));
        QVERIFY(!parseJson(QByteArray(65, '[') + QByteArray(65, ']')));
    }
};

QTEST_GUILESS_MAIN(TestJsonNode)
#include "tst_jsonnode.moc"
