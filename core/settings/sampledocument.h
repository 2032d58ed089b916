// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/settings/problem.h"
#include "core/settings/settingskeys.h"

namespace muster {

/// The smallest document in which this key has that value: what its block requires is there as examples, a
/// list has one item. `spelling` replaces the key's own name. Dialogs show it as an example; tests walk the
/// table with it.
QByteArray sampleDocument(const SettingsKey &key, const QByteArray &value, const QString &spelling = {});

/// Follows the mend of a problem of parseSettings to the letter: renames an unknown key, writes the value
/// after "for example", or leaves the named key out. Nothing where the mend is none of these.
std::optional<QByteArray> withMend(const QByteArray &json, const Problem &problem);

} // namespace muster
