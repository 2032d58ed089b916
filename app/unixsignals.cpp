// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/unixsignals.h"

#include <array>
#include <csignal>
#include <fcntl.h>
#include <QSocketNotifier>
#include <unistd.h>

namespace muster {

namespace {

// A handler may only touch what is async-signal-safe, so these two stand at file scope.
std::array<int, 2> pipeEnds{-1, -1};

void handler(int signal)
{
    const char byte = static_cast<char>(signal);
    [[maybe_unused]] const auto written = ::write(pipeEnds[1], &byte, 1);
}

} // namespace

UnixSignals::UnixSignals(QObject *parent)
    : QObject(parent)
{
    if (::pipe2(pipeEnds.data(), O_CLOEXEC | O_NONBLOCK) != 0)
        return;
    auto *notifier = new QSocketNotifier(pipeEnds[0], QSocketNotifier::Read, this);
    connect(notifier, &QSocketNotifier::activated, this, &UnixSignals::read);
    struct sigaction action = {};
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;
    ::sigaction(SIGINT, &action, nullptr);
    ::sigaction(SIGTERM, &action, nullptr);
    std::signal(SIGPIPE, SIG_IGN);
}

UnixSignals::~UnixSignals()
{
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGTERM, SIG_DFL);
    for (int &end : pipeEnds) {
        ::close(end);
        end = -1;
    }
}

void UnixSignals::read()
{
    char byte = 0;
    while (::read(pipeEnds[0], &byte, 1) == 1) {
        const bool first = m_last == 0;
        m_last = byte;
        if (first)
            Q_EMIT asked(byte);
        else
            Q_EMIT insisted();
    }
}

} // namespace muster
