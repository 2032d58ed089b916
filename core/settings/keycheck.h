// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "core/settings/problem.h"
#include "core/settings/settingskeys.h"

namespace muster {

/// What is wrong with a value by its row of the table alone; `place` names it. For a key whose code comes
/// later the mend is to leave `laterRoot` out, the outermost key above it that comes later. Containers are
/// checked for their own type only.
std::optional<Problem> checkValue(const SettingsKey &key, const JsonNode &value, const QString &place,
                                  const QString &laterRoot);

/// [a-z0-9_-]+
bool isSettingsName(QStringView name);
/// A token of RFC 9110 5.6.2: what a header may be called.
bool isHeaderName(const QString &name);
/// "5", "[1,2]", "\"a longer te...\"": a value as it is told in a message.
QString shown(const JsonNode &value);

} // namespace muster
