// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/settings/jsonnode.h"
#include "core/settings/settings.h"

namespace muster {

/// The document as values. Members of a wrong kind stay at their default: checkKeys has told about them.
Settings readDocument(const JsonNode &document);
/// The whole document, defaults filled in, in the order of spec 11.
JsonNode documentOf(const Settings &settings);

} // namespace muster
