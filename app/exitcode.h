// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <tl/expected.hpp>

#include "core/store/jobstore.h"

namespace muster {

/// How a command ends (spec 10). Public numbers.
enum class ExitCode : int {
    Ok = 0,
    Unexpected = 1,
    Usage = 2,
    TooManyFailures = 3,
    QueueRemains = 4,
    Unreadable = 5,
    CannotWrite = 6,
    InUse = 7,
    Unreachable = 8,
    Interrupted = 130,
    Terminated = 143,
};

/// Why a command cannot go on: the code it ends with and one line for standard error.
struct Stop
{
    ExitCode code = ExitCode::Unexpected;
    QString what;
};
template <typename T>
using OrStop = tl::expected<T, Stop>;

inline tl::unexpected<Stop> stopWith(ExitCode code, QString what)
{
    return tl::unexpected<Stop>(Stop{code, std::move(what)});
}

/// The store's trouble as an exit code: busy is somebody else's lock, the rest depends on who could mend it.
inline tl::unexpected<Stop> stopWith(const StoreError &error)
{
    switch (error.kind) {
    case StoreError::Kind::Busy:
        return stopWith(ExitCode::InUse, error.what);
    case StoreError::Kind::Full:
    case StoreError::Kind::ReadOnly:
        return stopWith(ExitCode::CannotWrite, error.what);
    case StoreError::Kind::Corrupt:
    case StoreError::Kind::Gone:
        return stopWith(ExitCode::Unreadable, error.what);
    case StoreError::Kind::Internal:
        break;
    }
    return stopWith(ExitCode::Unexpected, error.what);
}

} // namespace muster
