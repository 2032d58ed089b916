// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

#include "core/settings/settingskeys.h"

/// The rows by block; settingskeys.cpp puts them together. Nobody else includes this.
namespace muster::keytables {

std::span<const SettingsKey> base();     ///< version, name, team, input
std::span<const SettingsKey> request();  ///< request, auth, cookies, retry
std::span<const SettingsKey> limiters(); ///< limiters
std::span<const SettingsKey> hosts();    ///< outage to proxies
std::span<const SettingsKey> refine();   ///< errorRules, records, next, fields
std::span<const SettingsKey> rest();     ///< follow to export

} // namespace muster::keytables
