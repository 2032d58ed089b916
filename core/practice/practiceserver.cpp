// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/practice/practiceserver.h"

#include <QTcpSocket>
#include <QTimer>

namespace muster::practice {

namespace {

constexpr qsizetype maxHead = 64 * 1024;

QByteArray reason(int status)
{
    switch (status) {
    case 200:
        return "OK";
    case 301:
        return "Moved Permanently";
    case 404:
        return "Not Found";
    case 429:
        return "Too Many Requests";
    default:
        return "Internal Server Error";
    }
}

QByteArray written(const Page &page, bool head)
{
    QByteArray out = "HTTP/1.1 " + QByteArray::number(page.status) + ' ' + reason(page.status) +
                     "\r\nContent-Type: " + page.type +
                     "\r\nContent-Length: " + QByteArray::number(page.body.size()) + "\r\n";
    for (const RawHeader &h : page.headers)
        out += h.name + ": " + h.value + "\r\n";
    return out + "\r\n" + (head ? QByteArray() : page.body);
}

} // namespace

PracticeServer::PracticeServer(Service service, int perSecond, int pauseMs, QObject *parent)
    : QTcpServer(parent)
    , m_service(service)
    , m_window(perSecond)
    , m_pauseMs(pauseMs)
{
    m_since.start();
    connect(this, &QTcpServer::newConnection, this, [this] {
        while (QTcpSocket *socket = nextPendingConnection())
            serve(socket);
    });
}

void PracticeServer::serve(QTcpSocket *socket)
{
    connect(socket, &QTcpSocket::readyRead, this, [this, socket] { readHeads(socket); });
    connect(socket, &QTcpSocket::disconnected, socket, &QObject::deleteLater);
}

void PracticeServer::readHeads(QTcpSocket *socket)
{
    QByteArray head = socket->property("head").toByteArray() + socket->readAll();
    for (qsizetype end = head.indexOf("\r\n\r\n"); end >= 0; end = head.indexOf("\r\n\r\n")) {
        answer(socket, head.left(end + 2)); // a head of one line has its line end too
        head.remove(0, end + 4);
    }
    if (head.size() > maxHead) {
        socket->abort();
        return;
    }
    socket->setProperty("head", head);
}

void PracticeServer::answer(QTcpSocket *socket, const QByteArray &head)
{
    const QList<QByteArray> line = head.left(head.indexOf('\r')).split(' ');
    const bool isHead = line.value(0) == "HEAD";
    const qint64 refusedFor = m_window.ask(m_since.elapsed());
    const QByteArray bytes = written(answerOf(m_service, line.value(1), refusedFor), isHead);
    QTimer::singleShot(m_pauseMs, socket, [socket, bytes] { socket->write(bytes); });
}

} // namespace muster::practice
