// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest/QtTest>
#include <random>

#include "core/settings/rate.h"

using namespace muster;

class TestRate final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void rates_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<qint64>("grants");
        QTest::addColumn<qint64>("nanos");
        constexpr qint64 s = 1'000'000'000;
        const auto row = [](const char *text, qint64 grants, qint64 nanos) {
            QTest::newRow(text) << QString::fromLatin1(text) << grants << nanos;
        };
        row("10/s", 1, s / 10);
        row("0.5/min", 1, 120 * s);
        row("1/7s", 1, 7 * s);
        row("7/10s", 7, 10 * s);
        row("50/10min", 1, 12 * s);
        row("2500/d", 1, 86400 * s / 2500);
        row("1/365d", 1, 365 * 86400 * s);
        row("1000000/s", 1, 1000);
        row("1000/ms", 1, 1000);
        row("3/1.5h", 1, 1800 * s);
        row(" 3 / 2 s ", 3, 2 * s);
        row("0.01/s", 1, 100 * s);
        row("999999.999999/s", 999999999999, 1000000 * s);
    }
    void rates()
    {
        QFETCH(QString, text);
        QFETCH(qint64, grants);
        QFETCH(qint64, nanos);
        QString why = QStringLiteral("left over");
        const auto rate = parseRate(text, &why);
        QVERIFY2(rate, qPrintable(why));
        QVERIFY(why.isEmpty());
        const qint64 common = std::gcd(grants, nanos);
        QCOMPARE(*rate, (Rate{grants / common, nanos / common}));
    }

    void wrong_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("reason");
        const auto row = [](const char *text, const char *reason) {
            QTest::newRow(text) << QString::fromLatin1(text) << QString::fromLatin1(reason);
        };
        row("", "is no rate");
        row("0/s", "0 is not a rate");
        row("0.0/min", "0 is not a rate");
        row("-1/s", "below 0");
        row("10", "a slash and a time");
        row("10/", "is no unit");
        row("10/sec", "\"sec\" is no unit");
        row("10/0s", "its time is 0");
        row("10/-1s", "is no rate");
        row("10/1e3s", "is no unit");
        row("1e3/s", "a slash and a time");
        row("x/s", "is no rate");
        row(".5/s", "is no rate");
        row("5./s", "is no rate");
        row("1.2.3/s", "a slash and a time");
        row("1/366d", "below 1 a year");
        row("1000001/s", "above 1000000");
        row("1001/ms", "above 1000000");
        row("9999999999/d", "is no rate");
        row("1.0000001/s", "is no rate");
        row("1.000001/1.000003d", "more digits");
        row("123456.789123/987654.321987d", "more digits");
        row("unlimited/s", "is no rate");
    }
    void wrong()
    {
        QFETCH(QString, text);
        QFETCH(QString, reason);
        QString why;
        const bool rate = parseRate(text, &why).has_value();
        QCOMPARE(rate, reason.isEmpty());
        QVERIFY2(why.contains(reason), qPrintable(why));
        QCOMPARE(parseRate(text).has_value(), rate);
    }

    void unlimitedIsNoMistake()
    {
        QString why = QStringLiteral("left over");
        QVERIFY(!parseRate(QStringLiteral("unlimited"), &why));
        QVERIFY(why.isEmpty());
    }

    void hugeTextIsRefusedShort()
    {
        QString why;
        QVERIFY(!parseRate(QString(1000000, QLatin1Char('x')), &why));
        QVERIFY(why.size() < 100);
        QVERIFY(!parseRate(QString(1000000, QLatin1Char('1')), &why));
        QVERIFY(why.size() < 100);
    }

    /// Law: whatever parses has the value that was written, exactly.
    void exactForRandomFractions()
    {
        const uint seed = qEnvironmentVariableIsSet("MUSTER_SEED")
                              ? qEnvironmentVariable("MUSTER_SEED").toUInt()
                              : std::random_device{}();
        qInfo("seed %u", seed);
        std::mt19937 random(seed);
        std::uniform_int_distribution<qint64> grants(1, 100000);
        std::uniform_int_distribution<qint64> spans(1, 10000);
        constexpr qint64 second = 1'000'000'000;
        int parsed = 0;
        for (int i = 0; i < 5000; ++i) {
            const qint64 hundredths = grants(random);
            const qint64 seconds = spans(random);
            const QString text = QStringLiteral("%1.%2/%3s")
                                     .arg(hundredths / 100)
                                     .arg(hundredths % 100, 2, 10, QLatin1Char('0'))
                                     .arg(seconds);
            const auto rate = parseRate(text);
            QVERIFY2(rate, qPrintable(text));
            const qint64 nanos = 100 * seconds * second;
            const qint64 common = std::gcd(hundredths, nanos);
            QCOMPARE(*rate, (Rate{hundredths / common, nanos / common}));
            ++parsed;
        }
        QCOMPARE(parsed, 5000);
    }

    void durations_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<double>("seconds");
        const auto row = [](const char *text, double seconds) {
            QTest::newRow(text) << QString::fromLatin1(text) << seconds;
        };
        row("250ms", 0.25);
        row("30s", 30);
        row("10min", 600);
        row("2h", 7200);
        row("1d", 86400);
        row("1w", 604800);
        row("90", 90);
        row("1.5h", 5400);
        row("0", 0);
        row("", -1);
        row("5m", -1);
        row("-5s", -1);
        row("1mo", -1);
        row("inf", -1);
        row("1 h 5 min", -1);
    }
    void durations()
    {
        QFETCH(QString, text);
        QFETCH(double, seconds);
        const auto parsed = parseDuration(text);
        QCOMPARE(parsed.value_or(-1), seconds);
    }
};

QTEST_GUILESS_MAIN(TestRate)
#include "tst_rate.moc"
