// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest/QtTest>

#include "core/intake/ranges.h"

using namespace muster;

class TestRanges final : public QObject
{
    Q_OBJECT

    static QVector<QByteArray> all(Ranges ranges)
    {
        QVector<QByteArray> out;
        QByteArray line;
        while (ranges.next(line))
            out.append(line);
        return out;
    }

private Q_SLOTS:
    void unrolls_data()
    {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<QVector<QByteArray>>("expected");
        const auto row = [](const char *name, const char *line, const QVector<QByteArray> &expected) {
            QTest::newRow(name) << QByteArray(line) << expected;
        };
        row("none", "http://a.test/", {"http://a.test/"});
        row("numbers", "a{1..3}b", {"a1b", "a2b", "a3b"});
        row("one", "{7..7}", {"7"});
        row("zeros", "{08..10}", {"08", "09", "10"});
        row("zeros grow", "{099..101}", {"099", "100", "101"});
        row("from zero", "{0..2}", {"0", "1", "2"});
        row("words", "/{a,b,c}/", {"/a/", "/b/", "/c/"});
        row("empty word", "a{,x}", {"a", "ax"});
        row("product, last fastest", "{a,b}{1..2}", {"a1", "a2", "b1", "b2"});
        row("column name stays", "a{name}b", {"a{name}b"});
        row("json stays", "?q={\"a\":1,\"b\":2}", {"?q={\"a\":1,\"b\":2}"});
        row("text before a range", "{x}{1..2}{", {"{x}1{", "{x}2{"});
        row("range inside braces", "{a{1..2}}", {"{a1}", "{a2}"});
        row("open brace", "a{1..2", {"a{1..2"});
        row("closing brace", "a}{1..2}", {"a}1", "a}2"});
        row("letters stay", "{a..c}", {"{a..c}"});
        row("negative stays", "{-1..3}", {"{-1..3}"});
        row("steps stay", "{1..9..2}", {"{1..9..2}"});
        row("empty stays", "{}{..}{1..}", {"{}{..}{1..}"});
        row("blanks stay", "{a, b}", {"{a, b}"});
    }
    void unrolls()
    {
        QFETCH(QByteArray, line);
        QFETCH(QVector<QByteArray>, expected);
        const auto ranges = Ranges::parse(line);
        QVERIFY(ranges.has_value());
        QCOMPARE(ranges->count(), expected.size());
        QCOMPARE(all(*ranges), expected);
    }

    void refuses_data()
    {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<QString>("reason");
        QTest::newRow("down") << QByteArray("{3..1}") << QStringLiteral("{3..1} goes down");
        QTest::newRow("too many") << QByteArray("{0..10000000}")
                                  << QStringLiteral("more than 10,000,000 rows");
        QTest::newRow("product") << QByteArray("{1..5000}{1..5000}") << QStringLiteral("25,000,000 rows");
        QTest::newRow("digits") << QByteArray("{1..1000000000000000000}") << QStringLiteral("18 digits");
    }
    void refuses()
    {
        QFETCH(QByteArray, line);
        QFETCH(QString, reason);
        const auto ranges = Ranges::parse(line);
        QVERIFY(!ranges.has_value());
        QVERIFY2(ranges.error().contains(reason), qPrintable(ranges.error()));
    }

    void theMostIsMadeOneAtATime()
    {
        auto ranges = Ranges::parse("{0..999}{0000..9999}");
        QVERIFY(ranges.has_value());
        QCOMPARE(ranges->count(), Ranges::maxRows);
        QByteArray line;
        for (int i = 0; i < 10'001; ++i)
            QVERIFY(ranges->next(line));
        QCOMPARE(line, "10000");
    }
};

QTEST_GUILESS_MAIN(TestRanges)
#include "tst_ranges.moc"
