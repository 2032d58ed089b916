// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "core/job/moment.h"

namespace muster {

/// Who writes to a project now.
struct WriterInfo
{
    QString program;
    qint64 pid = 0;
    QString host;
    Utc since{};
    QString socket; ///< path of its control socket; empty: it listens on none
    bool operator==(const WriterInfo &) const = default;
};

} // namespace muster
