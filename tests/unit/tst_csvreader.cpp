// SPDX-License-Identifier: GPL-3.0-or-later
#include <QBuffer>
#include <QRandomGenerator>
#include <QtTest/QtTest>

#include "core/intake/csvreader.h"
#include "core/intake/linereader.h"

using namespace muster;

namespace {

using Cells = QVector<QByteArray>;
using Rows = QVector<Cells>;

QVector<CsvReader::Row> read(QByteArray text, char separator = ',', bool trim = true)
{
    QBuffer device(&text);
    device.open(QIODevice::ReadOnly);
    InputBytes bytes(device);
    TextBuffer buffer(bytes, "UTF-8", true);
    CsvReader reader(buffer, separator, trim);
    QVector<CsvReader::Row> out;
    CsvReader::Row row;
    while (reader.next(row))
        out.append(row);
    return out;
}

Rows good(const QVector<CsvReader::Row> &rows)
{
    Rows out;
    for (const CsvReader::Row &row : rows)
        if (row.refused.isEmpty())
            out.append(row.cells);
    return out;
}

QVector<qint64> refusedLines(const QVector<CsvReader::Row> &rows)
{
    QVector<qint64> out;
    for (const CsvReader::Row &row : rows)
        if (!row.refused.isEmpty())
            out.append(row.line);
    return out;
}

QByteArray written(const Rows &rows, char separator, QByteArrayView end)
{
    QByteArray out;
    for (const Cells &cells : rows) {
        for (qsizetype i = 0; i < cells.size(); ++i) {
            QByteArray cell = cells[i];
            out += i > 0 ? QByteArray(1, separator) : QByteArray();
            out += '"' + cell.replace('"', "\"\"") + '"';
        }
        out += end;
    }
    return out;
}

} // namespace

