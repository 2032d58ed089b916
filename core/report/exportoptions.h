// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <QByteArray>
#include <QString>
#include <QVector>
#include <tl/expected.hpp>

#include "core/settings/problem.h"
#include "core/settings/settings.h"
#include "core/store/selector.h"

namespace muster {

enum class ExportFormat { Csv, Tsv, JsonLines };
/// Rows: each record, else each job. Jobs: each job once. Attempts: each try. Failures: groups with counts.
enum class ExportWhat { Rows, Jobs, Attempts, Failures };

std::optional<ExportFormat> exportFormatFromName(const QString &name); ///< csv, tsv, jsonl
/// By the end of a file's name; CSV where it says nothing.
ExportFormat exportFormatOfFile(const QString &path);
std::optional<ExportWhat> exportWhatFromName(const QString &name);

/// What an export is to hold and how it is written. `guard` off is --raw-cells.
struct ExportOptions
{
    ExportFormat format = ExportFormat::Csv;
    ExportWhat what = ExportWhat::Rows;
    Selector where;
    QVector<QString> columns{QStringLiteral("@fixed"), QStringLiteral("@input"), QStringLiteral("@fields")};
    QByteArray separator = ","; ///< of a CSV: one character
    bool bom = false;
    bool guard = true;
    QVector<QByteArray> fields; ///< names, in the order of the rules

    /// What the settings document says.
    static ExportOptions of(const Settings &settings);
};

/// How an export went, for its closing line.
struct ExportCounts
{
    qint64 rows = 0;
    qint64 guarded = 0;  ///< cells that got a leading '
    qint64 replaced = 0; ///< characters written as U+FFFD
    bool operator==(const ExportCounts &) const = default;
};

struct ExportError
{
    enum class Kind { Usage, Output, Store, Cancelled };
    Kind kind = Kind::Output;
    Problem problem;
};
template <typename T>
using ExportResult = tl::expected<T, ExportError>;

} // namespace muster
