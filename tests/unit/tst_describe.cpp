// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest/QtTest>

#include "core/job/describe.h"

using namespace muster;

class TestDescribe final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyKindHasItsOwnSentence()
    {
        QSet<QString> seen;
        for (std::size_t i = 1; i < failureKindCount; ++i) {
            const QString text = describe({static_cast<FailureKind>(i), {}, 0, {}});
            QVERIFY2(!text.isEmpty(), failureKindName(static_cast<FailureKind>(i)));
            QVERIFY2(!text.contains(QLatin1Char('!')), qPrintable(text));
            QVERIFY2(!seen.contains(text), qPrintable(text));
            seen.insert(text);
        }
        QVERIFY(describe({}).isEmpty());
    }

    void sentences_data()
    {
        QTest::addColumn<int>("kind");
        QTest::addColumn<QByteArray>("detail");
        QTest::addColumn<int>("code");
        QTest::addColumn<QString>("note");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char *name, FailureKind kind, const char *detail, int code,
                            const char *note, const char *expected) {
            QTest::newRow(name) << static_cast<int>(kind) << QByteArray(detail) << code
                                << QString::fromLatin1(note) << QString::fromLatin1(expected);
        };
        row("F71", FailureKind::RateLimited, "", 429, "", "HTTP 429: told to wait");
        row("RT-06", FailureKind::RateLimited, "rule-1", 200, "rule 1: regex rate limit",
            "HTTP 200: told to wait (rule-1), rule 1: regex rate limit");
        row("F06", FailureKind::Dns, "nxdomain", 0, "", "the host name does not exist");
        row("F01", FailureKind::Connect, "refused", 0, "", "connection refused");
        row("F03", FailureKind::ClosedEarly, "send_uncertain", 0, "", "outcome unknown, not retried");
        row("F40", FailureKind::Redirect, "loop", 302, "", "HTTP 302: the redirects go round in a circle");
        row("F62", FailureKind::TooLarge, "decoded", 200, "10,485,761 of 10,485,760 bytes",
            "HTTP 200: the decoded body is larger than allowed, 10,485,761 of 10,485,760 bytes");
        row("F69", FailureKind::Refine, "limit", 200, "field price",
            "HTTP 200: a rule was too costly, field price");
        row("F75", FailureKind::Http4xx, "", 404, "", "HTTP 404: not found");
        row("F79", FailureKind::Http4xx, "", 418, "", "HTTP 418: refused");
        row("F74", FailureKind::Http5xx, "", 502, "", "HTTP 502: bad gateway");
        row("F79 999", FailureKind::Http5xx, "", 999, "", "HTTP 999: the server failed");
        row("unknown detail", FailureKind::Tls, "sct", 0, "", "no secure connection (sct)");
    }
    void sentences()
    {
        QFETCH(int, kind);
        QFETCH(QByteArray, detail);
        QFETCH(int, code);
        QFETCH(QString, note);
        QFETCH(QString, expected);
        QCOMPARE(describe({static_cast<FailureKind>(kind), detail, code, note}), expected);
    }

    void urlsAreMasked_data()
    {
        QTest::addColumn<QByteArray>("url");
        QTest::addColumn<QByteArray>("expected");
        const auto row = [](const char *url, const char *expected) {
            QTest::newRow(url) << QByteArray(url) << QByteArray(expected);
        };
        row("https://a.example/p", "https://a.example/p");
        row("https://a.example/?key=s3cret&q=Bonn", "https://a.example/?key=***&q=***");
        row("https://a.example/?s3cret", "https://a.example/?***");
        row("https://a.example/?key=&b", "https://a.example/?key=&***");
        row("https://a.example/?", "https://a.example/?");
        row("https://a.example/?a=b=c#tok", "https://a.example/?a=***#***");
        row("https://a.example/#?k=v", "https://a.example/#***");
        row("https://a.example/p#", "https://a.example/p#");
        row("https://u:p@a.example/x@y", "https://***@a.example/x@y");
        row("https://u:p@q@a.example?x=1", "https://***@a.example?x=***");
        row("https://u@a.example", "https://***@a.example");
        row("socks5://u:p@h:1080", "socks5://***@h:1080");
        row("no url?k=v", "no url?k=***");
        row("", "");
    }
    void urlsAreMasked()
    {
        QFETCH(QByteArray, url);
        QFETCH(QByteArray, expected);
        QCOMPARE(redactedUrl(url), expected);
    }

    void aRefusedRowHasAReasonWithoutAKind()
    {
        QCOMPARE(describe({FailureKind::None, {}, 0, QStringLiteral("no URL")}), QStringLiteral("no URL"));
        QCOMPARE(describe({}), QString());
    }

    void countsWithTheirNoun()
    {
        QCOMPARE(counted(0, "row"), QStringLiteral("0 rows"));
        QCOMPARE(counted(1, "row"), QStringLiteral("1 row"));
        QCOMPARE(counted(12'345, "row"), QStringLiteral("12345 rows"));
    }
};

QTEST_GUILESS_MAIN(TestDescribe)
#include "tst_describe.moc"
