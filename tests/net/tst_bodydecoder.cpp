// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest/QtTest>

#include "core/net/bodydecoder.h"
#include "tests/support/faultscript.h"

using namespace muster;
using namespace muster::fault;

class TestBodyDecoder final : public QObject
{
    Q_OBJECT

private:
    static QByteArray text()
    {
        QByteArray out;
        for (int i = 0; i < 5000; ++i)
            out += "line " + QByteArray::number(i * 7919) + '\n';
        return out;
    }
    static Failure decode(const char *encoding, const QByteArray &data, QByteArray &body,
                          qint64 maxBody = 1 << 20, qsizetype piece = 1000, qint64 stopAt = -1)
    {
        auto decoder = BodyDecoder::forEncoding(QByteArrayView(encoding), maxBody);
        if (!decoder)
            return Failure{FailureKind::Decode, "unsupported", 0, {}};
        for (qsizetype at = 0; at < data.size(); at += piece)
            if (Failure f = decoder->feed(QByteArrayView(data).sliced(at, std::min(piece, data.size() - at)),
                                          body, stopAt))
                return f;
        return decoder->finish();
    }

private Q_SLOTS:
    void decodes_data()
    {
        QTest::addColumn<QByteArray>("encoding");
        QTest::addColumn<QByteArray>("data");
        const QByteArray t = text();
        QTest::newRow("gzip") << QByteArray("gzip") << gzip(t);
        QTest::newRow("x-gzip, spelt loudly") << QByteArray(" X-GZIP ") << gzip(t);
        QTest::newRow("F64 members") << QByteArray("gzip")
                                     << QByteArray(gzip(t.left(7)) + gzip(t.mid(7, 9000)) +
                                                   gzip(t.mid(9007)));
        QTest::newRow("F64 zlib deflate") << QByteArray("deflate") << deflate(t, false);
        QTest::newRow("F64 raw deflate") << QByteArray("deflate") << deflate(t, true);
        QTest::newRow("nested") << QByteArray("gzip, gzip") << gzip(gzip(t));
        QTest::newRow("order of codings") << QByteArray("deflate, identity, gzip") << gzip(deflate(t, true));
    }
    void decodes()
    {
        QFETCH(QByteArray, encoding);
        QFETCH(QByteArray, data);
        for (const qsizetype piece : {qsizetype(1), qsizetype(2), qsizetype(777), data.size()}) {
            QByteArray body;
            const Failure f = decode(encoding.constData(), data, body, 1 << 20, piece);
            QCOMPARE(failureKindName(f.kind), "");
            QVERIFY(body == text());
        }
    }

