// SPDX-License-Identifier: GPL-3.0-or-later
#include <clocale>
#include <QtTest/QtTest>

#include "core/job/jsontree.h"

using namespace muster;

class TestJsonTree final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void keepsTextAsItCame_data()
    {
        QTest::addColumn<QByteArray>("text");
        const QList<QByteArray> same{"1.10",
                                     "12345678901234567890",
                                     "123456789012345678901234567890",
                                     "-0",
                                     "0",
                                     "-0.0",
                                     "1E5",
                                     "1e400",
                                     "-1.50e-7",
                                     "true",
                                     "false",
                                     "null",
                                     "\"\"",
                                     "[]",
                                     "{}",
                                     "{\"b\":1,\"a\":2,\"b\":3}",
                                     "[[],{\"x\":[1,{\"y\":null}]}]",
                                     "\"\xC3\xA4\xE2\x82\xAC\"",
                                     "\"\\\"\\\\\\b\\f\\n\\r\\t\\u0001\"",
                                     "9223372036854775808",
                                     "-9223372036854775808",
                                     "-9223372036854775809",
                                     "18446744073709551616"};
        for (const QByteArray &text : same)
            QTest::newRow(text.constData()) << text;
    }
    void keepsTextAsItCame()
    {
        QFETCH(QByteArray, text);
        const auto tree = JsonTree::parse(text);
        QVERIFY(tree.has_value());
        QCOMPARE((*tree)->root().json(), text);
    }

    void decimalSignOfTheLocaleStaysOut()
    {
        const QByteArray before = std::setlocale(LC_NUMERIC, nullptr);
        const char *found = nullptr;
        for (const char *name : {"de_DE.UTF-8", "de_DE.utf8", "de_DE", "fr_FR.UTF-8"})
            if (!found)
                found = std::setlocale(LC_NUMERIC, name);
        const auto tree = JsonTree::parse("[1.10]");
        std::setlocale(LC_NUMERIC, before.constData());
        QVERIFY(tree.has_value());
        QCOMPARE((*tree)->root().json(), QByteArray("[1.10]"));
    }

    void lastOfTwoAlikeWins()
    {
        const auto tree = JsonTree::parse("{\"a\":1,\"b\":2,\"a\":3}");
        const JsonValue root = (*tree)->root();
        QCOMPARE(root.size(), 3);
        QCOMPARE(root.member("a").text().toByteArray(), QByteArray("3"));
        QCOMPARE(root.name(1).toByteArray(), QByteArray("b"));
        QVERIFY(!root.member("c").exists());
        QCOMPARE((*tree)->nodeCount(), 4);
    }

    void absentIsHarmless()
    {
        const JsonValue none;
        QCOMPARE(none.type(), JsonValue::Type::Absent);
        QCOMPARE(none.size(), 0);
        QVERIFY(!none.at(0).exists());
        QVERIFY(!none.member("x").exists());
        QVERIFY(none.name(0).isEmpty());
        QVERIFY(none.text().isEmpty());
        QCOMPARE(none.cell(), QByteArray());
        QCOMPARE(none.json(), QByteArray("null"));
    }

    void cells_data()
    {
        QTest::addColumn<QByteArray>("json");
        QTest::addColumn<QByteArray>("cell");
        QTest::newRow("string") << QByteArray("\"a\\nb\"") << QByteArray("a\nb");
        QTest::newRow("number") << QByteArray("1.10") << QByteArray("1.10");
        QTest::newRow("true") << QByteArray("true") << QByteArray("true");
        QTest::newRow("null") << QByteArray("null") << QByteArray();
        QTest::newRow("array") << QByteArray("[1, \"x\"]") << QByteArray("[1,\"x\"]");
        QTest::newRow("escaped pair") << QByteArray("\"\\ud83d\\ude00\"") << QByteArray("\xF0\x9F\x98\x80");
        QTest::newRow("lone half") << QByteArray("\"a\\ud83dz\"") << QByteArray("a\xEF\xBF\xBDz");
        QTest::newRow("lone low half")
            << QByteArray("\"\\uDE00\\\\ud83d\"") << QByteArray("\xEF\xBF\xBD\\ud83d");
        QTest::newRow("two high halves")
            << QByteArray("\"\\ud83d\\ud83d\\ude00\"") << QByteArray("\xEF\xBF\xBD\xF0\x9F\x98\x80");
        QTest::newRow("mark in front") << QByteArray("\xEF\xBB\xBF\"x\"") << QByteArray("x");
    }
    void cells()
    {
        QFETCH(QByteArray, json);
        QFETCH(QByteArray, cell);
        const auto tree = JsonTree::parse(json);
        QVERIFY(tree.has_value());
        QCOMPARE((*tree)->root().cell(), cell);
    }

    void refuses_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("page") << QByteArray("<html>");
        QTest::newRow("cut") << QByteArray("[1,2");
        QTest::newRow("more") << QByteArray("{} x");
        QTest::newRow("single quotes") << QByteArray("{'a':1}");
        QTest::newRow("not UTF-8") << QByteArray("\"\xFF\"");
        QTest::newRow("bad escape") << QByteArray("\"\\ud8zz\"");
        QTest::newRow("backslash at the end") << QByteArray("\"\\ud83d\\");
    }
    void refuses()
    {
        QFETCH(QByteArray, text);
        const auto tree = JsonTree::parse(text);
        QVERIFY(!tree.has_value());
        QCOMPARE(tree.error().kind, JsonError::Kind::Syntax);
        QVERIFY(tree.error().reason.startsWith("not JSON at byte "));
    }

    void bounds()
    {
        const auto nested = [](int n) -> QByteArray { return QByteArray(n, '[') + QByteArray(n, ']'); };
        QVERIFY(JsonTree::parse(nested(512)).has_value());
        for (const auto &tree :
             {JsonTree::parse(nested(513)), JsonTree::parse("[1,2,3]", {.nodes = 3}),
              JsonTree::parse("[1,[]]", {.nodes = 2}), JsonTree::parse("[1,2,3]", {.bytes = 6})}) {
            QVERIFY(!tree.has_value());
            QCOMPARE(tree.error().kind, JsonError::Kind::Limit);
            QVERIFY(!tree.error().reason.isEmpty());
        }
        QVERIFY(!JsonTree::parse(QByteArray(1'000'000, '[')).has_value());
    }

    void writerKeepsOrder()
    {
        JsonObjectWriter writer;
        QVERIFY(writer.isEmpty());
        QCOMPARE(writer.take(), QByteArray("{}"));
        writer.addText("b", "x\"y");
        writer.addRaw("a", "1.10");
        QCOMPARE(writer.take(), QByteArray("{\"b\":\"x\\\"y\",\"a\":1.10}"));
        QVERIFY(writer.isEmpty());
    }

    void fieldsAreRead()
    {
        const QVector<JsonField> fields = readFields("{\"b\":\"x\",\"a\":1.10,\"n\":null,\"l\":[\"p\"]}");
        const QVector<JsonField> expected{
            {"b", "x", "\"x\""}, {"a", "1.10", "1.10"}, {"n", "", "null"}, {"l", "[\"p\"]", "[\"p\"]"}};
        QCOMPARE(fields, expected);
        QVERIFY(readFields({}).isEmpty());
        QVERIFY(readFields("[1]").isEmpty());
        QVERIFY(readFields("{").isEmpty());
    }
};

QTEST_GUILESS_MAIN(TestJsonTree)
#include "tst_jsontree.moc"
