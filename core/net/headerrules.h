// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

namespace muster {

/// The one place that judges a header before it is sent: Qt lets CR and LF through. Empty: it may be sent;
/// else why not, with the name but never the value. Pure.
QString headerProblem(QByteArrayView name, QByteArrayView value);

} // namespace muster
