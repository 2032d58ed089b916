// SPDX-License-Identifier: GPL-3.0-or-later
#include <clocale>
#include <QtTest/QtTest>

#include "core/report/celltext.h"
#include "core/report/csvwriter.h"

using namespace muster;

namespace {

ColumnPlan planOf(const QVector<QByteArray> &fields)
{
    const auto plan =
        ColumnPlan::make(fixedColumns(ExportWhat::Rows), {}, fields, {QStringLiteral("@fields")});
    if (!plan)
        qFatal("%s", qPrintable(sentence(plan.error())));
    return *plan;
}

ExportCell cellOf(const QByteArray &text, bool fromNet)
{
    ExportCell cell;
    cell.text = text;
    cell.present = true;
    cell.fromNet = fromNet;
    return cell;
}

/// An independent reader of RFC 4180: cells of all lines, the head left out.
QVector<QVector<QByteArray>> readBack(const QByteArray &csv, char separator)
{
    QVector<QVector<QByteArray>> rows;
    QVector<QByteArray> row;
    QByteArray cell;
    bool quoted = false;
    for (qsizetype i = 0; i < csv.size(); ++i) {
        const char c = csv[i];
        if (quoted) {
            if (c != '"')
                cell += c;
            else if (i + 1 < csv.size() && csv[i + 1] == '"')
                cell += csv[++i];
            else
                quoted = false;
        } else if (c == '"' && cell.isEmpty()) {
            quoted = true;
        } else if (c == separator) {
            row.append(std::exchange(cell, {}));
        } else if (c == '\r' && i + 1 < csv.size() && csv[i + 1] == '\n') {
            ++i;
            row.append(std::exchange(cell, {}));
            rows.append(std::exchange(row, {}));
        } else {
            cell += c;
        }
    }
    return rows.sliced(1);
}

} // namespace

class TestCsvWriter final : public QObject
{
    Q_OBJECT

private:
    /// One net cell through a writer; the head is cut off.
    QByteArray written(const QByteArray &cell, CsvWriter &writer, bool fromNet = true)
    {
        const ColumnPlan plan = planOf({"f", "g"});
        QVector<ExportCell> cells{cellOf(cell, fromNet), cellOf("z", false)};
        QByteArray out;
        writer.row(plan, cells, out);
        return out;
    }

private Q_SLOTS:
    void formulas_data()
    {
        QTest::addColumn<QByteArray>("cell");
        QTest::addColumn<bool>("guarded");
        const auto row = [](const char *cell, bool guarded) {
            QTest::addRow("CS-01 %s", cell) << QByteArray(cell) << guarded;
        };
        row("=1+1", true);
        row("=cmd|' /C calc'!A0", true);
        row("+1", false); // a plain number
        row("-5.00", false);
        row("-1,234.56", false);
        row("-1.234,56", false);
        row("-.5", false);
        row("+1e-3", false);
        row(" -5", false);
        row("-2+3", true);
        row("-5.", true);
        row("-", true);
        row("-1e", true);
        row("--1", true);
        row("@x", true);
        row("\t=1", true);
        row("\r=1", true);
        row("\n1", true);
        row(" =1", true);
        row("\xC2\xA0=1", true);
        row("\xEF\xBC\x9D"
            "1",
            true); // full-width
        row("\xEF\xBC\x8B"
            "1",
            true);
        row("\xEF\xBC\x8D"
            "1",
            true);
        row("\xEF\xBC\xA0"
            "1",
            true);
        row("-- note", true);
        row("'-- note'", false);
        row("a=1", false);
        row("1+1", false);
        row("\xC3\xA4=1", false);
        row("   ", false);
        row("", false);
    }
    void formulas()
    {
        QFETCH(QByteArray, cell);
        QFETCH(bool, guarded);
        CsvWriter writer(",", false, true);
        const QVector<QVector<QByteArray>> back = readBack("h\r\n" + written(cell, writer), ',');
        QCOMPARE(back.front().front(), QByteArray(guarded ? "'" + cell : cell));
        QCOMPARE(writer.guarded(), guarded ? 1 : 0);
        // The switch gives what came, and input cells are never touched.
        CsvWriter raw(",", false, false);
        QCOMPARE(readBack("h\r\n" + written(cell, raw), ',').front().front(), cell);
        QCOMPARE(readBack("h\r\n" + written(cell, writer, false), ',').front().front(), cell);
        QCOMPARE(raw.guarded(), 0);
    }