    void fails_data()
    {
        QTest::addColumn<QByteArray>("encoding");
        QTest::addColumn<QByteArray>("data");
        QTest::addColumn<QByteArray>("detail");
        const QByteArray g = gzip(text());
        QByteArray crc = g;
        crc[crc.size() - 7] = static_cast<char>(crc[crc.size() - 7] ^ 1);
        QByteArray length = g;
        length[length.size() - 1] = static_cast<char>(length[length.size() - 1] ^ 1);
        QTest::newRow("F60 cut") << QByteArray("gzip") << g.left(g.size() * 2 / 5) << QByteArray("truncated");
        QTest::newRow("cut in its trailer")
            << QByteArray("gzip") << g.left(g.size() - 3) << QByteArray("truncated");
        QTest::newRow("cut in its head") << QByteArray("gzip") << g.left(5) << QByteArray("truncated");
        QTest::newRow("one byte of deflate")
            << QByteArray("deflate") << QByteArray("x") << QByteArray("truncated");
        QTest::newRow("raw deflate cut")
            << QByteArray("deflate") << deflate(text(), true).left(200) << QByteArray("truncated");
        QTest::newRow("inner cut") << QByteArray("gzip, gzip") << gzip(g.left(900))
                                   << QByteArray("truncated");
        QTest::newRow("F61 checksum") << QByteArray("gzip") << crc << QByteArray();
        QTest::newRow("length field") << QByteArray("gzip") << length << QByteArray();
        QTest::newRow("F61 plain text") << QByteArray("gzip") << text().left(300) << QByteArray();
        QTest::newRow("bytes after the end") << QByteArray("gzip") << QByteArray(g + "tail") << QByteArray();
        QTest::newRow("bytes after zlib")
            << QByteArray("deflate") << QByteArray(deflate(text(), false) + "tail") << QByteArray();
        QTest::newRow("F63 br") << QByteArray("br") << QByteArray("ok") << QByteArray("unsupported");
        QTest::newRow("gzip in br") << QByteArray("br, gzip") << QByteArray("ok")
                                    << QByteArray("unsupported");
        QTest::newRow("five deep") << QByteArray("gzip,gzip,gzip,gzip,gzip") << g
                                   << QByteArray("unsupported");
    }
    void fails()
    {
        QFETCH(QByteArray, encoding);
        QFETCH(QByteArray, data);
        QFETCH(QByteArray, detail);
        for (const qsizetype piece : {qsizetype(1), qsizetype(64), qsizetype(100'000)}) {
            QByteArray body;
            const Failure f = decode(encoding.constData(), data, body, 1 << 20, piece);
            QCOMPARE(failureKindName(f.kind), "decode");
            QCOMPARE(f.detail, detail);
        }
    }

    void theDecodedSizeAloneDecides_data()
    {
        QTest::addColumn<int>("size");
        QTest::addColumn<bool>("fits");
        QTest::newRow("BL-01 10,239") << 10'239 << true;
        QTest::newRow("BL-01 10,240") << 10'240 << true;
        QTest::newRow("BL-01 10,241") << 10'241 << false;
    }
    void theDecodedSizeAloneDecides()
    {
        QFETCH(int, size);
        QFETCH(bool, fits);
        QByteArray body;
        const Failure f = decode("gzip", gzip(text().left(size)), body, 10'240);
        QCOMPARE(f.kind, fits ? FailureKind::None : FailureKind::TooLarge);
        QCOMPARE(f.detail, fits ? QByteArray() : QByteArray("decoded"));
        QVERIFY(body.size() <= 10'240);
    }

    void bombsStopAtTheLimit_data()
    {
        QTest::addColumn<QByteArray>("encoding");
        QTest::addColumn<QByteArray>("data");
        QTest::newRow("CM-01 gzip") << QByteArray("gzip") << gzipBomb(64);
        QTest::newRow("CM-01 gzip in gzip") << QByteArray("gzip, gzip") << gzip(gzipBomb(64));
    }
    void bombsStopAtTheLimit()
    {
        QFETCH(QByteArray, encoding);
        QFETCH(QByteArray, data);
        QByteArray body;
        const Failure f = decode(encoding.constData(), data, body, 1 << 20, 1 << 20);
        QCOMPARE(failureKindName(f.kind), "too_large");
        QVERIFY(body.size() <= 1 << 20);
    }

    void honestPagesCompressWell() // CM-02: no guard by ratio
    {
        const QByteArray page = QByteArray("<row><name>same</name></row>\n").repeated(400'000);
        const QByteArray packed = gzip(page);
        QVERIFY(page.size() / packed.size() > 100);
        QByteArray body;
        QCOMPARE(decode("gzip", packed, body, 50 << 20).kind, FailureKind::None);
        QVERIFY(body == page);
    }

    void stopsWhereItIsTold()
    {
        QByteArray body;
        auto decoder = BodyDecoder::forEncoding("gzip", 1 << 20);
        QVERIFY(!decoder->feed(gzip(text()), body, 100));
        QCOMPARE(body, text().left(100));
    }

    void nothingIsWhole()
    {
        QByteArray body;
        QCOMPARE(decode("gzip", {}, body).kind, FailureKind::None);
        QCOMPARE(decode("deflate", {}, body).kind, FailureKind::None);
        QVERIFY(BodyDecoder::isIdentity(""));
        QVERIFY(BodyDecoder::isIdentity("identity"));
        QVERIFY(!BodyDecoder::isIdentity("gzip"));
    }
};

QTEST_APPLESS_MAIN(TestBodyDecoder)
#include "tst_bodydecoder.moc"
