// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QVector>

#include "core/job/answer.h"

namespace muster {

/// One request as the fault server saw it.
struct FaultHit
{
    qint64 seq = 0;
    qint64 atNs = 0; ///< CLOCK_MONOTONIC
    QByteArray listener;
    qint64 connection = 0;
    int onConnection = 0; ///< 1 for the first request of its connection
    QByteArray method;
    QByteArray target; ///< path and query
    QVector<RawHeader> headers;
    QByteArray body;
    qint64 bytesSent = 0;
    QByteArray ended; ///< kept, fin, reset, peer (the client closed), or empty while it runs

    QByteArray path() const
    {
        return target.left(target.indexOf('?') < 0 ? target.size() : target.indexOf('?'));
    }
    QByteArray query(const QByteArray &name) const;
    QByteArray header(QByteArrayView name) const;
};

/// What the server does for one request, step by step. After the last step the connection waits for its next
/// request.
struct FaultStep
{
    enum class Do { Send, Wait, Repeat, Fin, Reset, Hold };
    Do what = Do::Send;
    QByteArray bytes;
    int ms = 0;        ///< Wait, Repeat: between two
    qint64 times = -1; ///< Repeat: -1 for ever
};
using FaultScript = QVector<FaultStep>;

namespace fault {

/// How long a fault lets a client act. Qt sends again by itself, and our stop has to cross from one thread to
/// another: a server without any latency, on a busy machine, would see the third send before it.
inline constexpr int latencyMs = 25;

inline FaultStep send(QByteArray bytes)
{
    return {FaultStep::Do::Send, std::move(bytes), 0, -1};
}
inline FaultStep wait(int ms)
{
    return {FaultStep::Do::Wait, {}, ms, -1};
}
inline FaultStep repeat(QByteArray bytes, int everyMs, qint64 times = -1)
{
    return {FaultStep::Do::Repeat, std::move(bytes), everyMs, times};
}
inline FaultStep fin()
{
    return {FaultStep::Do::Fin, {}, 0, -1};
}
inline FaultStep reset()
{
    return {FaultStep::Do::Reset, {}, 0, -1};
}
inline FaultStep hold()
{
    return {FaultStep::Do::Hold, {}, 0, -1};
}

/// A right answer with a Content-Length; `headers` end with CR LF each.
QByteArray answer(int status, const QByteArray &body = "ok", const QByteArray &headers = {});
QByteArray gzip(const QByteArray &data);
/// `mebi` MiB of zeros as gzip, made without holding them.
QByteArray gzipBomb(int mebi);
/// A deflate stream, with the zlib frame or raw.
QByteArray deflate(const QByteArray &data, bool raw);

} // namespace fault

} // namespace muster
