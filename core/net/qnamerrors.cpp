// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/net/qnamerrors.h"

namespace muster {

Failure failureWithoutAnswer(QNetworkReply::NetworkError error, const QByteArray &tlsDetail, bool mayBeOut)
{
    switch (error) {
    case QNetworkReply::ConnectionRefusedError:
        return Failure{FailureKind::Connect, "refused", 0, {}};
    case QNetworkReply::HostNotFoundError:
        return Failure{FailureKind::Dns, "nxdomain", 0, {}};
    case QNetworkReply::TimeoutError:
        return Failure{FailureKind::ConnectTimeout, {}, 0, {}};
    case QNetworkReply::SslHandshakeFailedError:
        return Failure{FailureKind::Tls, tlsDetail.isEmpty() ? QByteArray("handshake") : tlsDetail, 0, {}};
    case QNetworkReply::ProxyConnectionRefusedError:
    case QNetworkReply::ProxyConnectionClosedError:
    case QNetworkReply::ProxyNotFoundError:
    case QNetworkReply::ProxyTimeoutError:
        return Failure{FailureKind::Proxy, "down", 0, {}};
    case QNetworkReply::ProxyAuthenticationRequiredError:
        return Failure{FailureKind::Proxy, "auth", 0, {}};
    case QNetworkReply::ProtocolUnknownError:
    case QNetworkReply::ProtocolInvalidOperationError:
        return Failure{FailureKind::Internal, "url", 0, {}};
    default:
        break;
    }
    // The rest is one and the same to us: before the request was out there was no way to the host, after it
    // the connection ended without an answer (closed, reset or garbage, network.md 10).
    return mayBeOut ? Failure{FailureKind::ClosedEarly, {}, 0, {}}
           : error == QNetworkReply::RemoteHostClosedError
               ? Failure{FailureKind::ClosedEarly, {}, 0, {}}
               : Failure{FailureKind::Connect, "unreachable", 0, {}};
}

bool cutsAnswer(QNetworkReply::NetworkError error)
{
    if (error == QNetworkReply::ProxyAuthenticationRequiredError)
        return false; // a 407 of the server itself
    return (error > QNetworkReply::NoError && error < QNetworkReply::ContentAccessDenied) ||
           error == QNetworkReply::ContentReSendError || error == QNetworkReply::ProtocolFailure;
}

QByteArray tlsDetail(const QList<QSslError> &errors)
{
    QByteArray detail;
    for (const QSslError &e : errors) {
        switch (e.error()) {
        case QSslError::CertificateExpired:
            return "expired";
        case QSslError::CertificateNotYetValid:
            return "not_yet";
        case QSslError::HostNameMismatch:
            return "hostname";
        case QSslError::SelfSignedCertificate:
            detail = "self_signed";
            break;
        case QSslError::SelfSignedCertificateInChain:
        case QSslError::CertificateUntrusted:
            if (detail != "self_signed")
                detail = "untrusted";
            break;
        case QSslError::UnableToGetLocalIssuerCertificate:
        case QSslError::UnableToGetIssuerCertificate:
        case QSslError::UnableToVerifyFirstCertificate:
            if (detail.isEmpty())
                detail = "chain";
            break;
        default:
            if (detail.isEmpty())
                detail = "handshake";
            break;
        }
    }
    return detail;
}

} // namespace muster
