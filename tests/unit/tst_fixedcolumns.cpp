// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <QtTest/QtTest>

#include "core/report/fixedcolumns.h"
#include "core/settings/exportcolumns.h"

using namespace muster;

class TestFixedColumns final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    /// `check` keeps fields off these names, the report writes them: two tables, because settings may not
    /// know the report, and one list of names.
    void settingsAndReportNameTheSame()
    {
        const auto columns = fixedColumns(ExportWhat::Rows);
        QVERIFY(std::equal(
            columns.begin(), columns.end(), fixedExportColumns.begin(), fixedExportColumns.end(),
            [](const FixedColumn &column, const char *name) { return qstrcmp(column.name, name) == 0; }));
        QCOMPARE(fixedColumns(ExportWhat::Jobs).data(), columns.data());
    }

    void namesAreKnownInAnyCase()
    {
        for (const char *name : fixedExportColumns) {
            QVERIFY2(isFixedExportColumn(QString::fromLatin1(name)), name);
            QVERIFY2(isFixedExportColumn(QString::fromLatin1(name).toUpper()), name);
        }
        QVERIFY(!isFixedExportColumn(u"rows"));
        QVERIFY(!isFixedExportColumn(u""));
    }

    void noNameTwice_data()
    {
        QTest::addColumn<ExportWhat>("what");
        QTest::newRow("rows") << ExportWhat::Rows;
        QTest::newRow("attempts") << ExportWhat::Attempts;
        QTest::newRow("failures") << ExportWhat::Failures;
    }
    void noNameTwice()
    {
        QFETCH(ExportWhat, what);
        QSet<QByteArray> seen;
        for (const FixedColumn &column : fixedColumns(what)) {
            QVERIFY2(!seen.contains(column.name), column.name);
            seen.insert(column.name);
        }
        QVERIFY(!seen.isEmpty());
    }

    void whatNobodyKnowsHasNoColumns() { QVERIFY(fixedColumns(static_cast<ExportWhat>(99)).empty()); }

    void times_data()
    {
        QTest::addColumn<qint64>("ms");
        QTest::addColumn<QByteArray>("expected");
        QTest::newRow("before the epoch") << qint64(-1) << QByteArray("1969-12-31T23:59:59.999Z");
        QTest::newRow("none") << qint64(0) << QByteArray();
        QTest::newRow("first") << qint64(1) << QByteArray("1970-01-01T00:00:00.001Z");
        QTest::newRow("leap day") << qint64(1'709'164'800'000) << QByteArray("2024-02-29T00:00:00.000Z");
        QTest::newRow("last of a year")
            << qint64(1'798'761'599'999) << QByteArray("2026-12-31T23:59:59.999Z");
    }
    void times()
    {
        QFETCH(qint64, ms);
        QByteArray out;
        appendTime(utcFromMs(ms), out);
        QTEST(out, "expected");
    }
};

Q_DECLARE_METATYPE(muster::ExportWhat)
QTEST_GUILESS_MAIN(TestFixedColumns)
#include "tst_fixedcolumns.moc"
