// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest/QtTest>

#include "core/refine/charset.h"

using namespace muster;

class TestCharset final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    // F68
    void charsets_data()
    {
        QTest::addColumn<QByteArray>("body");
        QTest::addColumn<QByteArray>("type");
        QTest::addColumn<QByteArray>("expected");
        const auto row = [](const char *name, const QByteArray &body, const char *type,
                            const QByteArray &expected) {
            QTest::newRow(name) << body << QByteArray(type) << expected;
        };
        row("plain", "\xC3\xA4", "", "\xC3\xA4");
        row("mark wins", "\xEF\xBB\xBF\xC3\xA4", "text/html; charset=latin1", "\xC3\xA4");
        row("UTF-16 LE", QByteArray("\xFF\xFE\xE4\0", 4), "", "\xC3\xA4");
        row("UTF-16 BE", QByteArray("\xFE\xFF\0\xE4", 4), "", "\xC3\xA4");
        row("Latin 1 is Windows'", "\xE4\x80", "text/html;charset=ISO-8859-1", "\xC3\xA4\xE2\x82\xAC");
        row("quoted", "\xE4", "text/html; x=y; Charset=\"windows-1252\"", "\xC3\xA4");
        row("Shift_JIS", "\x83\x65", "text/html; charset=Shift_JIS", "\xE3\x83\x86");
        row("utf8", "\xC3\xA4", "text/html; charset=utf8", "\xC3\xA4");
        row("unknown", "\xC3\xA4", "text/html; charset=x-none", "\xC3\xA4");
        row("improper", "a\xFFz", "", "a\xEF\xBF\xBDz");
        row("nothing", "", "", "");
    }
    void charsets()
    {
        QFETCH(QByteArray, body);
        QFETCH(QByteArray, type);
        QFETCH(QByteArray, expected);
        QCOMPARE(bodyAsUtf8(body, type), expected);
    }
};

QTEST_GUILESS_MAIN(TestCharset)
#include "tst_charset.moc"
