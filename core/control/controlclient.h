// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <QString>
#include <tl/expected.hpp>

#include "core/control/message.h"

namespace muster {

/// Why a running writer could not be asked.
struct ControlFailure
{
    enum class Kind {
        NobodyThere, ///< nothing listens there
        NoAnswer,    ///< it did not answer in time (exit code 7)
        Unreadable,  ///< what came is no answer
    };
    Kind kind = Kind::NoAnswer;
    QString what;
};

/// Asks the writer that listens on `socket` and waits for its answer. Blocks: for the console alone, never in
/// a thread with an event loop.
tl::expected<Reply, ControlFailure> askWriter(const QString &socket, const Command &command,
                                              std::chrono::milliseconds timeout = std::chrono::seconds(5));

} // namespace muster
