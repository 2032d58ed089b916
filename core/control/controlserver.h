// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <QObject>
#include <tl/expected.hpp>

#include "core/control/message.h"
#include "core/control/writerlock.h"

namespace muster {

/// The writer's ear: a local socket in a folder of ours, JSON lines in and out, one command at a time for
/// each connection. Listens only while it is shown the writer's lock, because Qt would take a live name over
/// silently. Bad input is answered with an error; what is too long, or one connection too many, is cut off.
/// Event-loop thread of its owner, the application.
class ControlServer final : public QObject
{
    Q_OBJECT

public:
    using ReplyTo = std::function<void(Reply)>; ///< call it once, now or after a commit; same thread
    using Handler = std::function<void(Command, ReplyTo)>;

    explicit ControlServer(Handler handler, QObject *parent = nullptr);
    ~ControlServer() override; ///< stops listening and removes the socket
    Q_DISABLE_COPY_MOVE(ControlServer)

    /// Listens on `lock.info().socket`. The error is a sentence.
    tl::expected<void, QString> listen(const WriterLock &lock);

private:
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace muster
