// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

#include "core/report/exportoptions.h"
#include "core/store/storereader.h"

namespace muster {

/// What one line of an export is made from; those that its kind does not have are null.
struct ExportLine
{
    const RowView *row = nullptr;
    const AttemptView *attempt = nullptr;
    const FailureGroup *group = nullptr;
    int record = -1; ///< index into the row's records
};

/// One fixed column. `append` writes the cell, or nothing where there is no value: numbers plain, times ISO
/// 8601 in UTC with milliseconds.
struct FixedColumn
{
    enum class Form { Text, Number };
    const char *name;
    Form form;
    bool (*fromNet)(const ExportLine &); ///< null: never
    void (*append)(const ExportLine &, QByteArray &out);
};

/// The one table of fixed columns (spec 12), in their order.
std::span<const FixedColumn> fixedColumns(ExportWhat what);

/// "2026-11-30T20:54:08.123Z"; nothing for the epoch, which means "no such time".
void appendTime(Utc time, QByteArray &out);

} // namespace muster
