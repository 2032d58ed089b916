// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest/QtTest>

#include "core/net/headerrules.h"
#include "core/net/secretfill.h"

using namespace muster;

class TestSecretFill final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void writes_data()
    {
        QTest::addColumn<int>("encoding");
        QTest::addColumn<QByteArray>("written");
        QTest::newRow("percent") << int(MaskedText::Encoding::Percent) << QByteArray("a%20%22%5C%2F%0A%2B~");
        QTest::newRow("form") << int(MaskedText::Encoding::Form) << QByteArray("a+%22%5C%2F%0A%2B~");
        QTest::newRow("json") << int(MaskedText::Encoding::Json) << QByteArray("a \\\"\\\\/\\u000a+~");
        QTest::newRow("raw") << int(MaskedText::Encoding::Raw) << QByteArray("a \"\\/\n+~");
    }
    void writes()
    {
        QFETCH(int, encoding);
        QFETCH(QByteArray, written);
        const SecretBook book{{"k", Secret("a \"\\/\n+~")}};
        MaskedText t;
        t.text = "<{secret:k}|{secret:k}>{secret:k}";
        const auto e = static_cast<MaskedText::Encoding>(encoding);
        t.secretSlots = {{1, 10, "k", e}, {12, 10, "k", e}}; // the third is the text of a column
        QCOMPARE(*fillSecrets(t, &book), QByteArray('<' + written + '|' + written + ">{secret:k}"));
    }

    void missingOnes()
    {
        MaskedText t;
        t.text = "{secret:k}";
        t.secretSlots = {{0, 10, "k", MaskedText::Encoding::Raw}};
        const SecretBook book{{"other", Secret("x")}};
        QCOMPARE(fillSecrets(t, &book).error(), QByteArray("k"));
        QCOMPARE(fillSecrets(t, nullptr).error(), QByteArray("k"));
        t.secretSlots.clear();
        QCOMPARE(*fillSecrets(t, nullptr), t.text);
    }

    void maskingAndFillingAreInverse() // any secret, at any place of a URL, however it is spelt there
    {
        bool ok = false;
        const int given = qEnvironmentVariableIntValue("MUSTER_SEED", &ok);
        const quint32 seed = ok ? static_cast<quint32>(given) : QRandomGenerator::global()->generate();
        qInfo("seed %u", seed);
        QRandomGenerator random(seed);
        const QByteArray letters("abcXYZ019-._~/+=&% \xc3\xa4");
        for (int i = 0; i < 5'000; ++i) {
            QByteArray value("s3");
            for (quint32 n = 4 + random.bounded(12); n > 0; --n)
                value +=
                    letters[static_cast<qsizetype>(random.bounded(static_cast<quint32>(letters.size())))];
            const SecretBook book{{"name", Secret(value)}};
            const QByteArray url = "http://a.test/q?k=" + value.toPercentEncoding() + "&z=1";
            const MaskedText masked = maskSecrets(url, &book);
            QVERIFY2(masked.text == "http://a.test/q?k={secret:name}&z=1", url.constData());
            QVERIFY(*fillSecrets(masked, &book) == url);
        }
    }

    void nothingToMask()
    {
        const SecretBook tiny{{"k", Secret("12345")}};
        QCOMPARE(maskSecrets("http://a/12345", &tiny).text, QByteArray("http://a/12345"));
        QVERIFY(!maskSecrets("http://a/12345", nullptr).hasSecrets());
        const SecretBook book{{"k", Secret("123456")}};
        QCOMPARE(maskSecrets("http://a/12345", &book).text, QByteArray("http://a/12345")); // ends within
        QCOMPARE(maskSecrets("http://a/12345%3", &book).text, QByteArray("http://a/12345%3"));
    }

    void problemsNameNoValue()
    {
        QVERIFY(headerProblem("X-Key", "a\tb \xc3\xa4").isEmpty());
        const QString problem = headerProblem("X-Key", "canary\n");
        QVERIFY(problem.contains(u"X-Key") && !problem.contains(u"canary"));
    }
};

QTEST_APPLESS_MAIN(TestSecretFill)
#include "tst_secretfill.moc"
