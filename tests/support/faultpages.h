// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "tests/support/faultscript.h"

namespace muster {

/// The script of a built-in path: the fault catalogue (reliability.md 2.2) and the plain pages; nothing for
/// an unknown one. Pure.
std::optional<FaultScript> faultPage(const FaultHit &hit);

} // namespace muster
