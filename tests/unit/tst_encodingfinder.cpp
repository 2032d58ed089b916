// SPDX-License-Identifier: GPL-3.0-or-later
#include <QStringEncoder>
#include <QtTest/QtTest>

#include "core/intake/encodingfinder.h"

using namespace muster;

class TestEncodingFinder final : public QObject
{
    Q_OBJECT

    static tl::expected<QByteArray, QString> found(const QByteArray &bytes, qsizetype piece)
    {
        EncodingFinder finder;
        for (qsizetype at = 0; at < bytes.size(); at += piece)
            finder.feed(bytes.mid(at, piece));
        return finder.finish();
    }

private Q_SLOTS:
    void finds_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QByteArray>("expected");
        const auto row = [](const char *name, const QByteArray &bytes, const char *expected) {
            QTest::newRow(name) << bytes << QByteArray(expected);
        };
        row("empty", "", "UTF-8");
        row("ASCII", "http://a.test/\n", "UTF-8");
        row("two bytes", "\xc3\xa9", "UTF-8");
        row("three bytes", "\xe5\x8c\x97\xe4\xba\xac", "UTF-8");
        row("four bytes", "\xf0\x9f\x98\x80", "UTF-8");
        row("mark of UTF-8, then not", "\xef\xbb\xbf\xff", "UTF-8");
        row("mark, little",
            QByteArray("\xff\xfe"
                       "a\0",
                       4),
            "UTF-16");
        row("mark, big", QByteArray("\xfe\xff\0a", 4), "UTF-16");
        row("mark, 32", QByteArray("\xff\xfe\0\0a\0\0\0", 8), "UTF-32");
        row("mark, 32 big", QByteArray("\0\0\xfe\xff\0\0\0a", 8), "UTF-32");
        row("one NUL", QByteArray("abcdefgh\0", 9), "UTF-8");
        const QString korean =
            QString::fromUtf8("서울특별시 부산광역시 대구광역시 인천광역시 똠방각하 펲시콜라 ").repeated(20);
        row("Korean beyond EUC-KR", QByteArray(QStringEncoder("windows-949").encode(korean)), "windows-949");
        // Much ASCII does not drown the few lines that tell.
        const QString chinese = QString::fromUtf8("北京市，上海市，广州市，深圳市，成都市，重庆市\n");
        row("few lines among many",
            QByteArray("plain line of ASCII\n").repeated(20'000) +
                QByteArray(QStringEncoder("GB18030").encode(chinese)),
            "GB18030");
    }
    void finds()
    {
        QFETCH(QByteArray, bytes);
        QFETCH(QByteArray, expected);
        for (const qsizetype piece : {qsizetype(1 << 20), qsizetype(3), qsizetype(1)}) {
            const auto name = found(bytes, piece);
            QVERIFY2(name.has_value(), name ? "" : qPrintable(name.error()));
            QCOMPARE(*name, expected);
            QVERIFY(isKnownEncoding(*name));
        }
    }

    void cannotSay_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("reason");
        QTest::newRow("UTF-16 without a mark")
            << QByteArray("a\0b\0c\0", 6) << QStringLiteral("UTF-16 without a mark");
        QTest::newRow("bytes of no encoding")
            << QByteArray("\x81\x8d\x8f\x90\x9d") << QStringLiteral("could not be found out");
    }
    void cannotSay()
    {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, reason);
        const auto name = found(bytes, 100);
        QVERIFY2(!name.has_value(), name ? name->constData() : "");
        QVERIFY2(name.error().contains(reason), qPrintable(name.error()));
    }

    void strictUtf8()
    {
        for (const QByteArray &bad : {QByteArray("\xc0\xaf"), QByteArray("\xed\xa0\x80"),
                                      QByteArray("\xf4\x90\x80\x80"), QByteArray("a\xe5\x8c")}) {
            for (const qsizetype piece : {100, 1}) {
                EncodingFinder finder;
                for (qsizetype at = 0; at < bad.size(); at += piece)
                    finder.feed(bad.mid(at, piece));
                QVERIFY2(!finder.isValidUtf8(), bad.toHex().constData());
            }
        }
        QVERIFY(!isKnownEncoding("nonsense"));
        QVERIFY(isKnownEncoding("gb18030"));
    }
};

QTEST_GUILESS_MAIN(TestEncodingFinder)
#include "tst_encodingfinder.moc"
