// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/job/timings.h"

namespace muster {

const char *waitReasonName(WaitReason reason)
{
    static constexpr std::array<const char *, waitReasonCount> names{
        "queue",  "bucket",     "quota",   "at_once",    "host_closed", "retry_time",
        "proxy",  "connection", "connect", "first_byte", "body",        "refine",
        "record", "held",       "hours",   "disk",       "offline"};
    return names[static_cast<std::size_t>(reason)];
}

} // namespace muster
