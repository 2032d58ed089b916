// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QTcpServer>

#include "core/practice/practicepages.h"

class QTcpSocket;

namespace muster::practice {

/// One listener of the practice service. Reads request heads (no bodies), answers each after a short pause,
/// keeps connections alive. Lives on the service's thread.
class PracticeServer final : public QTcpServer
{
    Q_OBJECT

public:
    PracticeServer(Service service, int perSecond, int pauseMs, QObject *parent = nullptr);
    Q_DISABLE_COPY_MOVE(PracticeServer)

private:
    void serve(QTcpSocket *socket);
    void readHeads(QTcpSocket *socket);
    void answer(QTcpSocket *socket, const QByteArray &head);

    const Service m_service;
    FixedWindow m_window;
    const int m_pauseMs;
    QElapsedTimer m_since;
};

} // namespace muster::practice
