// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest/QtTest>

#include "core/team/retryafter.h"

using namespace muster;

namespace {

const Utc now = utcFromMs(QDateTime({2026, 11, 30}, {12, 0, 0}, Qt::UTC).toMSecsSinceEpoch());

} // namespace

class TestRetryAfter final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void waits_data()
    {
        QTest::addColumn<QByteArray>("values");
        QTest::addColumn<QByteArray>("serverDate");
        QTest::addColumn<qint64>("ms"); // below 0: cannot be read
        const qint64 most = 10LL * 365 * 86'400'000;
        QTest::newRow("F71 0") << QByteArray("0") << QByteArray() << qint64(1000);
        QTest::newRow("F71 7") << QByteArray("7") << QByteArray() << qint64(7000);
        QTest::newRow("F71 120") << QByteArray(" 120 ") << QByteArray() << qint64(120'000);
        QTest::newRow("RA-01 IMF") << QByteArray("Mon, 30 Nov 2026 12:01:30 GMT") << QByteArray()
                                   << qint64(90'000);
        QTest::newRow("RA-01 850") << QByteArray("Monday, 30-Nov-26 12:01:30 GMT") << QByteArray()
                                   << qint64(90'000);
        QTest::newRow("RA-01 asctime")
            << QByteArray("Mon Nov 30 12:01:30 2026") << QByteArray() << qint64(90'000);
        QTest::newRow("asctime, one digit")
            << QByteArray("Tue Dec  1 12:00:00 2026") << QByteArray() << qint64(86'400'000);
        QTest::newRow("F71 past") << QByteArray("Mon, 30 Nov 2020 12:01:30 GMT") << QByteArray()
                                  << qint64(1000);
        QTest::newRow("F71 other clock") << QByteArray("Mon, 30 Nov 2026 13:01:30 GMT")
                                         << QByteArray("Mon, 30 Nov 2026 13:00:00 GMT") << qint64(90'000);
        QTest::newRow("850, last century")
            << QByteArray("Monday, 30-Nov-90 12:01:30 GMT") << QByteArray() << qint64(1000);
        QTest::newRow("F71 two") << QByteArray("5, 60") << QByteArray() << qint64(60'000);
        QTest::newRow("two dates") << QByteArray(
                                          "Mon, 30 Nov 2026 12:00:05 GMT, Mon, 30 Nov 2026 12:00:09 GMT")
                                   << QByteArray() << qint64(9000);
        QTest::newRow("RA-02 20 digits") << QByteArray("99999999999999999999") << QByteArray() << most;
        QTest::newRow("RA-02 year 9999")
            << QByteArray("Fri, 31 Dec 9999 23:59:59 GMT") << QByteArray() << most;
        QTest::newRow("F71 1e12 digits") << QByteArray("1000000000000") << QByteArray() << most;
        for (const char *broken : {"", "-5", "1.5", "+3", "120junk", "0x10", "soon", "1e12", "\xd9\xa3",
                                   "Mon, 99 Nov 2026 12:01:30 GMT", "Mon, 30 Abc 2026 12:01:30 GMT",
                                   "Mon, 30 Nov 2026 25:01:30 GMT", "Mon, 30 Nov 2026 12:01:30"})
            QTest::addRow("RA-03 '%s'", broken) << QByteArray(broken) << QByteArray() << qint64(-1);
    }
    void waits()
    {
        QFETCH(QByteArray, values);
        QFETCH(QByteArray, serverDate);
        QFETCH(qint64, ms);
        const std::optional<Millis> wait = parseRetryAfter(values, serverDate, now);
        QCOMPARE(wait ? wait->count() : -1, ms);
    }
};

QTEST_GUILESS_MAIN(TestRetryAfter)
#include "tst_retryafter.moc"
