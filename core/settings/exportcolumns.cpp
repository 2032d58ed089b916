// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/settings/exportcolumns.h"

#include <algorithm>
#include <QLatin1String>

namespace muster {

bool isFixedExportColumn(QStringView name)
{
    return std::any_of(fixedExportColumns.begin(), fixedExportColumns.end(), [name](const char *column) {
        return name.compare(QLatin1String(column), Qt::CaseInsensitive) == 0;
    });
}

} // namespace muster
