// SPDX-License-Identifier: GPL-3.0-or-later
#include <QNetworkAccessManager>
#include <QNetworkReply>
#include <QtTest/QtTest>

#include "core/net/qnamerrors.h"
#include "tests/support/faultserver.h"

using namespace muster;

/// The probes behind the expected failures of the fault catalogue: what Qt itself shows of each, so that
/// nobody takes our blindness for a mistake. When one of these fails, Qt has learnt to see and the row can be
/// mended.
class TestQtLimits final : public QObject
{
    Q_OBJECT

private:
    struct Seen
    {
        int sent = 0;
        bool head = false;
        bool finished = false;
        int status = 0;
        QNetworkReply::NetworkError error = QNetworkReply::NoError;
        QByteArray body;
        bool operator==(const Seen &) const = default;
    };
    FaultServer m_server;
    std::unique_ptr<QNetworkAccessManager> m_manager;

    Seen ask(const QByteArray &path, const QByteArray &listener = "main", int ms = 10'000)
    {
        Seen seen;
        QNetworkReply *reply =
            m_manager->get(QNetworkRequest(QUrl::fromEncoded(m_server.url(path, listener))));
        connect(reply, &QNetworkReply::requestSent, reply, [&seen] { ++seen.sent; });
        connect(reply, &QNetworkReply::metaDataChanged, reply, [&seen] { seen.head = true; });
        seen.finished = QTest::qWaitFor([reply] { return reply->isFinished(); }, ms);
        seen.status = reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
        seen.error = reply->error();
        seen.body = reply->isOpen() ? reply->readAll() : QByteArray();
        reply->disconnect();
        reply->abort();
        reply->deleteLater();
        return seen;
    }

private Q_SLOTS:
    void initTestCase()
    {
        m_server.addListener("closing", "127.0.0.4", FaultServer::Mode::CloseAtOnce);
        QVERIFY(m_server.start());
    }

    // A connection that used up its repeats makes none for its next request, until one was answered.
    void init() { m_manager = std::make_unique<QNetworkAccessManager>(); }

    void closesResetsAndGarbageAreAlike_data() // F03, F04, F14, F17, F18, F19 abc
    {
        QTest::addColumn<QByteArray>("path");
        QTest::addColumn<QByteArray>("listener");
        QTest::newRow("F03") << QByteArray("/") << QByteArray("closing");
        for (const char *path : {"/F04", "/F14", "/F17", "/F18", "/F19/abc"})
            QTest::newRow(path) << QByteArray(path) << QByteArray("main");
    }
    void closesResetsAndGarbageAreAlike()
    {
        QFETCH(QByteArray, path);
        QFETCH(QByteArray, listener);
        const Seen seen = ask(path, listener);
        QVERIFY(seen.finished && !seen.head);
        QVERIFY(seen.sent > 1); // and each is sent again in silence
        QCOMPARE(seen.error, QNetworkReply::RemoteHostClosedError);
        QCOMPARE(seen.status, 0);
    }

    void endlessHeadersAreInvisible_data() // F22
    {
        QTest::addColumn<QByteArray>("path");
        QTest::newRow("headers") << QByteArray("/F22/headers");
        QTest::newRow("reason") << QByteArray("/F22/reason");
    }
    void endlessHeadersAreInvisible()
    {
        QFETCH(QByteArray, path);
        const Seen seen = ask(path, "main", 700);
        QVERIFY(!seen.finished && !seen.head);
        QCOMPARE(seen.status, 0);
    }

    void aResetLooksLikeAClose() // F33
    {
        // The two errors race inside Qt; that they can come out alike is what makes the row an expected
        // failure.
        bool alike = false;
        for (int i = 0; i < 20 && !alike; ++i)
            alike = ask("/F32") == ask("/F33");
        QVERIFY(alike);
    }

    void badChunksLookLikeTheLast_data() // F36
    {
        QTest::addColumn<QByteArray>("path");
        QTest::newRow("ZZ") << QByteArray("/F36/zz");
        QTest::newRow("overflow") << QByteArray("/F36/overflow");
    }
    void badChunksLookLikeTheLast()
    {
        QFETCH(QByteArray, path);
        const Seen seen = ask(path);
        QVERIFY(seen.finished && seen.head);
        QCOMPARE(seen.status, 200);
        QCOMPARE(seen.error, QNetworkReply::NoError);
        QVERIFY(seen.body.isEmpty());
    }

    void aNegativeChunkLooksLikeACutOne()
    {
        bool alike = false;
        for (int i = 0; i < 20 && !alike; ++i) {
            const Seen cut = ask("/F35");
            const Seen negative = ask("/F36/negative");
            QCOMPARE(negative.status, 200);
            alike = cut.error == negative.error;
        }
        QVERIFY(alike);
    }

    void errorsByNumber_data()
    {
        QTest::addColumn<int>("error");
        QTest::addColumn<QByteArray>("kind");
        const auto row = [](QNetworkReply::NetworkError e, const char *kind) {
            QTest::addRow("%d", int(e)) << int(e) << QByteArray(kind);
        };
        row(QNetworkReply::ConnectionRefusedError, "connect:refused");
        row(QNetworkReply::HostNotFoundError, "dns:nxdomain");
        row(QNetworkReply::TimeoutError, "connect_timeout:");
        row(QNetworkReply::SslHandshakeFailedError, "tls:handshake");
        row(QNetworkReply::ProxyTimeoutError, "proxy:down");
        row(QNetworkReply::ProxyAuthenticationRequiredError, "proxy:auth");
        row(QNetworkReply::ProtocolUnknownError, "internal:url");
        row(QNetworkReply::UnknownNetworkError, "connect:unreachable");
        row(QNetworkReply::RemoteHostClosedError, "closed_early:");
    }
    void errorsByNumber()
    {
        QFETCH(int, error);
        QFETCH(QByteArray, kind);
        const Failure f = failureWithoutAnswer(static_cast<QNetworkReply::NetworkError>(error), {}, false);
        QCOMPARE(QByteArray(QByteArray(failureKindName(f.kind)) + ':' + f.detail), kind);
    }

    void afterTheSendItIsClosedEarly()
    {
        const Failure f = failureWithoutAnswer(QNetworkReply::UnknownNetworkError, {}, true);
        QCOMPARE(failureKindName(f.kind), "closed_early");
        QVERIFY(cutsAnswer(QNetworkReply::RemoteHostClosedError));
        QVERIFY(!cutsAnswer(QNetworkReply::NoError));
        QVERIFY(!cutsAnswer(QNetworkReply::ContentNotFoundError));
        QVERIFY(!cutsAnswer(QNetworkReply::UnknownServerError));
    }

    void tlsWords()
    {
        const auto word = [](std::initializer_list<QSslError::SslError> errors) {
            QList<QSslError> list;
            for (const QSslError::SslError e : errors)
                list.append(QSslError(e));
            return tlsDetail(list);
        };
        QCOMPARE(word({QSslError::UnableToGetLocalIssuerCertificate, QSslError::CertificateExpired}),
                 QByteArray("expired"));
        QCOMPARE(word({QSslError::CertificateNotYetValid}), QByteArray("not_yet"));
        QCOMPARE(word({QSslError::SelfSignedCertificate, QSslError::HostNameMismatch}),
                 QByteArray("hostname"));
        QCOMPARE(word({QSslError::SelfSignedCertificate, QSslError::CertificateUntrusted}),
                 QByteArray("self_signed"));
        QCOMPARE(word({QSslError::CertificateUntrusted}), QByteArray("untrusted"));
        QCOMPARE(word({QSslError::UnableToVerifyFirstCertificate}), QByteArray("chain"));
        QCOMPARE(word({QSslError::InvalidPurpose}), QByteArray("handshake"));
        QCOMPARE(failureWithoutAnswer(QNetworkReply::SslHandshakeFailedError, "expired", false).detail,
                 QByteArray("expired"));
    }
};

QTEST_GUILESS_MAIN(TestQtLimits)
#include "tst_qtlimits.moc"