    // CS-02
    void bytesDoNotDependOnTheLocale_data()
    {
        QTest::addColumn<QByteArray>("separator");
        QTest::addColumn<bool>("bom");
        for (const char *separator : {",", ";", "\t"})
            for (const bool bom : {false, true})
                QTest::addRow("CS-02 %d %d", separator[0], bom) << QByteArray(separator) << bom;
    }
    void bytesDoNotDependOnTheLocale()
    {
        QFETCH(QByteArray, separator);
        QFETCH(bool, bom);
        const QVector<QByteArray> texts{"\xC3\xA4\xC3\xB6\xC3\xBC", "22.5", "1234567.89", "a;b,c\td"};
        const ColumnPlan plan = planOf({"\xC3\xA4", "b", "c", "d"});
        const auto make = [&] {
            CsvWriter writer(separator, bom, true);
            QByteArray out;
            writer.begin(plan, out);
            QVector<ExportCell> cells;
            for (const QByteArray &text : texts)
                cells.append(cellOf(text, true));
            writer.row(plan, cells, out);
            return out;
        };
        const QByteArray here = make();
        const QByteArray before = std::setlocale(LC_ALL, nullptr);
        const QLocale defaultBefore;
        std::setlocale(LC_ALL, "de_DE.UTF-8");
        QLocale::setDefault(QLocale(QStringLiteral("de_DE")));
        const QByteArray there = make();
        std::setlocale(LC_ALL, before.constData());
        QLocale::setDefault(defaultBefore);
        QCOMPARE(there, here);
        QCOMPARE(here.startsWith("\xEF\xBB\xBF"), bom);
        QVERIFY(!here.contains("sep="));
        QVERIFY(here.contains(
            QByteArray(separator + "22.5" + separator + "1234567.89" + separator + "\"a;b,c\td\"\r\n")));
        QCOMPARE(readBack(here, separator[0]).front(), texts);
    }

    // CS-03
    void lineBreaksAndQuotes()
    {
        const QVector<QByteArray> texts{"a\nb",
                                        "a\rb",
                                        "a\r\nb",
                                        "\"\"\"",
                                        "x\n",
                                        "a\xE2\x80\xA8"
                                        "b",
                                        "one\ntwo\nthree",
                                        "\"",
                                        ""};
        CsvWriter writer(",", false, false);
        const ColumnPlan plan = planOf({"f"});
        QByteArray out;
        writer.begin(plan, out);
        for (const QByteArray &text : texts) {
            QVector<ExportCell> cells{cellOf(text, true)};
            writer.row(plan, cells, out);
        }
        const auto rows = readBack(out, ',');
        QCOMPARE(rows.size(), texts.size());
        for (qsizetype i = 0; i < rows.size(); ++i)
            QCOMPARE(rows[i], QVector<QByteArray>{texts[i]});
        QVERIFY(out.endsWith("\"\"\r\n")); // an empty line is no row
    }

    void cleanses_data()
    {
        QTest::addColumn<QByteArray>("cell");
        QTest::addColumn<QByteArray>("expected");
        QTest::addColumn<int>("count");
        const QByteArray r("\xEF\xBF\xBD");
        QTest::newRow("CS-04 NUL") << QByteArray("a\0b", 3) << QByteArray("a" + r + "b") << 1;
        QTest::newRow("CS-04 substitute") << QByteArray("\x1A") << r << 1;
        QTest::newRow("CS-04 U+FFFE") << QByteArray("a\xEF\xBF\xBE") << QByteArray("a" + r) << 1;
        QTest::newRow("CS-04 surrogate") << QByteArray("\xED\xA0\x80z") << QByteArray(r + "z") << 1;
        QTest::newRow("CS-04 FF FE") << QByteArray("\xFF\xFE") << QByteArray(r + r) << 2;
        QTest::newRow("cut sequence") << QByteArray("\xE2\x82") << QByteArray(r + r) << 2;
        QTest::newRow("overlong") << QByteArray("\xC0\xAF") << QByteArray(r + r) << 2;
        QTest::newRow("beyond Unicode") << QByteArray("\xF4\x90\x80\x80") << QByteArray(r + r + r + r) << 4;
        QTest::newRow("C1") << QByteArray("a\xC2\x85"
                                          "b")
                            << QByteArray("a" + r + "b") << 1;
        QTest::newRow("DEL") << QByteArray("\x7F") << r << 1;
        QTest::newRow("good") << QByteArray("\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80\t\r\n")
                              << QByteArray("\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80\t\r\n") << 0;
    }
    void cleanses()
    {
        QFETCH(QByteArray, cell);
        QFETCH(QByteArray, expected);
        QFETCH(int, count);
        QByteArray text = cell;
        QCOMPARE(cleanse(text, true), count);
        QVERIFY(text.isValidUtf8());
        // A broken sequence of one surrogate's three bytes counts once: it was one character.
        QCOMPARE(text, expected);
        CsvWriter writer(",", false, true);
        QVERIFY(written(cell, writer).endsWith(",z\r\n"));
        QCOMPARE(writer.replaced(), count);
    }

    void inputCellsKeepTheirControls()
    {
        QByteArray text("a\0\x1A"
                        "b",
                        4);
        const QByteArray before = text;
        QCOMPARE(cleanse(text, false), 0);
        QCOMPARE(text, before);
        text = "\xFFz";
        QCOMPARE(cleanse(text, false), 1);
    }

    // CS-07
    void idsAreExact()
    {
        for (const char *id : {"9912140633506421", "0000025", "73928e03", "1/2", "2024-01-02", "TRUE"}) {
            CsvWriter writer(",", false, true);
            QCOMPARE(written(id, writer), QByteArray(id + QByteArray(",z\r\n")));
        }
    }

    void headsAreQuotedToo()
    {
        CsvWriter writer(",", false, true);
        QByteArray out;
        writer.begin(planOf({"a,b", "c\"d"}), out);
        QCOMPARE(out, QByteArray("\"a,b\",\"c\"\"d\"\r\n"));
    }
};

QTEST_GUILESS_MAIN(TestCsvWriter)
#include "tst_csvwriter.moc"
