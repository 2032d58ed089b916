// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/limits/freednotice.h"

namespace muster {

void FreedNotice::tell(InstanceId instance) const
{
    if (const auto listener = m_listener; listener && *listener)
        (*listener)(instance);
}

} // namespace muster
