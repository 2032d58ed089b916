// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QNetworkReply>
#include <QSslError>

#include "core/job/failure.h"

namespace muster {

/// What an error of Qt means where no answer came. `mayBeOut`: the request was written at least once. Qt's
/// own sentences are never used: they hold URLs, passwords and keys.
Failure failureWithoutAnswer(QNetworkReply::NetworkError error, const QByteArray &tlsDetail, bool mayBeOut);

/// True for errors that cut an answer short; false for those that only repeat its status.
bool cutsAnswer(QNetworkReply::NetworkError error);

/// The word for the worst of the errors: expired, not_yet, hostname, self_signed, untrusted, chain, weak.
QByteArray tlsDetail(const QList<QSslError> &errors);

} // namespace muster
