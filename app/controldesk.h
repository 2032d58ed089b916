// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "app/exitcode.h"
#include "core/control/controlserver.h"

namespace muster {

class Engine;

/// Carries out what consoles ask of a running writer over its local socket, and answers after the commit. One
/// to an engine, on its thread.
class ControlDesk final
{
public:
    explicit ControlDesk(Engine &engine);
    ~ControlDesk();
    Q_DISABLE_COPY_MOVE(ControlDesk)

    OrStop<void> listen(const WriterLock &lock);

private:
    void handle(const Command &command, const ControlServer::ReplyTo &replyTo);

    Engine &m_engine;
    ControlServer m_server;
};

} // namespace muster
