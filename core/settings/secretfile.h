// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <QByteArray>
#include <QString>
#include <tl/expected.hpp>

#include "core/settings/problem.h"
#include "core/settings/secrets.h"

namespace muster {

/// How strictly the file's mode is looked at: a person's own file must be 0600 or stricter; systemd guards
/// the folder of credentials itself and may give group rights to the file.
enum class SecretFileMode : quint8 { OwnerOnly, AsGiven };

/// Reads lines `NAME=value` (NAME in any case; blank and # lines are none; a value reaches to the end of its
/// line). No such file: an empty book where `optional`. Mode and content are of the same open file.
tl::expected<SecretBook, Problems> readSecretFile(const QString &path, SecretFileMode mode, bool optional);

/// `secret set`: puts or replaces one secret in the file, atomically and durably, mode 0600, its folder made
/// with mode 0700. One line end at the end of the value is dropped (it came from a pipe). The other lines
/// stay as they are. Waits up to 5 s for another writer.
std::optional<Problem> storeSecret(const QString &path, const QByteArray &name, const Secret &value);

} // namespace muster
