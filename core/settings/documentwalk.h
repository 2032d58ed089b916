// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/settings/jsonnode.h"
#include "core/settings/problem.h"

namespace muster {

/// Every member of the document against the table of keys: unknown and doubled names, types, ranges, words,
/// what comes later, what is required. Errors only.
Problems checkKeys(const JsonNode &document);

/// How an item of a list is called in places and dotted keys: its name or id where it has a good one that no
/// earlier item has, else its index from 0.
QString itemName(const JsonNode &list, std::size_t index, const char *id);

} // namespace muster
