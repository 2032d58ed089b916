// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/exportoptions.h"

namespace muster {

std::optional<ExportFormat> exportFormatFromName(const QString &name)
{
    if (name == QLatin1String("csv"))
        return ExportFormat::Csv;
    if (name == QLatin1String("tsv"))
        return ExportFormat::Tsv;
    if (name == QLatin1String("jsonl"))
        return ExportFormat::JsonLines;
    return std::nullopt;
}

ExportFormat exportFormatOfFile(const QString &path)
{
    const qsizetype dot = path.lastIndexOf(QLatin1Char('.'));
    const QString end = dot < 0 ? QString() : path.sliced(dot + 1).toLower();
    if (end == QLatin1String("ndjson"))
        return ExportFormat::JsonLines;
    return exportFormatFromName(end).value_or(ExportFormat::Csv);
}

std::optional<ExportWhat> exportWhatFromName(const QString &name)
{
    if (name == QLatin1String("rows"))
        return ExportWhat::Rows;
    if (name == QLatin1String("jobs"))
        return ExportWhat::Jobs;
    if (name == QLatin1String("attempts"))
        return ExportWhat::Attempts;
    if (name == QLatin1String("failures"))
        return ExportWhat::Failures;
    return std::nullopt;
}

ExportOptions ExportOptions::of(const Settings &settings)
{
    ExportOptions out;
    out.columns = settings.exportSettings.columns;
    out.separator = settings.exportSettings.separator.toUtf8();
    out.bom = settings.exportSettings.bom;
    out.guard = settings.exportSettings.guard;
    for (const FieldSettings &field : settings.fields)
        out.fields.append(field.name.toUtf8());
    return out;
}

} // namespace muster
