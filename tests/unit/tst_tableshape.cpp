// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest/QtTest>

#include "core/intake/tableshape.h"

using namespace muster;

class TestTableShape final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void foundOut_data()
    {
        QTest::addColumn<QString>("source");
        QTest::addColumn<QByteArray>("head");
        QTest::addColumn<bool>("table");
        QTest::addColumn<char>("separator");
        const auto row = [](const char *name, const char *source, const char *head, bool table,
                            char separator) {
            QTest::newRow(name) << QString::fromUtf8(source) << QByteArray(head) << table << separator;
        };
        row("list", "a.txt", "http://a.test/\nhttp://b.test/\n", false, ',');
        row("list with separators", "-", "http://a.test/a,b;c\nhttp://a.test/?u=url,url", false, ',');
        row("list of hosts", "-", "a.test\nb.test\n", false, ',');
        row("list with a comment", "-", "# url,name\nhttp://a.test/\n", false, ',');
        row("name csv", "A.CSV", "a;b\n1;2\n", true, ';');
        row("name csv.gz", "a.csv.gz", "a\tb\n", true, '\t');
        row("name tsv", "a.tsv", "a,b\tc\n", true, '\t');
        row("name tab", "a.tab", "a\n", true, '\t');
        row("column url", "-", "Name,URL\nx,y\n", true, ',');
        row("column url in quotes", "-", "\"Name\"|\" Url \"\n", true, '|');
        row("only column url", "-", "\n url \nhttp://a.test/\n", true, ',');
        row("second row has an address", "-", "name;site\nx;https://a.test/\n", true, ';');
        row("second row has another count", "-", "name;site\nx;y;https://a.test/\n", false, ';');
        row("text", "-", "name;site\nx;y\n", false, ';');
        row("separators in quotes", "a.csv", "\"a,b,c\";d\n", true, ';');
        row("line break in quotes", "a.csv", "\"a\n,,,\";d;e\n", true, ';');
        row("as frequent", "a.csv", "a|b;c\n", true, ';');
        row("empty", "-", "", false, ',');
        row("CR only", "-", "a,url\r1,2\r", true, ',');
    }
    void foundOut()
    {
        QFETCH(QString, source);
        QFETCH(QByteArray, head);
        QFETCH(bool, table);
        QFETCH(char, separator);
        const auto shape = shapeOf(head, source, InputSettings(), false);
        QVERIFY(shape.has_value());
        QCOMPARE(shape->table, table);
        QCOMPARE(shape->separator, separator);
    }

    void settingsDecide()
    {
        InputSettings input;
        QVERIFY(shapeOf("a", {}, input, true)->table);
        input.column = QStringLiteral("a");
        QVERIFY(shapeOf("a", {}, input, false)->table);
        input.format = QStringLiteral("lines");
        QVERIFY(!shapeOf("a,url", QStringLiteral("a.csv"), input, true)->table);
        input.format = QStringLiteral("csv");
        QVERIFY(shapeOf("http://a.test/", {}, input, false)->table);
        for (const auto &[text, c] :
             {std::pair("tab", '\t'), std::pair("\\t", '\t'), std::pair("\t", '\t'), std::pair("#", '#')}) {
            input.separator = QString::fromLatin1(text);
            QCOMPARE(shapeOf("a,b,c", {}, input, false)->separator, c);
        }
    }

    void problems()
    {
        InputSettings input;
        QCOMPARE(shapeOf("<?xml version", QStringLiteral("s.xml"), input, false).error().place,
                 QStringLiteral("s.xml"));
        input.format = QStringLiteral("sitemap");
        QCOMPARE(shapeOf("a", {}, input, false).error().place, QStringLiteral("input.format"));
        input.format = QStringLiteral("lines");
        QVERIFY(shapeOf("<a", {}, input, false).has_value());
        for (const char *bad : {"", ",,", "\"", "\n", "\xc3\xa9"}) {
            input.separator = QString::fromUtf8(bad);
            QCOMPARE(shapeOf("a", {}, input, false).error().place, QStringLiteral("input.separator"));
        }
    }

    void names()
    {
        using Names = QVector<QByteArray>;
        QCOMPARE(uniqueNames({"a", "a", "", "A", "a", " b "}, true),
                 Names({"a", "a.2", "column3", "A", "a.3", "b"}));
        QCOMPARE(uniqueNames({"a", "a", "a.2", "column5", ""}, true),
                 Names({"a", "a.2", "a.2.2", "column5", "column5.2"}));
        QCOMPARE(uniqueNames({" b "}, false), Names({" b "}));
        QCOMPARE(uniqueNames(Names(3), true), Names({"column1", "column2", "column3"}));
    }

    void columnOfTheAddress()
    {
        QCOMPARE(urlColumn({"a", "Url", "url"}, {}).value(), 2);
        QCOMPARE(urlColumn({"a", "URL"}, {}).value(), 1);
        QCOMPARE(urlColumn({"a"}, {}).value(), 0);
        QCOMPARE(urlColumn({"a", "url", "Site"}, QStringLiteral("site")).value(), 2);
        const auto none = urlColumn({"a%1", "b"}, {});
        QVERIFY2(
            none.error().reason.contains(QLatin1String("no column is called url; the columns are a%1, b")),
            qPrintable(none.error().reason));
        const auto wanted = urlColumn({"a", "b"}, QStringLiteral("c%1"));
        QVERIFY2(wanted.error().reason.contains(QLatin1String("no column \"c%1\"; the columns are a, b")),
                 qPrintable(wanted.error().reason));
        QCOMPARE(wanted.error().place, QStringLiteral("input.column"));
        QVERIFY(urlColumn(uniqueNames(QVector<QByteArray>(30), true), {})
                    .error()
                    .reason.endsWith(QLatin1String("column20 and 10 more")));
        QCOMPARE(listOfColumns({}), QStringLiteral("there are no columns"));
    }
};

QTEST_GUILESS_MAIN(TestTableShape)
#include "tst_tableshape.moc"
