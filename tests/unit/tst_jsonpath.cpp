// SPDX-License-Identifier: GPL-3.0-or-later
#include <QFile>
#include <QtTest/QtTest>

#include "core/refine/jsonpath.h"
#include "core/refine/jsonpathvalue.h"

using namespace muster;

namespace {

QByteArray canonical(JsonValue v);

QByteArray list(const QVector<JsonValue> &values)
{
    QByteArray out = "[";
    for (const JsonValue &v : values)
        out += canonical(v) + ',';
    return out + ']';
}

/// Members sorted and numbers as doubles: what the suite compares by.
QByteArray canonical(JsonValue v)
{
    if (v.type() == JsonValue::Type::Number)
        return QByteArray::number(v.text().toByteArray().toDouble(), 'g', 17);
    if (!v.isContainer())
        return v.json();
    QVector<JsonValue> elements;
    QMap<QByteArray, QByteArray> members;
    for (qsizetype i = 0; i < v.size(); ++i) {
        elements.append(v.at(i));
        members[v.name(i).toByteArray()] = canonical(v.at(i));
    }
    if (v.type() == JsonValue::Type::Array)
        return list(elements);
    QByteArray out = "{";
    for (auto it = members.cbegin(); it != members.cend(); ++it)
        out += it.key() + ':' + it.value() + ',';
    return out + '}';
}

std::shared_ptr<const JsonTree> readSuite()
{
    // The suite (github.com/jsonpath-standard) is kept beside the source tree; our own cases travel with it.
    const QStringList places{qEnvironmentVariable("MUSTER_JSONPATH_CTS"),
                             QStringLiteral(MUSTER_SOURCE_DIR "/../shared/data/jsonpath-cts.json"),
                             QStringLiteral(MUSTER_SOURCE_DIR "/../../shared/data/jsonpath-cts.json"),
                             QStringLiteral(MUSTER_TEST_DATA "/jsonpath-cts.json"),
                             QStringLiteral(MUSTER_TEST_DATA "/jsonpath-own.json")};
    for (const QString &place : places) {
        QFile file(place);
        if (place.isEmpty() || !file.open(QIODevice::ReadOnly))
            continue;
        if (place.endsWith(QLatin1String("own.json")))
            qInfo("The compliance suite is not there; our own cases run: %s", qPrintable(place));
        const auto tree = JsonTree::parse(file.readAll());
        return tree ? *tree : nullptr;
    }
    return nullptr;
}

} // namespace

class TestJsonPath final : public QObject
{
    Q_OBJECT

private:
    std::shared_ptr<const JsonTree> m_suite;

private Q_SLOTS:
    void initTestCase()
    {
        m_suite = readSuite();
        QVERIFY(m_suite);
    }

    void suite_data()
    {
        QTest::addColumn<int>("index");
        const JsonValue tests = m_suite->root().member("tests");
        QVERIFY(tests.size() > 30);
        for (qsizetype i = 0; i < tests.size(); ++i)
            QTest::newRow(tests.at(i).member("name").cell().constData()) << int(i);
    }
    void suite()
    {
        QFETCH(int, index);
        const JsonValue test = m_suite->root().member("tests").at(index);
        const auto path = JsonPath::parse(QString::fromUtf8(test.member("selector").text()));
        QCOMPARE(path.has_value(), test.member("invalid_selector").type() != JsonValue::Type::True);
        if (!path) {
            QVERIFY(!path.error().reason.isEmpty());
            QVERIFY(!path.error().mend.isEmpty());
            return;
        }
        const auto document = JsonTree::parse(test.member("document").json());
        QVERIFY(document.has_value());
        const auto found = path->find(**document);
        QVERIFY(found.has_value());
        QVector<QByteArray> right;
        if (test.member("result").exists())
            right.append(canonical(test.member("result")));
        for (qsizetype i = 0; i < test.member("results").size(); ++i)
            right.append(canonical(test.member("results").at(i)));
        QVERIFY(!right.isEmpty());
        QVERIFY2(right.contains(list(*found)), list(*found).constData());
    }

    void problemsNameThePlace_data()
    {
        QTest::addColumn<QString>("path");
        QTest::addColumn<int>("at");
        const auto row = [](const char *path, int at) {
            QTest::newRow(path) << QString::fromUtf8(path) << at;
        };
        row("", 0);
        row("a.b", 0);
        row("$.ä.1", 4);
        row("$.a[?@.b==]", 10);
        row("$.a[1", 5);
        row("$['a", 2);
        row("$.a[?foo(@)]", 8);
        row("$[?count(1)>0]", 11);
        row("$[?match(@.a, '(')]", 18);
        row("$[?match(@.a, '(*LIMIT_MATCH=1)a')]", 34);
        row("$[?@..a==1]", 10);
        row("$[?1]", 3);
        row("$[?!@.a==1]", 10);
        row("$[01]", 2);
        row("$['\\ud800']", 9);
        row("$[9007199254740992]", 2);
    }
    void problemsNameThePlace()
    {
        QFETCH(QString, path);
        QFETCH(int, at);
        const auto parsed = JsonPath::parse(path);
        QVERIFY(!parsed.has_value());
        QCOMPARE(int(parsed.error().at), at);
        QVERIFY(parsed.error().mend.contains(QString::number(at + 1)));
    }

