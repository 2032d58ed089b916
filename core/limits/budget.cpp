// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/limits/budget.h"

namespace muster {

void Budget::giveBack()
{
    Q_ASSERT(m_out > 0);
    --m_out;
}

} // namespace muster
