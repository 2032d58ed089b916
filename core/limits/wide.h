// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace muster {

/// Wide enough for every product of a burst, a rate and a time on the monotonic clock, so that token levels
/// are exact integers. GCC's and Clang's extension.
__extension__ typedef __int128 Wide;

} // namespace muster
