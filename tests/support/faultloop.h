// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <list>
#include <map>
#include <mutex>
#include <QFile>
#include <thread>
#include <vector>

#include "tests/support/faultserver.h"

class QJsonObject;

namespace muster {

struct FaultListener
{
    QByteArray name;
    QByteArray address;
    FaultServer::Mode mode = FaultServer::Mode::Serve;
    int fd = -1;
    int port = 0;
    std::vector<int> fillers; ///< connections that keep a backlog full
    std::atomic<int> active{0};
    std::atomic<int> most{0};
    std::atomic<int> connections{0};
};

struct FaultConnection
{
    int fd = -1;
    qint64 id = 0;
    FaultListener *listener = nullptr;
    QByteArray in;
    QByteArray out;
    qsizetype sent = 0;
    int requests = 0;
    bool busy = false;
    qint64 seq = -1;
    FaultScript script;
    qsizetype step = 0;
    qint64 repeated = 0;
    qint64 wakeNs = 0; ///< 0: no wait
    bool dead = false;
};

/// The thread behind a FaultServer: poll(), the connections and what each of them is at. What is public is
/// set up before start() or guarded by `mutex`.
class FaultLoop final
{
public:
    std::list<FaultListener> listeners;
    std::map<QByteArray, FaultServer::Route> routes;
    QString logFile;
    std::thread thread;
    std::atomic<bool> stopping{false};
    int wake = -1;
    mutable std::mutex mutex; ///< guards log
    QVector<FaultHit> log;

    FaultListener &listener(const QByteArray &name)
    {
        for (FaultListener &l : listeners)
            if (l.name == name)
                return l;
        qFatal("no listener of that name");
    }
    bool open(FaultListener &l);
    void run();
    void closeAll();

private:
    void accept(FaultListener &l);
    void receive(FaultConnection &c);
    void parse(FaultConnection &c);
    void begin(FaultConnection &c, FaultHit hit);
    FaultScript scriptFor(const FaultHit &hit);
    void advance(FaultConnection &c);
    bool flush(FaultConnection &c);
    void finish(FaultConnection &c, const char *how);
    void drop(FaultConnection &c, const char *how, bool reset);
    int timeout() const;
    qint64 record(FaultHit hit);
    void write(const QJsonObject &line);

    std::list<FaultConnection> m_connections;
    std::map<QByteArray, int> m_attempts;
    qint64 m_nextConnection = 1;
    qint64 m_nextSeq = 1;
    QFile m_file;
};

} // namespace muster