class TestCsvReader final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void reads_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<Rows>("rows");
        QTest::addColumn<QVector<qint64>>("refused");
        const auto row = [](const char *name, const QByteArray &text, const Rows &rows,
                            const QVector<qint64> &refused = {}) {
            QTest::newRow(name) << text << rows << refused;
        };
        row("plain", "a,b\n1,2\n", {{"a", "b"}, {"1", "2"}});
        row("CRLF", "a,b\r\n1,2\r\n", {{"a", "b"}, {"1", "2"}});
        row("CR", "a,b\r1,2\r", {{"a", "b"}, {"1", "2"}});
        row("no end", "a,b\n1,2", {{"a", "b"}, {"1", "2"}});
        row("ends with a separator", "a,\n,", {{"a", ""}, {"", ""}});
        row("blank lines", "\na\n\r\n  \n\"\"\nb\n", {{"a"}, {""}, {"b"}});
        row("CS-03 LF", "\"a\nb\",c", {{"a\nb", "c"}});
        row("CS-03 CR", "\"a\rb\",c", {{"a\rb", "c"}});
        row("CS-03 CRLF", "\"a\r\nb\",c", {{"a\r\nb", "c"}});
        row("CS-03 only quotes", "\"\"\"\"\"\"\"\",c", {{"\"\"\"", "c"}});
        row("CS-03 trailing LF", "\"a\n\"\nb", {{"a\n"}, {"b"}});
        row("CS-03 U+2028",
            "a\xe2\x80\xa8"
            "b\nc",
            {{"a\xe2\x80\xa8"
              "b"},
             {"c"}});
        row("CS-03 title of three lines", "1,\"one\ntwo\nthree\"\n2,x",
            {{"1", "one\ntwo\nthree"}, {"2", "x"}});
        row("separator in quotes", "\"a,b\",\"\"", {{"a,b", ""}});
        row("blanks around quotes", " \"a\" ,\t\"b\" \n", {{"a", "b"}});
        row("blanks of a cell stay", " a , b\n", {{" a ", " b"}});
        row("NUL stays", QByteArray("a\0b,c", 5), {{QByteArray("a\0b", 3), "c"}});
        row("quote in the middle", "a,b\n5\" pipe,x\n1,2\n", {{"a", "b"}, {"1", "2"}}, {2});
        row("text after the quote", "\"a\"b,c\n1,2\n", {{"1", "2"}}, {1});
        row("never closed", "a\n\"b\nc\nd\n", {{"a"}, {"c"}, {"d"}}, {2});
        row("never closed, at the end", "a\n\"b", {{"a"}}, {2});
        row("eats nothing behind it", "1,\"abc\n2,\"def\"\n3,ghi\n", {{"2", "def"}, {"3", "ghi"}}, {1});
        row("CRLF after a refused one", "x\"y\r\na,b\r\n", {{"a", "b"}}, {1});
        row("CR after a refused one", "x\"y\ra,b\r", {{"a", "b"}}, {1});
        row("lines counted in quotes", "\"a\r\n\r\nb\"\r\nx\"\r\n", {{"a\r\n\r\nb"}}, {4});
        row("empty", "", {});
        row("only blank", "\n\n", {});
    }
    void reads()
    {
        QFETCH(QByteArray, text);
        QFETCH(Rows, rows);
        QFETCH(QVector<qint64>, refused);
        const auto got = read(text);
        QCOMPARE(good(got), rows);
        QCOMPARE(refusedLines(got), refused);
        for (const CsvReader::Row &row : got)
            QVERIFY(row.refused.isEmpty() || row.refused.contains(QLatin1String("; ")));
    }

    void separatorsAndTrim()
    {
        QCOMPARE(good(read("a\tb\n \"x\" \ty\n", '\t')), Rows({{"a", "b"}, {"x", "y"}}));
        QCOMPARE(refusedLines(read(" \"x\",y\n", ',', false)), QVector<qint64>({1}));
        QCOMPARE(good(read("\"x\",y\n", ',', false)), Rows({{"x", "y"}}));
    }

    void writtenThenRead()
    {
        bool given = false;
        quint32 seed = qEnvironmentVariable("MUSTER_SEED").toUInt(&given);
        seed = given ? seed : QRandomGenerator::system()->generate();
        qInfo("MUSTER_SEED=%u", seed);
        QRandomGenerator random(seed);
        const QVector<QByteArray> parts{"a", "\"", "\n", "\r", "\r\n", ",", ";", "\t", " ", "\xc3\xa9", "0"};
        for (int i = 0; i < 1500; ++i) {
            Rows rows(random.bounded(1, 6));
            for (Cells &cells : rows) {
                cells.resize(random.bounded(1, 5));
                for (QByteArray &cell : cells)
                    for (int n = random.bounded(6); n > 0; --n)
                        cell += parts[random.bounded(int(parts.size()))];
            }
            const char separator = ",;\t|"[random.bounded(4)];
            const QByteArray end = QVector<QByteArray>{"\n", "\r\n", "\r"}[random.bounded(3)];
            QCOMPARE(good(read(written(rows, separator, end), separator, random.bounded(2))), rows);
        }
    }

    // A stray quote costs one line, whatever surrounds it.
    void aStrayQuoteCostsOneLine()
    {
        QByteArray text;
        for (int i = 0; i < 2000; ++i)
            text += i == 1000 ? QByteArray("1000,\"stray\n") : QByteArray::number(i) + ",x\n";
        const auto rows = read(text);
        QCOMPARE(rows.size(), 2000);
        QCOMPARE(refusedLines(rows), QVector<qint64>({1001}));
        QCOMPARE(rows.last().line, 2000);
    }

    void aRowHasALimit()
    {
        const QByteArray lines = QByteArray("just,a,line\n").repeated(CsvReader::maxRow / 12 + 100'000);
        const auto rows = read("\"open\n" + lines);
        QCOMPARE(refusedLines(rows), QVector<qint64>({1}));
        QVERIFY(rows.first().refused.contains(QLatin1String("4,194,304")));
        QCOMPARE(rows.size(), CsvReader::maxRow / 12 + 100'001);
        const auto one = read(QByteArray(CsvReader::maxRow + 500'000, 'x') + "\na,b\n");
        QCOMPARE(refusedLines(one), QVector<qint64>({1}));
        QCOMPARE(one.last().cells, Cells({"a", "b"}));
        QCOMPARE(one.last().line, 2);
    }

    void longLines()
    {
        QByteArray text = QByteArray(LineReader::maxLine + 500'000, 'x') + "\r\nb\rc\n\nd";
        QBuffer device(&text);
        device.open(QIODevice::ReadOnly);
        InputBytes bytes(device);
        TextBuffer buffer(bytes, "UTF-8", true);
        LineReader reader(buffer);
        QVERIFY(reader.next() && reader.tooLong() && reader.number() == 1);
        QStringList rest;
        while (reader.next())
            rest += QString::number(reader.number()) + QString::fromUtf8(reader.line());
        QCOMPARE(rest.join(QLatin1Char(' ')), QStringLiteral("2b 3c 4 5d"));
        QByteArray endless(LineReader::maxLine + 500'000, 'x');
        QBuffer other(&endless);
        other.open(QIODevice::ReadOnly);
        InputBytes otherBytes(other);
        TextBuffer otherBuffer(otherBytes, "UTF-8", true);
        LineReader last(otherBuffer);
        QVERIFY(last.next() && last.tooLong());
        QVERIFY(!last.next());
    }
};

QTEST_GUILESS_MAIN(TestCsvReader)
#include "tst_csvreader.moc"
