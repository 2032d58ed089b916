// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/control/controlclient.h"

#include <QDeadlineTimer>
#include <QLocalSocket>

namespace muster {

namespace {

ControlFailure noAnswer(std::chrono::milliseconds timeout)
{
    return {ControlFailure::Kind::NoAnswer,
            QStringLiteral("the program that has the project did not answer in %1 s")
                .arg(double(timeout.count()) / 1000)};
}

} // namespace

tl::expected<Reply, ControlFailure> askWriter(const QString &path, const Command &command,
                                              std::chrono::milliseconds timeout)
{
    const QDeadlineTimer deadline(timeout);
    QLocalSocket socket;
    socket.connectToServer(path);
    if (!socket.waitForConnected(static_cast<int>(deadline.remainingTime()))) {
        if (socket.error() == QLocalSocket::SocketTimeoutError)
            return tl::make_unexpected(noAnswer(timeout));
        return tl::make_unexpected(ControlFailure{ControlFailure::Kind::NobodyThere,
                                                  QStringLiteral("nobody listens on %1").arg(path)});
    }
    socket.write(command.toLine());
    while (socket.bytesToWrite() > 0 && !deadline.hasExpired())
        if (!socket.waitForBytesWritten(static_cast<int>(deadline.remainingTime())))
            break;
    QByteArray line;
    while (!line.endsWith('\n')) {
        if (socket.bytesAvailable() == 0 &&
            !socket.waitForReadyRead(static_cast<int>(deadline.remainingTime()))) {
            if (deadline.hasExpired() || socket.error() == QLocalSocket::SocketTimeoutError)
                return tl::make_unexpected(noAnswer(timeout));
            return tl::make_unexpected(
                ControlFailure{ControlFailure::Kind::Unreadable,
                               QStringLiteral("the program that has the project hung up")});
        }
        line += socket.readLine(mostReplyBytes);
        if (line.size() > mostReplyBytes)
            return tl::make_unexpected(
                ControlFailure{ControlFailure::Kind::Unreadable, QStringLiteral("the answer is too long")});
    }
    const auto reply = Reply::fromLine(line);
    if (!reply)
        return tl::make_unexpected(ControlFailure{ControlFailure::Kind::Unreadable, reply.error()});
    return *reply;
}

} // namespace muster
