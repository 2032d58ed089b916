// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <QByteArray>
#include <QString>
#include <QVector>

#include "tests/support/faultscript.h"

namespace muster {

class FaultLoop;

/// A raw-socket HTTP server that misbehaves on demand, with an append-only log of what reached it. One thread
/// of its own, many listeners on port 0 of 127.0.0.x. What it does is picked by path: the rows of the fault
/// catalogue under `/F..` (faultpages.h), the plain pages `/ok`, `/bytes?n=`, `/delay?ms=`, `/status?code=`,
/// `/to?code=&url=`, `/echo`, and routes of the test. Every path takes `times=n`: the fault for its first n
/// requests, then 200. All functions may be called from any thread.
class FaultServer final
{
public:
    using Route = std::function<FaultScript(const FaultHit &)>;
    enum class Mode {
        Serve,
        CloseAtOnce, ///< F03: accepts and closes; each connection is a hit
        Refuse,      ///< F01: a port that nobody listens on
        Backlog,     ///< F02: the accept queue is full, further SYNs are dropped
    };

    FaultServer();
    ~FaultServer();
    Q_DISABLE_COPY_MOVE(FaultServer)

    /// Listeners to have beside "main" (127.0.0.1) and "other" (127.0.0.2); before start().
    void addListener(const QByteArray &name, const QByteArray &address, Mode mode = Mode::Serve);
    /// Answers to a path of the test's own; before start(). `route` runs on the server's thread.
    void route(const QByteArray &path, Route route);
    /// Every request is also written there as JSON lines, at once, for checks after a kill; before start().
    void setLogFile(const QString &file);
    /// False, with a message on standard error, where a socket cannot be had.
    bool start();
    void stop();

    int port(const QByteArray &name = "main") const;
    QByteArray address(const QByteArray &name = "main") const;
    /// `http://address:port` and the path.
    QByteArray url(const QByteArray &path, const QByteArray &listener = "main") const;

    QVector<FaultHit> log() const;
    /// Hits whose path is `path`, with any query; of all listeners.
    int hits(const QByteArray &path) const;
    int hitsOn(const QByteArray &listener) const;
    void clearLog();
    /// Most requests that were being answered at once.
    int maxConcurrent(const QByteArray &listener = "main") const;
    int connectionsMade(const QByteArray &listener = "main") const;

private:
    std::unique_ptr<FaultLoop> d;
};

} // namespace muster
