// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest/QtTest>

#include "core/settings/settings.h"
#include "core/settings/statusmatcher.h"

using namespace muster;

class TestStatusMatcher final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void patterns_data()
    {
        QTest::addColumn<QString>("pattern");
        QTest::addColumn<int>("low");
        QTest::addColumn<int>("high");
        const auto row = [](const char *text, int low, int high) {
            QTest::newRow(text) << QString::fromUtf8(text) << low << high;
        };
        row("404", 404, 404);
        row("2xx", 200, 299);
        row("5XX", 500, 599);
        row("200-299", 200, 299);
        row(" 520 - 524 ", 520, 524);
        row("300-300", 300, 300);
        row("", 0, 0);
        row("0xx", 0, 0);
        row("6xx", 0, 0);
        row("20x", 0, 0);
        row("2xxx", 0, 0);
        row("99", 0, 0);
        row("600", 0, 0);
        row("1000", 0, 0);
        row("+20", 0, 0);
        row("299-200", 0, 0);
        row("200-", 0, 0);
        row("-200", 0, 0);
        row("200-299-300", 0, 0);
        row("٤٠٤", 0, 0);
        row("ÿxx", 0, 0);
    }
    void patterns()
    {
        QFETCH(QString, pattern);
        QFETCH(int, low);
        QFETCH(int, high);
        const auto range = parseStatusPattern(pattern);
        QCOMPARE(range.value_or(std::pair(0, 0)), std::pair(low, high));
    }

    void matchesWhatItWasMadeOf()
    {
        const StatusMatcher m({QStringLiteral("2xx"), QStringLiteral("404"), QStringLiteral("nonsense")});
        for (int status = -1000; status < 1000; ++status)
            QCOMPARE(m.matches(status), (status >= 200 && status <= 299) || status == 404);
        QVERIFY(!m.isEmpty());
        QVERIFY(StatusMatcher().isEmpty());
        QVERIFY(StatusMatcher(QVector<QString>{QStringLiteral("nonsense")}).isEmpty());
    }

    void agreesWithTheRetryRules()
    {
        const RetrySettings retry;
        const StatusMatcher m(retry.statuses);
        for (int status = 100; status < 600; ++status)
            QCOMPARE(m.matches(status), retry.covers(status));
    }
};

QTEST_GUILESS_MAIN(TestStatusMatcher)
#include "tst_statusmatcher.moc"
