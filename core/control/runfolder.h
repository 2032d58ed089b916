// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <tl/expected.hpp>

namespace muster {

/// The folder for sockets, made with mode 0700 where it is missing: `muster` in $XDG_RUNTIME_DIR, else
/// `muster/run` in $XDG_STATE_HOME, else in ~/.local/state. Refused when it is not ours alone. The error is a
/// sentence.
tl::expected<QString, QString> runFolder();

/// The socket of a project: its name is a hash of the canonical path, because socket paths end at 107 bytes.
tl::expected<QString, QString> socketPath(const QString &project);

/// The path by which every spelling of it, also through links, is known. Works for files yet to be made.
QString canonicalPath(const QString &path);

} // namespace muster
