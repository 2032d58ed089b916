// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/faultserver.h"

#include <arpa/inet.h>
#include <atomic>
#include <cstdio>
#include <fcntl.h>
#include <list>
#include <map>
#include <mutex>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <thread>
#include <time.h>
#include <unistd.h>
#include <vector>

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

struct Listener
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

struct Connection
{
    int fd = -1;
    qint64 id = 0;
    Listener *listener = nullptr;
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

} // namespace

class FaultServer::Loop final
{
public:
    std::list<Listener> listeners;
    std::map<QByteArray, Route> routes;
    QString logFile;
    std::thread thread;
    std::atomic<bool> stopping{false};
    int wake = -1;
    mutable std::mutex mutex; ///< guards log
    QVector<FaultHit> log;

    Listener &listener(const QByteArray &name)
    {
        for (Listener &l : listeners)
            if (l.name == name)
                return l;
        qFatal("no listener of that name");
    }
    bool open(Listener &l);
    void run();
    void closeAll();

private:
    void accept(Listener &l);
    void receive(Connection &c);
    void parse(Connection &c);
    void begin(Connection &c, FaultHit hit);
    FaultScript scriptFor(const FaultHit &hit);
    void advance(Connection &c);
    bool flush(Connection &c);
    void finish(Connection &c, const char *how);
    void drop(Connection &c, const char *how, bool reset);
    int timeout() const;
    qint64 record(FaultHit hit);
    void write(const QJsonObject &line);

    std::list<Connection> m_connections;
    std::map<QByteArray, int> m_attempts;
    qint64 m_nextConnection = 1;
    qint64 m_nextSeq = 1;
    QFile m_file;
};

bool FaultServer::Loop::open(Listener &l)
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
    if (l.mode == Mode::Refuse)
        return true; // bound, so nobody else gets the port, but not listening: refused
    if (::listen(l.fd, l.mode == Mode::Backlog ? 0 : 4096) != 0)
        return false;
    for (int i = 0; l.mode == Mode::Backlog && i < 4; ++i) {
        const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
        ::connect(fd, reinterpret_cast<sockaddr *>(&a), size);
        l.fillers.push_back(fd);
    }
    return true;
}

void FaultServer::Loop::closeAll()
{
    for (Connection &c : m_connections)
        if (!c.dead)
            ::close(c.fd);
    m_connections.clear();
    for (Listener &l : listeners) {
        for (const int fd : l.fillers)
            ::close(fd);
        if (l.fd >= 0)
            ::close(l.fd);
        l.fd = -1;
        l.fillers.clear();
    }
}

int FaultServer::Loop::timeout() const
{
    qint64 next = -1;
    for (const Connection &c : m_connections)
        if (c.wakeNs > 0 && (next < 0 || c.wakeNs < next))
            next = c.wakeNs;
    if (next < 0)
        return -1;
    return static_cast<int>(std::max<qint64>(0, (next - monotonicNs() + 999'999) / 1'000'000));
}

void FaultServer::Loop::run()
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
        std::vector<Listener *> open;
        for (Listener &l : listeners) {
            if (l.mode == Mode::Serve || l.mode == Mode::CloseAtOnce) {
                fds.push_back({l.fd, POLLIN, 0});
                open.push_back(&l);
            }
        }
        const std::size_t firstConnection = fds.size();
        for (const Connection &c : m_connections)
            fds.push_back({c.fd, static_cast<short>(POLLIN | (c.sent < c.out.size() ? POLLOUT : 0)), 0});
        ::poll(fds.data(), fds.size(), timeout());
        std::size_t at = firstConnection;
        const qint64 now = monotonicNs();
        for (Connection &c : m_connections) {
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
        m_connections.remove_if([](const Connection &c) { return c.dead; });
        for (std::size_t i = 0; i < open.size(); ++i)
            if (fds[i + 1].revents & POLLIN)
                accept(*open[i]);
    }
}

void FaultServer::Loop::accept(Listener &l)
{
    for (;;) {
        const int fd = ::accept4(l.fd, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (fd < 0)
            return;
        ++l.connections;
        const int one = 1;
        ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
        Connection &c = m_connections.emplace_back();
        c.fd = fd;
        c.id = m_nextConnection++;
        c.listener = &l;
        if (l.mode == Mode::CloseAtOnce)
            begin(c, FaultHit());
    }
}

void FaultServer::Loop::receive(Connection &c)
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

void FaultServer::Loop::parse(Connection &c)
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

void FaultServer::Loop::begin(Connection &c, FaultHit hit)
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

FaultScript FaultServer::Loop::scriptFor(const FaultHit &hit)
{
    for (const Listener &l : listeners)
        if (l.name == hit.listener && l.mode == Mode::CloseAtOnce)
            return {fault::wait(fault::latencyMs), fault::fin()};
    const QByteArray times = hit.query("times");
    if (!times.isEmpty() && ++m_attempts[hit.target] > times.toInt())
        return {fault::send(fault::answer(200))};
    if (const auto it = routes.find(hit.path()); it != routes.end())
        return it->second(hit);
    return faultPage(hit).value_or(FaultScript{fault::send(fault::answer(404, "no such page"))});
}

bool FaultServer::Loop::flush(Connection &c)
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

void FaultServer::Loop::advance(Connection &c)
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

void FaultServer::Loop::finish(Connection &c, const char *how)
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

void FaultServer::Loop::drop(Connection &c, const char *how, bool reset)
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

qint64 FaultServer::Loop::record(FaultHit hit)
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

void FaultServer::Loop::write(const QJsonObject &line)
{
    if (m_file.isOpen())
        m_file.write(QJsonDocument(line).toJson(QJsonDocument::Compact) + '\n');
}

FaultServer::FaultServer()
    : d(std::make_unique<Loop>())
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
    Listener &l = d->listeners.emplace_back();
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
    for (Listener &l : d->listeners)
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
