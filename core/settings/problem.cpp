// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/settings/problem.h"

#include <algorithm>

namespace muster {

QString sentence(const Problem &p)
{
    QString s = p.place.isEmpty() ? p.reason : p.place + QStringLiteral(": ") + p.reason;
    if (!p.mend.isEmpty())
        s += QStringLiteral("; ") + p.mend;
    return s;
}

bool hasErrors(const Problems &problems)
{
    return std::any_of(problems.begin(), problems.end(),
                       [](const Problem &p) { return p.severity == Problem::Severity::Error; });
}

} // namespace muster
