// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/faultloop.h"

#include <algorithm>
#include <arpa/inet.h>
#include <cstdio>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <QJsonDocument>
#include <QJsonObject>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "tests/support/faultpages.h"

namespace muster {

namespace {

qint64 monotonicNs()
{
    timespec t{};
    clock_gettime(CLOCK_MONOTONIC, &t);
    return qint64(t.tv_sec) * 1'000'000'000 + t.tv_nsec;
}

sockaddr_in socketAddress(const QByteArray &address, int port)
{
    sockaddr_in a{};
    a.sin_family = AF_INET;
    a.sin_port = htons(static_cast<quint16>(port));
    inet_pton(AF_INET, address.constData(), &a.sin_addr);
    return a;
}

} // namespace

bool FaultLoop::open(FaultListener &l)
{
    l.fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    sockaddr_in a = socketAddress(l.address, 0);
    socklen_t size = sizeof a;
    if (l.fd < 0 || ::bind(l.fd, reinterpret_cast<sockaddr *>(&a), size) != 0 ||
        ::getsockname(l.fd, reinterpret_cast<sockaddr *>(&a), &size) != 0) {
        std::perror("fault server");
        return false;
    }
    l.port = ntohs(a.sin_port);
    if (l.mode == FaultServer::Mode::Refuse)
        return true; // bound, so nobody else gets the port, but not listening: refused
    if (::listen(l.fd, l.mode == FaultServer::Mode::Backlog ? 0 : 4096) != 0)
        return false;
    for (int i = 0; l.mode == FaultServer::Mode::Backlog && i < 4; ++i) {
        const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
        ::connect(fd, reinterpret_cast<sockaddr *>(&a), size);
        l.fillers.push_back(fd);
    }
    return true;
}

void FaultLoop::closeAll()
{
    for (FaultConnection &c : m_connections)
        if (!c.dead)
            ::close(c.fd);
    m_connections.clear();
    for (FaultListener &l : listeners) {
        for (const int fd : l.fillers)
            ::close(fd);
        if (l.fd >= 0)
            ::close(l.fd);
        l.fd = -1;
        l.fillers.clear();
    }
}

int FaultLoop::timeout() const
{
    qint64 next = -1;
    for (const FaultConnection &c : m_connections)
        if (c.wakeNs > 0 && (next < 0 || c.wakeNs < next))
            next = c.wakeNs;
    if (next < 0)
        return -1;
    return static_cast<int>(std::max<qint64>(0, (next - monotonicNs() + 999'999) / 1'000'000));
}

void FaultLoop::run()
{
    if (!logFile.isEmpty()) {
        m_file.setFileName(logFile);
        if (!m_file.open(QIODevice::WriteOnly | QIODevice::Append | QIODevice::Unbuffered))
            qFatal("the log file cannot be written");
    }
    std::vector<pollfd> fds;
    while (!stopping) {
        fds.clear();
        fds.push_back({wake, POLLIN, 0});
        std::vector<FaultListener *> open;
        for (FaultListener &l : listeners) {
            if (l.mode == FaultServer::Mode::Serve || l.mode == FaultServer::Mode::CloseAtOnce) {
                fds.push_back({l.fd, POLLIN, 0});
                open.push_back(&l);
            }
        }
        const std::size_t firstConnection = fds.size();
        for (const FaultConnection &c : m_connections)
            fds.push_back({c.fd, static_cast<short>(POLLIN | (c.sent < c.out.size() ? POLLOUT : 0)), 0});
        ::poll(fds.data(), fds.size(), timeout());
        std::size_t at = firstConnection;
        const qint64 now = monotonicNs();
        for (FaultConnection &c : m_connections) {
            const short events = fds[at++].revents;
            if (events & (POLLIN | POLLHUP | POLLERR))
                receive(c);
            if (!c.dead && (events & POLLOUT))
                advance(c);
            if (!c.dead && c.wakeNs > 0 && c.wakeNs <= now) {
                c.wakeNs = 0;
                advance(c);
            }
        }
        m_connections.remove_if([](const FaultConnection &c) { return c.dead; });
        for (std::size_t i = 0; i < open.size(); ++i)
            if (fds[i + 1].revents & POLLIN)
                accept(*open[i]);
    }
}

void FaultLoop::accept(FaultListener &l)
{
    for (;;) {
        const int fd = ::accept4(l.fd, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (fd < 0)
            return;
        ++l.connections;
        const int one = 1;
        ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
        FaultConnection &c = m_connections.emplace_back();
        c.fd = fd;
        c.id = m_nextConnection++;
        c.listener = &l;
        if (l.mode == FaultServer::Mode::CloseAtOnce)
            begin(c, FaultHit());
    }
}

void FaultLoop::receive(FaultConnection &c)
{
    char buffer[65536];
    for (;;) {
        const ssize_t n = ::read(c.fd, buffer, sizeof buffer);
        if (n > 0) {
            c.in.append(buffer, static_cast<qsizetype>(n));
            if (n == sizeof buffer)
                continue;
            break;
        }
        if (n == 0 || (errno != EAGAIN && errno != EINTR))
            return drop(c, "peer", false);
        break;
    }
    parse(c);
}

void FaultLoop::parse(FaultConnection &c)
{
    if (c.busy || c.dead)
        return;
    const qsizetype end = c.in.indexOf("\r\n\r\n");
    if (end < 0)
        return;
    FaultHit hit;
    const QList<QByteArray> lines = c.in.left(end).split('\n');
    const QList<QByteArray> first = lines[0].trimmed().split(' ');
    hit.method = first.value(0);
    hit.target = first.value(1);
    for (qsizetype i = 1; i < lines.size(); ++i) {
        const qsizetype colon = lines[i].indexOf(':');
        hit.headers.append({lines[i].left(colon), lines[i].mid(colon + 1).trimmed()});
    }
    const qsizetype length = hit.header("Content-Length").toLongLong();
    if (c.in.size() < end + 4 + length)
        return;
    hit.body = c.in.mid(end + 4, length);
    c.in.remove(0, end + 4 + length);
    begin(c, std::move(hit));
}

void FaultLoop::begin(FaultConnection &c, FaultHit hit)
{
    c.busy = true;
    hit.listener = c.listener->name;
    hit.connection = c.id;
    hit.onConnection = ++c.requests;
    c.script = scriptFor(hit);
    c.step = 0;
    c.repeated = 0;
    c.out.clear();
    c.sent = 0;
    const int active = ++c.listener->active;
    if (active > c.listener->most)
        c.listener->most = active;
    c.seq = record(std::move(hit));
    advance(c);
}

FaultScript FaultLoop::scriptFor(const FaultHit &hit)
{
    for (const FaultListener &l : listeners)
        if (l.name == hit.listener && l.mode == FaultServer::Mode::CloseAtOnce)
            return {fault::wait(fault::latencyMs), fault::fin()};
    const QByteArray times = hit.query("times");
    if (!times.isEmpty() && ++m_attempts[hit.target] > times.toInt())
        return {fault::send(fault::answer(200))};
    if (const auto it = routes.find(hit.path()); it != routes.end())
        return it->second(hit);
    return faultPage(hit).value_or(FaultScript{fault::send(fault::answer(404, "no such page"))});
}

bool FaultLoop::flush(FaultConnection &c)
{
    while (c.sent < c.out.size()) {
        const ssize_t n = ::send(c.fd, c.out.constData() + c.sent,
                                 static_cast<std::size_t>(c.out.size() - c.sent), MSG_NOSIGNAL);
        if (n < 0) {
            if (errno != EAGAIN)
                drop(c, "peer", false);
            return false;
        }
        c.sent += n;
        const std::lock_guard lock(mutex);
        if (!log.isEmpty() && c.seq >= log.first().seq)
            log[c.seq - log.first().seq].bytesSent += n;
    }
    c.out.clear();
    c.sent = 0;
    return true;
}

void FaultLoop::advance(FaultConnection &c)
{
    while (c.busy && !c.dead) {
        if (!flush(c) || c.wakeNs > 0)
            return;
        if (c.step >= c.script.size()) {
            finish(c, "kept");
            return parse(c);
        }
        const FaultStep &step = c.script[c.step];
        switch (step.what) {
        case FaultStep::Do::Send:
            c.out = step.bytes;
            ++c.step;
            break;
        case FaultStep::Do::Wait:
            c.wakeNs = monotonicNs() + qint64(step.ms) * 1'000'000 + 1;
            ++c.step;
            return;
        case FaultStep::Do::Repeat:
            if (step.times >= 0 && c.repeated >= step.times) {
                c.repeated = 0;
                ++c.step;
                break;
            }
            ++c.repeated;
            c.out = step.bytes;
            if (step.ms > 0)
                c.wakeNs = monotonicNs() + qint64(step.ms) * 1'000'000 + 1;
            break;
        case FaultStep::Do::Fin:
            return drop(c, "fin", false);
        case FaultStep::Do::Reset:
            return drop(c, "reset", true);
        case FaultStep::Do::Hold:
            return;
        }
    }
}

void FaultLoop::finish(FaultConnection &c, const char *how)
{
    if (!c.busy)
        return;
    c.busy = false;
    --c.listener->active;
    QJsonObject line;
    {
        const std::lock_guard lock(mutex);
        if (!log.isEmpty() && c.seq >= log.first().seq) {
            FaultHit &hit = log[c.seq - log.first().seq];
            hit.ended = how;
            line[QStringLiteral("bytes_sent")] = hit.bytesSent;
        }
    }
    line[QStringLiteral("end")] = c.seq;
    line[QStringLiteral("how")] = QString::fromLatin1(how);
    write(line);
}

void FaultLoop::drop(FaultConnection &c, const char *how, bool reset)
{
    if (c.dead)
        return;
    finish(c, how);
    c.dead = true;
    c.wakeNs = 0;
    if (reset) {
        const linger hard{1, 0};
        ::setsockopt(c.fd, SOL_SOCKET, SO_LINGER, &hard, sizeof hard);
    }
    ::close(c.fd);
}

qint64 FaultLoop::record(FaultHit hit)
{
    hit.seq = m_nextSeq++;
    hit.atNs = monotonicNs();
    QJsonObject line{{QStringLiteral("seq"), hit.seq},
                     {QStringLiteral("t_mono_ns"), QString::number(hit.atNs)},
                     {QStringLiteral("listener"), QString::fromLatin1(hit.listener)},
                     {QStringLiteral("conn_id"), hit.connection},
                     {QStringLiteral("method"), QString::fromLatin1(hit.method)},
                     {QStringLiteral("path"), QString::fromLatin1(hit.target)},
                     {QStringLiteral("body"), QString::fromUtf8(hit.body)}};
    QJsonObject headers;
    for (const RawHeader &h : hit.headers)
        headers[QString::fromLatin1(h.name)] = QString::fromLatin1(h.value);
    line[QStringLiteral("headers")] = headers;
    write(line);
    const qint64 seq = hit.seq;
    const std::lock_guard lock(mutex);
    log.append(std::move(hit));
    return seq;
}

void FaultLoop::write(const QJsonObject &line)
{
    if (m_file.isOpen())
        m_file.write(QJsonDocument(line).toJson(QJsonDocument::Compact) + '\n');
}

} // namespace muster
