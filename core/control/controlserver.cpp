// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/control/controlserver.h"

#include <QLocalServer>
#include <QLocalSocket>
#include <QPointer>

namespace muster {

namespace {

constexpr int mostConnections = 32;

/// One console that talks to us. Owned by its socket.
class Conversation final : public QObject
{
public:
    Conversation(QLocalSocket *socket, const ControlServer::Handler &handler)
        : QObject(socket)
        , m_socket(socket)
        , m_handler(handler)
    {
        socket->setReadBufferSize(mostCommandBytes + 1);
        connect(socket, &QLocalSocket::readyRead, this, &Conversation::read);
    }

private:
    void read()
    {
        // One at a time: replies stay in the order of the commands.
        while (!m_waiting && !m_over) {
            if (!m_socket->canReadLine()) {
                if (m_socket->bytesAvailable() > mostCommandBytes) {
                    m_over = true;
                    send(Reply::failed(
                        QStringLiteral("the command is longer than %1 bytes").arg(mostCommandBytes)));
                    m_socket->disconnectFromServer();
                }
                return;
            }
            const QByteArray line = m_socket->readLine(mostCommandBytes + 2);
            const auto command = Command::fromLine(line);
            if (!command) {
                send(Reply::failed(command.error()));
                continue;
            }
            m_waiting = true;
            const QPointer<Conversation> self(this);
            m_handler(*command, [self, answered = std::make_shared<bool>(false)](const Reply &reply) {
                if (!self || std::exchange(*answered, true))
                    return; // it went away, or has its answer
                self->send(reply);
                self->m_waiting = false;
                QMetaObject::invokeMethod(
                    self, [self] { self->read(); }, Qt::QueuedConnection);
            });
        }
    }
    void send(const Reply &reply)
    {
        QByteArray line = reply.toLine();
        if (line.size() > mostReplyBytes)
            line = Reply::failed(QStringLiteral("the answer is longer than %1 bytes").arg(mostReplyBytes))
                       .toLine();
        m_socket->write(line);
        m_socket->flush();
    }

    QLocalSocket *m_socket;
    const ControlServer::Handler &m_handler;
    bool m_waiting = false;
    bool m_over = false;
};

} // namespace

struct ControlServer::Private
{
    Handler handler;
    QLocalServer server;
    int open = 0;
};

ControlServer::ControlServer(Handler handler, QObject *parent)
    : QObject(parent)
    , d(std::make_unique<Private>())
{
    d->handler = std::move(handler);
    d->server.setSocketOptions(QLocalServer::UserAccessOption);
    connect(&d->server, &QLocalServer::newConnection, this, [this] {
        while (QLocalSocket *socket = d->server.nextPendingConnection()) {
            connect(socket, &QLocalSocket::disconnected, socket, &QObject::deleteLater);
            if (d->open >= mostConnections) {
                socket->abort();
                continue;
            }
            ++d->open;
            connect(socket, &QObject::destroyed, this, [this] { --d->open; });
            new Conversation(socket, d->handler);
        }
    });
}

ControlServer::~ControlServer()
{
    d->server.close();
    for (QLocalSocket *socket : d->server.findChildren<QLocalSocket *>())
        socket->disconnect(this);
}

tl::expected<void, QString> ControlServer::listen(const WriterLock &lock)
{
    const QString &path = lock.info().socket;
    if (path.isEmpty())
        return tl::make_unexpected(QStringLiteral("the lock names no socket"));
    // Ours by the lock: what lies there is from a writer that died.
    QLocalServer::removeServer(path);
    if (!d->server.listen(path))
        return tl::make_unexpected(
            QStringLiteral("cannot listen on %1: %2").arg(path, d->server.errorString()));
    return {};
}

} // namespace muster

#include <moc_controlserver.cpp>
