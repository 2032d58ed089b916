// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <QString>

#include "app/exitcode.h"

namespace muster {

/// One export as a person asks for it; empty texts: the project's settings, or the defaults.
struct ExportPlan
{
    QString project;
    QString to;     ///< path; - is standard output
    QString format; ///< csv, tsv, jsonl; empty: by the ending of `to`, else csv
    QString what = QStringLiteral("rows");
    QString columns;
    QString where;
    std::optional<bool> bom;
    bool rawCells = false;
};

struct Exported
{
    qint64 rows = 0;
    QString said; ///< one line: what was written where, and what was changed in it
};

/// Whether an export could go there, looked at before a long crawl.
OrStop<void> canBeWritten(const QString &to);

/// Reads one snapshot of the project and writes the file, whole or not at all. Blocks; any thread.
OrStop<Exported> exportProject(const ExportPlan &plan);

} // namespace muster
