// SPDX-License-Identifier: GPL-3.0-or-later
#include <QProcess>
#include <QSslConfiguration>
#include <QSslKey>
#include <QSslServer>
#include <QSslSocket>
#include <QtTest/QtTest>

#include "core/net/qnamfetcher.h"

using namespace muster;

/// https: verified always, and with as many real connections as http although every lane must still verify.
class TestTls final : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_dir;
    QSslConfiguration m_before;
    QSslConfiguration m_served;
    QSslCertificate m_certificate;

    QString file(const char *name) const { return m_dir.filePath(QString::fromLatin1(name)); }
    bool makeCertificate()
    {
        QProcess openssl;
        openssl.start(QStringLiteral("openssl"),
                      {QStringLiteral("req"), QStringLiteral("-x509"), QStringLiteral("-newkey"),
                       QStringLiteral("rsa:2048"), QStringLiteral("-nodes"), QStringLiteral("-keyout"),
                       file("key.pem"), QStringLiteral("-out"), file("cert.pem"), QStringLiteral("-days"),
                       QStringLiteral("2"), QStringLiteral("-subj"), QStringLiteral("/CN=localhost"),
                       QStringLiteral("-addext"), QStringLiteral("subjectAltName=DNS:localhost")});
        return openssl.waitForFinished(20'000) && openssl.exitCode() == 0;
    }

    /// Answers every request after a while, and counts those that wait.
    struct Server
    {
        QSslServer tls;
        int now = 0;
        int most = 0;

        explicit Server(const QSslConfiguration &configuration)
        {
            tls.setSslConfiguration(configuration);
            connect(&tls, &QTcpServer::pendingConnectionAvailable, &tls, [this] {
                QTcpSocket *socket = tls.nextPendingConnection();
                connect(socket, &QTcpSocket::readyRead, socket, [this, socket] {
                    if (!socket->readAll().contains("\r\n\r\n"))
                        return;
                    most = std::max(most, ++now);
                    QTimer::singleShot(400, socket, [this, socket] {
                        --now;
                        socket->write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
                    });
                });
                connect(socket, &QTcpSocket::disconnected, socket, &QObject::deleteLater);
            });
            tls.listen(QHostAddress::LocalHost);
        }
        FlightPlan plan(FlightId id, const QByteArray &host) const
        {
            FlightPlan p;
            p.id = id;
            p.lanes = 20;
            p.request.url.text = "https://" + host + ':' + QByteArray::number(tls.serverPort()) + "/";
            return p;
        }
    };

private Q_SLOTS:
    void initTestCase()
    {
        if (!QSslSocket::supportsSsl() || !makeCertificate())
            QSKIP("neither TLS nor openssl to make a certificate with");
        QFile cert(file("cert.pem"));
        QFile key(file("key.pem"));
        QVERIFY(cert.open(QIODevice::ReadOnly) && key.open(QIODevice::ReadOnly));
        m_certificate = QSslCertificate(&cert);
        m_before = QSslConfiguration::defaultConfiguration();
        m_served = m_before;
        m_served.setLocalCertificate(m_certificate);
        m_served.setPrivateKey(QSslKey(&key, QSsl::Rsa));
    }
    void cleanup() { QSslConfiguration::setDefaultConfiguration(m_before); }

    void strangersAreRefused()
    {
        Server server(m_served);
        QnamFetcher fetcher;
        std::optional<FlightResult> out;
        fetcher.start(server.plan(1, "localhost"), [&out](FlightResult r) { out = std::move(r); });
        QTRY_VERIFY_WITH_TIMEOUT(out, 20'000);
        QCOMPARE(failureKindName(out->failure.kind), "tls");
        QCOMPARE(out->failure.detail, QByteArray("self_signed"));
        QCOMPARE(out->sends, 0);
        QVERIFY(!out->maySent);
        QCOMPARE(server.most, 0);
    }

    void theNameMustFit()
    {
        QSslConfiguration trusting = m_before;
        trusting.setCaCertificates({m_certificate});
        QSslConfiguration::setDefaultConfiguration(trusting);
        Server server(m_served);
        QnamFetcher fetcher;
        std::optional<FlightResult> out;
        fetcher.start(server.plan(1, "127.0.0.1"), [&out](FlightResult r) { out = std::move(r); });
        QTRY_VERIFY_WITH_TIMEOUT(out, 20'000);
        QCOMPARE(failureKindName(out->failure.kind), "tls");
        QCOMPARE(out->failure.detail, QByteArray("hostname"));
    }

    void everyLaneVerifies()
    {
        QSslConfiguration trusting = m_before;
        trusting.setCaCertificates({m_certificate});
        QSslConfiguration::setDefaultConfiguration(trusting);
        Server server(m_served);
        QnamFetcher fetcher;
        int good = 0;
        for (FlightId id = 1; id <= 20; ++id)
            fetcher.start(server.plan(id, "localhost"),
                          [&good](const FlightResult &r) { good += !r.failure && r.answer.body == "ok"; });
        QTRY_COMPARE_WITH_TIMEOUT(fetcher.inFlight(), 0, 30'000);
        QCOMPARE(good, 20);
        QVERIFY2(server.most > 12,
                 QByteArray::number(server.most).constData()); // more than two lanes at once
    }
};

QTEST_GUILESS_MAIN(TestTls)
#include "tst_tls.moc"
