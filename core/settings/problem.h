// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QVector>

namespace muster {

/// Something wrong with what a person gave us: where, why, and what to do about it. Never holds a secret.
struct Problem
{
    enum class Severity { Error, Warning };
    Severity severity = Severity::Error;
    QString place;  ///< "limiters.maps.rate", "line 17", "--rate"
    QString reason; ///< "0 is not a rate"
    QString mend;   ///< "to stop, pause; to lift the limit, leave the key out"
    bool operator==(const Problem &) const = default;
};
using Problems = QVector<Problem>;

/// "limiters.maps.rate: 0 is not a rate; to stop, pause" - one line, for standard error.
QString sentence(const Problem &problem);
bool hasErrors(const Problems &problems);

} // namespace muster
