// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest/QtTest>

#include "core/net/retryafter.h"

using namespace muster;

class TestRetryAfter final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void reads_data()
    {
        QTest::addColumn<QByteArray>("value");
        QTest::addColumn<QByteArray>("date");
        QTest::addColumn<qint64>("seconds"); // -1: nothing
        const QByteArray server = "Sun, 06 Nov 1994 08:49:37 GMT";
        const auto row = [&](const char *name, const char *value, qint64 seconds,
                             const QByteArray &date = {}) {
            QTest::newRow(name) << QByteArray(value) << date << seconds;
        };
        row("seconds", "7", 7);
        row("zero", "0", 1);
        row("leading zeros", "007", 7);
        row("RA-01 IMF", "Sun, 06 Nov 1994 08:51:07 GMT", 90, server);
        row("RA-01 RFC 850", "Sunday, 06-Nov-94 08:51:07 GMT", 90, server);
        row("RA-01 asctime", "Sun Nov  6 08:51:07 1994", 90, server);
        row("against our clock", "Sun, 06 Nov 1994 09:00:10 GMT", 10);
        row("server an hour off", "Sun, 06 Nov 1994 07:00:30 GMT", 30, "Sun, 06 Nov 1994 07:00:00 GMT");
        row("past", "Sun, 06 Nov 1994 08:00:00 GMT", 1, server);
        row("unreadable Date", "Sun, 06 Nov 1994 09:00:10 GMT", 10, "yesterday");
        row("RA-02 a day", "86400", 86400);
        row("RA-02 weeks", "2200000", 2'200'000);
        row("RA-02 overflow", "99999999999999999999", qint64(3650) * 86400);
        row("RA-02 year 9999", "Fri, 31 Dec 9999 23:59:59 GMT", qint64(3650) * 86400, server);
        for (const char *bad : {"-1",
                                "-5",
                                "1.5",
                                "+3",
                                "120junk",
                                "",
                                "0x10",
                                "soon",
                                "1e12",
                                "\xd9\xa1\xd9\xa2",
                                "Sun, 32 Nov 1994 08:49:37 GMT",
                                "Sun, 06 Nov 1994 08:49 GMT",
                                "Sun, 06 Foo 1994 08:49:37 GMT",
                                "Sun, 06 Nov 1994 08:49:37 CET",
                                "Sunday, 06-Nov-1994 08:49:37 GMT",
                                "Sun, 06",
                                "Sun",
                                "Sun,",
                                "Sun Nov 6 25:00:00 1994",
                                ",",
                                ",,",
                                "Nov 6"})
            row(QByteArray(QByteArray("RA-03 ") + QByteArray(bad).toPercentEncoding()).constData(), bad, -1);
        row("RA-03 two", "5, 60", 60);
        row("two, the later first", "60, 5", 60);
        row("two dates", "Sun, 06 Nov 1994 08:51:07 GMT, Sun, 06 Nov 1994 08:50:07 GMT", 90, server);
        row("seconds and a date", "5, Sun, 06 Nov 1994 08:51:07 GMT", 90, server);
        row("one of two is broken", "-5, 60", 60);
        row("leap second", "Sun, 06 Nov 1994 08:49:60 GMT", 22, server);
    }
    void reads()
    {
        QFETCH(QByteArray, value);
        QFETCH(QByteArray, date);
        QFETCH(qint64, seconds);
        const Utc now = *parseHttpDate("Sun, 06 Nov 1994 09:00:00 GMT", Utc{});
        const auto delay = retryAfterDelay(value, date, now);
        if (seconds < 0) {
            QVERIFY(!delay);
        } else {
            QVERIFY(delay);
            QCOMPARE(delay->count(), seconds * 1000);
        }
    }

    void twoDigitYears()
    {
        const Utc now = *parseHttpDate("Sun, 06 Nov 2026 09:00:00 GMT", Utc{});
        QCOMPARE(parseHttpDate("Sunday, 06-Nov-76 09:00:00 GMT", now),
                 parseHttpDate("Fri, 06 Nov 2076 09:00:00 GMT", now));
        QCOMPARE(parseHttpDate("Sunday, 06-Nov-77 09:00:00 GMT", now),
                 parseHttpDate("Sun, 06 Nov 1977 09:00:00 GMT", now));
    }

    void noisy() // any bytes: no crash, and a delay within bounds
    {
        bool ok = false;
        const int given = qEnvironmentVariableIntValue("MUSTER_SEED", &ok);
        const quint32 seed = ok ? static_cast<quint32>(given) : QRandomGenerator::global()->generate();
        qInfo("seed %u", seed);
        QRandomGenerator random(seed);
        const QByteArray letters("0123456789,:- SunNovGMT\t\x80");
        for (int i = 0; i < 20'000; ++i) {
            QByteArray value;
            for (quint32 n = random.bounded(40); n > 0; --n)
                value +=
                    letters[static_cast<qsizetype>(random.bounded(static_cast<quint32>(letters.size())))];
            const auto delay = retryAfterDelay(value, value, Utc{});
            QVERIFY2(!delay || (*delay >= Millis(1000) && *delay <= std::chrono::hours(24 * 3650)),
                     value.constData());
        }
    }
};

QTEST_APPLESS_MAIN(TestRetryAfter)
#include "tst_retryafter.moc"
