// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest/QtTest>

#include "core/refine/typedtext.h"

using namespace muster;

class TestTypedText final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void numbers_data()
    {
        QTest::addColumn<QString>("input");
        QTest::addColumn<QString>("locale");
        QTest::addColumn<QByteArray>("expected");
        const auto row = [](const char *input, const char *locale, const char *expected) {
            QTest::addRow("%s in %s", input, locale)
                << QString::fromUtf8(input) << QString::fromUtf8(locale) << QByteArray(expected);
        };
        row("1.10", "", "1.10");
        row(" 12 ", "", "12");
        row("+5", "", "5");
        row("-0.50", "", "-0.50");
        row("007", "", "7");
        row(".5", "", "0.5");
        row("5.", "", "5");
        row("1e-3", "", "1e-3");
        row("1,234", "", "none");
        row("12 EUR", "", "none");
        row(".", "", "none");
        row("", "", "none");
        row("0x10", "", "none");
        row("1.234,56", "de", "1234.56");
        row("-1.234.567,5", "de", "-1234567.5");
        row("1,5", "de", "1.5");
        row("1,234.5", "de", "none");
        row("1,234,567.89", "en", "1234567.89");
        row("1 234,5", "fr", "1234.5");
        row("1\xE2\x80\xAF"
            "234,5",
            "fr", "1234.5");
        row("\xE2\x88\x92"
            "5,0",
            "sv", "-5.0");
    }
    void numbers()
    {
        QFETCH(QString, input);
        QFETCH(QString, locale);
        QFETCH(QByteArray, expected);
        const auto asked = locale.isEmpty() ? std::nullopt : std::optional(QLocale(locale));
        QCOMPARE(numberFromText(input, asked).value_or("none"), expected);
    }

    void dates_data()
    {
        QTest::addColumn<QString>("input");
        QTest::addColumn<QString>("locale");
        QTest::addColumn<QByteArray>("expected");
        const auto row = [](const char *input, const char *locale, const char *expected) {
            QTest::addRow("%s in %s", input, locale)
                << QString::fromUtf8(input) << QString::fromUtf8(locale) << QByteArray(expected);
        };
        row("2026-01-02", "", "2026-01-02");
        row("2026-01-02T03:04:05Z", "", "2026-01-02T03:04:05Z");
        row("2026-01-02T03:04:05.250+02:00", "", "2026-01-02T01:04:05.250Z");
        row("2026-01-02 03:04:05", "", "2026-01-02T03:04:05Z");
        row("Sun, 06 Nov 1994 08:49:37 GMT", "", "1994-11-06T08:49:37Z");
        row("6 Nov 1994 08:49:37 +0100", "", "1994-11-06T07:49:37Z");
        row("24.12.2026", "de", "2026-12-24");
        row("1.2.2026", "de", "2026-02-01");
        row("24. Dezember 2026", "de", "none");
        row("12/24/2026", "en_US", "2026-12-24");
        row("2026-02-30", "", "none");
        row("tomorrow", "", "none");
    }
    void dates()
    {
        QFETCH(QString, input);
        QFETCH(QString, locale);
        QFETCH(QByteArray, expected);
        const auto asked = locale.isEmpty() ? std::nullopt : std::optional(QLocale(locale));
        QCOMPARE(dateFromText(input, asked).value_or("none"), expected);
    }

    void datesFromNumbers()
    {
        QCOMPARE(dateFromNumber("0").value(), QByteArray("1970-01-01T00:00:00Z"));
        QCOMPARE(dateFromNumber("1700000000.5").value(), QByteArray("2023-11-14T22:13:20.500Z"));
        QCOMPARE(dateFromNumber("1700000000123").value(), QByteArray("2023-11-14T22:13:20.123Z"));
        QVERIFY(!dateFromNumber("1e300"));
    }
};

QTEST_GUILESS_MAIN(TestTypedText)
#include "tst_typedtext.moc"
