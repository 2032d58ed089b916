// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest/QtTest>

#include "core/net/answercheck.h"

using namespace muster;

class TestAnswerCheck final : public QObject
{
    Q_OBJECT

private:
    static QVector<RawHeader> with(const QByteArray &name, const QByteArray &value)
    {
        return {{"Content-Type", "text/plain"}, {name, value}};
    }
    static QVector<RawHeader> many(int count, qsizetype size)
    {
        QVector<RawHeader> out;
        for (int i = 0; i < count; ++i)
            out.append(RawHeader{"X-" + QByteArray::number(i), QByteArray(size, 'x')});
        return out;
    }

private Q_SLOTS:
    void statuses()
    {
        const QVector<RawHeader> plain{{"A", "b"}};
        for (const int s : {200, 204, 304, 404, 599, 999})
            QVERIFY(checkAnswerHead(s, plain, false));
        for (const int s : {0, 99, 101, 1000})
            QCOMPARE(checkAnswerHead(s, plain, false).error().kind, FailureKind::Malformed);
        for (const int s : {102, 103, 199}) // F24
            QCOMPARE(checkAnswerHead(s, plain, false).error().detail, QByteArray("1xx"));
    }

    void lengths_data()
    {
        QTest::addColumn<QByteArray>("value");
        QTest::addColumn<qint64>("length"); // -2: malformed
        QTest::newRow("zero") << QByteArray("0") << qint64(0);
        QTest::newRow("blanks around") << QByteArray(" 12 ") << qint64(12);
        QTest::newRow("F27 equal duplicates") << QByteArray("5, 5") << qint64(5);
        for (const char *bad :
             {"-5", "+5", "5, 6", "5,", "", "0x5", "5.0", "100000000000000000000", "five", "5 5"})
            QTest::newRow(QByteArray(QByteArray("F27 '") + bad + '\'').constData())
                << QByteArray(bad) << qint64(-2);
    }
    void lengths()
    {
        QFETCH(QByteArray, value);
        QFETCH(qint64, length);
        const auto framing = checkAnswerHead(200, with("content-LENGTH", value), false);
        QCOMPARE(framing ? framing->length : qint64(-2), length);
        QVERIFY(checkAnswerHead(200, with("Content-Length", value), true)); // HEAD: no framing check
    }

    void transferCodings()
    {
        QVERIFY(checkAnswerHead(200, with("Transfer-Encoding", "Chunked"), false)->chunked);
        QVERIFY(!checkAnswerHead(200, with("Transfer-Encoding", "gzip, chunked"), false));
        QVector<RawHeader> both = with("Transfer-Encoding", "chunked"); // F28
        both.append(RawHeader{"Content-Length", "5"});
        QVERIFY(!checkAnswerHead(200, both, false));
    }

    void endsOfBodies()
    {
        const QVector<RawHeader> plain{{"A", "b"}};
        QVERIFY(checkAnswerHead(200, plain, false)->isClosed());
        QVERIFY(!checkAnswerHead(200, plain, true)->isClosed());
        QVERIFY(!checkAnswerHead(204, plain, false)->isClosed());
        QVERIFY(!checkAnswerHead(304, plain, false)->hasBody);
        QVERIFY(!checkAnswerHead(200, with("Content-Length", "4"), false)->isClosed());
    }

    void sizes()
    {
        QVERIFY(checkAnswerHead(200, many(100, 10), false));
        QCOMPARE(checkAnswerHead(200, many(101, 10), false).error().detail, QByteArray("headers"));
        QVERIFY(checkAnswerHead(200, many(4, 60'000), false));
        QVERIFY(!checkAnswerHead(200, many(5, 60'000), false));
        QVERIFY(!checkAnswerHead(200, {}, false)); // Qt dropped them all
        QVERIFY(checkAnswerHead(404, {}, false));
    }
};

QTEST_APPLESS_MAIN(TestAnswerCheck)
#include "tst_answercheck.moc"
