// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/faultserver.h"

#include <algorithm>
#include <cstdio>
#include <sys/eventfd.h>
#include <unistd.h>

#include "tests/support/faultloop.h"

namespace muster {

FaultServer::FaultServer()
    : d(std::make_unique<FaultLoop>())
{
    addListener("main", "127.0.0.1");
    addListener("other", "127.0.0.2");
}

FaultServer::~FaultServer()
{
    stop();
}

void FaultServer::addListener(const QByteArray &name, const QByteArray &address, Mode mode)
{
    FaultListener &l = d->listeners.emplace_back();
    l.name = name;
    l.address = address;
    l.mode = mode;
}

void FaultServer::route(const QByteArray &path, Route route)
{
    d->routes[path] = std::move(route);
}

void FaultServer::setLogFile(const QString &file)
{
    d->logFile = file;
}

bool FaultServer::start()
{
    for (FaultListener &l : d->listeners)
        if (!d->open(l))
            return false;
    d->wake = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    d->stopping = false;
    d->thread = std::thread([this] { d->run(); });
    return true;
}

void FaultServer::stop()
{
    if (!d->thread.joinable())
        return;
    d->stopping = true;
    const quint64 one = 1;
    if (::write(d->wake, &one, sizeof one) < 0)
        std::perror("fault server");
    d->thread.join();
    ::close(d->wake);
    d->closeAll();
}

int FaultServer::port(const QByteArray &name) const
{
    return d->listener(name).port;
}

QByteArray FaultServer::address(const QByteArray &name) const
{
    return d->listener(name).address;
}

QByteArray FaultServer::url(const QByteArray &path, const QByteArray &listener) const
{
    return "http://" + address(listener) + ':' + QByteArray::number(port(listener)) + path;
}

QVector<FaultHit> FaultServer::log() const
{
    const std::lock_guard lock(d->mutex);
    return d->log;
}

int FaultServer::hits(const QByteArray &path) const
{
    const std::lock_guard lock(d->mutex);
    return static_cast<int>(
        std::count_if(d->log.begin(), d->log.end(), [&](const FaultHit &h) { return h.path() == path; }));
}

int FaultServer::hitsOn(const QByteArray &listener) const
{
    const std::lock_guard lock(d->mutex);
    return static_cast<int>(std::count_if(d->log.begin(), d->log.end(),
                                          [&](const FaultHit &h) { return h.listener == listener; }));
}

void FaultServer::clearLog()
{
    const std::lock_guard lock(d->mutex);
    d->log.clear();
}

int FaultServer::maxConcurrent(const QByteArray &listener) const
{
    return d->listener(listener).most;
}

int FaultServer::connectionsMade(const QByteArray &listener) const
{
    return d->listener(listener).connections;
}

} // namespace muster
