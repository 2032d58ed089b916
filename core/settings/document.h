// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>
#include <tl/expected.hpp>

#include "core/settings/problem.h"
#include "core/settings/settings.h"

namespace muster {

/// A parsed document with the warnings it earned.
struct ParsedSettings
{
    Settings settings;
    Problems warnings;
};

/// Reads a settings document: every mistake is named at once (key, reason, mend), unknown keys with the
/// nearest known one, keys whose code comes later unless at their default. Checks single values by the table
/// of keys and what belongs together inside the document (names used once, cost within burst, rates that
/// parse).
tl::expected<ParsedSettings, Problems> parseSettings(const QByteArray &json);

/// The whole document with defaults filled in, in the order of spec 11.
QByteArray settingsToJson(const Settings &settings);

/// `settings get/set`: dotted keys, list items by name or id (`limiters.maps.rate`). A value that is no JSON
/// is taken as a string. set returns the new document, unchecked (run parseSettings on it).
tl::expected<QByteArray, Problem> settingsValue(const QByteArray &json, const QString &key);
tl::expected<QByteArray, Problem> settingsWith(const QByteArray &json, const QString &key,
                                               const QByteArray &value);
/// The document without that member or item; as it was where the key is absent.
tl::expected<QByteArray, Problem> settingsWithout(const QByteArray &json, const QString &key);

} // namespace muster
