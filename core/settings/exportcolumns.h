// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <QStringView>

namespace muster {

/// The names of the fixed export columns, in their order (spec 12): `check` refuses fields of these names,
/// `export.columns` may name them. The report, which settings may not know, has the same with their values
/// (core/report/fixedcolumns.h); tst_fixedcolumns holds the two together.
inline constexpr std::array<const char *, 26> fixedExportColumns{
    "row",           "record",     "batch",     "line",       "url",      "state",
    "code",          "first_code", "redirects", "kind",       "error",    "final_url",
    "content_type",  "bytes",      "attempts",  "started_at", "wait_ms",  "connect_ms",
    "first_byte_ms", "body_ms",    "total_ms",  "proxy",      "found_on", "depth",
    "run",           "seq"};

/// Compared without regard to case, as spec 12 does for input columns.
bool isFixedExportColumn(QStringView name);

} // namespace muster