    void hostileQueriesAreRefused()
    {
        const QString deep =
            QStringLiteral("$[?") + QString(100'000, QLatin1Char('(')) + QStringLiteral("@.a");
        QVERIFY(JsonPath::parse(deep).error().reason.contains(QLatin1String("nested deeper")));
        QString calls = QStringLiteral("$[?");
        for (int i = 0; i < 10'000; ++i)
            calls += QStringLiteral("length(");
        QVERIFY(!JsonPath::parse(calls).has_value());
        QString filters = QStringLiteral("$");
        for (int i = 0; i < 10'000; ++i)
            filters += QStringLiteral("[?@");
        QVERIFY(!JsonPath::parse(filters).has_value());
    }

    void boundsAreErrors()
    {
        QByteArray wide = "[";
        for (int i = 0; i < 2000; ++i)
            wide += "{\"a\":[1,2,3],\"t\":\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!\",\"r\":\"(a+)+$\"},";
        wide.back() = ']';
        const auto tree = *JsonTree::parse(wide);
        const auto find = [&tree](const char *path, const JsonPathLimits &limits) {
            return JsonPath::parse(QString::fromUtf8(path))->find(*tree, limits);
        };
        QVERIFY(find("$..*", {.steps = 1000}).error().contains(QLatin1String("steps")));
        QVERIFY(find("$..*", {.nodes = 1000}).error().contains(QLatin1String("values")));
        QVERIFY(!find("$[?@.a==$[0].a]", {.steps = 5000}).has_value());
        QVERIFY(!find("$[?count($..*)>1]", {.steps = 500'000}).has_value()); // quadratic
        QVERIFY(find("$[?search(@.t,'(a+)+$')]", {}).error().contains(QLatin1String("costly")));
        QVERIFY(find("$[?search(@.t,@.r)]", {}).error().contains(QLatin1String("costly")));
        QVERIFY(!find("$[?search(@.t,'a')]", {.regexTime = std::chrono::milliseconds(0)}).has_value());
        QCOMPARE(find("$[?search(@.t,'a')]", {})->size(), 2000);
        QCOMPARE(find("$[?match(@.t,$[0].t)]", {})->size(), 2000);
        QCOMPARE(find("$[?match(@.t,@.a)]", {})->size(), 0);
    }

    void numbersKeepTheirDigits()
    {
        const auto tree =
            *JsonTree::parse("[{\"id\":12345678901234567890,\"p\":1.10},{\"id\":12345678901234567891}]");
        const auto found = JsonPath::parse(QStringLiteral("$[?@.id>12345678901234567890].id"))->find(*tree);
        QCOMPARE(list(*found).isEmpty(), false);
        QCOMPARE(found->size(), 1);
        QCOMPARE(found->front().cell(), QByteArray("12345678901234567891"));
        QCOMPARE(JsonPath::parse(QStringLiteral("$[0].p"))->find(*tree)->front().cell(), QByteArray("1.10"));
    }

    void comparesNumbers_data()
    {
        QTest::addColumn<QByteArray>("a");
        QTest::addColumn<QByteArray>("b");
        QTest::addColumn<int>("expected");
        const auto row = [](const char *a, const char *b, int expected) {
            QTest::addRow("%s %s", a, b) << QByteArray(a) << QByteArray(b) << expected;
        };
        row("0", "-0", 0);
        row("1", "1.0", 0);
        row("-2", "-10", 1);
        row("-2", "1", -1);
        row("2", "10", -1);
        row("1e2", "100", 0);
        row("99999999999999999999", "99999999999999999998", 1);
        row("-99999999999999999999", "-99999999999999999998", -1);
    }
    void comparesNumbers()
    {
        QFETCH(QByteArray, a);
        QFETCH(QByteArray, b);
        QFETCH(int, expected);
        QCOMPARE(jsonpath::compareNumbers(a, b), expected);
        QCOMPARE(jsonpath::compareNumbers(b, a), -expected);
    }

    // The example of RFC 6901, section 5.
    void pointers_data()
    {
        QTest::addColumn<QString>("pointer");
        QTest::addColumn<QByteArray>("expected");
        const auto row = [](const char *pointer, const char *expected) {
            QTest::newRow(pointer) << QString::fromUtf8(pointer) << QByteArray(expected);
        };
        row("/foo", "[\"bar\",\"baz\"]");
        row("/foo/0", "\"bar\"");
        row("/", "0");
        row("/a~1b", "1");
        row("/c%d", "2");
        row("/e^f", "3");
        row("/g|h", "4");
        row("/i\\j", "5");
        row("/k\"l", "6");
        row("/ ", "7");
        row("/m~0n", "8");
        row("/m~01", "9");
        row("/foo/2", "absent");
        row("/foo/-", "absent");
        row("/foo/00", "absent");
        row("/foo/+1", "absent");
        row("/foo/-1", "absent");
        row("/foo/x", "absent");
        row("/foo/0/x", "absent");
        row("/none", "absent");
    }
    void pointers()
    {
        QFETCH(QString, pointer);
        QFETCH(QByteArray, expected);
        const auto tree =
            *JsonTree::parse("{\"foo\":[\"bar\",\"baz\"],\"\":0,\"a/b\":1,\"c%d\":2,\"e^f\":3,"
                             "\"g|h\":4,\"i\\\\j\":5,\"k\\\"l\":6,\" \":7,\"m~n\":8,\"m~1\":9}");
        const auto parsed = JsonPointer::parse(pointer);
        QVERIFY(parsed.has_value());
        const JsonValue found = parsed->find(*tree);
        QCOMPARE(found.exists() ? found.json() : QByteArray("absent"), expected);
        QVERIFY(JsonPointer::parse({})->find(*tree).isSamePlace(tree->root()));
    }

    void badPointers()
    {
        QCOMPARE(int(JsonPointer::parse(QStringLiteral("foo")).error().at), 0);
        QCOMPARE(int(JsonPointer::parse(QStringLiteral("/a~")).error().at), 2);
        QCOMPARE(int(JsonPointer::parse(QStringLiteral("/a~2b")).error().at), 2);
    }
};

QTEST_GUILESS_MAIN(TestJsonPath)
#include "tst_jsonpath.moc"
