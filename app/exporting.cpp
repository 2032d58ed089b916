// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/exporting.h"

#include <cstdio>
#include <QDir>
#include <QFile>
#include <QFileInfo>

#include "core/job/describe.h"
#include "core/report/exporter.h"
#include "core/report/storeexportsource.h"
#include "core/settings/document.h"

namespace muster {

namespace {

tl::unexpected<Stop> stopFor(const ExportError &error)
{
    switch (error.kind) {
    case ExportError::Kind::Usage:
        return stopWith(ExitCode::Usage, sentence(error.problem));
    case ExportError::Kind::Output:
        return stopWith(ExitCode::CannotWrite, sentence(error.problem));
    case ExportError::Kind::Store:
        return stopWith(ExitCode::Unreadable, sentence(error.problem));
    case ExportError::Kind::Cancelled:
        break;
    }
    return stopWith(ExitCode::Interrupted, sentence(error.problem));
}

/// The project's own export settings with the plan laid over them.
OrStop<ExportOptions> optionsOf(const ExportPlan &plan, const StoreReader &reader)
{
    const auto document = reader.settings();
    if (!document)
        return stopWith(document.error());
    const auto parsed = parseSettings(*document);
    if (!parsed)
        return stopWith(ExitCode::Unreadable, sentence(parsed.error().constFirst()));
    ExportOptions options = ExportOptions::of(parsed->settings);
    const auto format =
        plan.format.isEmpty() ? exportFormatOfFile(plan.to) : exportFormatFromName(plan.format);
    const auto what = exportWhatFromName(plan.what);
    if (!format || !what)
        return stopWith(ExitCode::Usage,
                        QStringLiteral("no such export: %1 as %2").arg(plan.what, plan.format));
    options.format = *format;
    options.what = *what;
    if (!plan.columns.isEmpty()) {
        options.columns.clear();
        for (const QString &name : plan.columns.split(QLatin1Char(',')))
            options.columns += name.trimmed();
    }
    if (!plan.where.isEmpty()) {
        auto selector = Selector::parse(plan.where, options.fields);
        if (!selector)
            return stopWith(ExitCode::Usage, sentence(selector.error()));
        options.where = std::move(*selector);
    }
    options.bom = plan.bom.value_or(options.bom);
    options.guard = options.guard && !plan.rawCells;
    return options;
}

QString closingLine(const ExportCounts &counts, const QString &to)
{
    QString said = QStringLiteral("%1 written to %2").arg(counted(counts.rows, "row"), to);
    if (counts.guarded > 0)
        said += QStringLiteral(", %1 guarded against formulas").arg(counted(counts.guarded, "cell"));
    if (counts.replaced > 0)
        said += QStringLiteral(", %1 replaced that no text file may hold")
                    .arg(counted(counts.replaced, "character"));
    return said;
}

} // namespace

OrStop<void> canBeWritten(const QString &to)
{
    if (to == QLatin1String("-"))
        return {};
    const QFileInfo file(to);
    const QFileInfo folder(file.absolutePath());
    if (to.isEmpty())
        return stopWith(ExitCode::Usage,
                        QStringLiteral("the output has no name; write a path, or - for standard output"));
    if (file.isDir())
        return stopWith(ExitCode::CannotWrite, to + QStringLiteral(" is a folder; write the path of a file"));
    if (!folder.isDir() || !folder.isWritable())
        return stopWith(ExitCode::CannotWrite,
                        folder.filePath() +
                            QStringLiteral(" is no folder that can be written; write to another place"));
    return {};
}

OrStop<Exported> exportProject(const ExportPlan &plan)
{
    if (auto fine = canBeWritten(plan.to); !fine)
        return tl::unexpected(fine.error());
    const auto reader = StoreReader::open(plan.project);
    if (!reader)
        return stopWith(reader.error());
    auto options = optionsOf(plan, **reader);
    if (!options)
        return tl::unexpected(options.error());
    const StoreExportSource source(**reader);
    Exporter exporter(source, std::move(*options));
    const bool toStandardOutput = plan.to == QLatin1String("-");
    ExportResult<ExportCounts> counts;
    if (toStandardOutput) {
        QFile out;
        if (!out.open(stdout, QIODevice::WriteOnly))
            return stopWith(ExitCode::CannotWrite, QStringLiteral("standard output cannot be written"));
        counts = exporter.toDevice(out);
        if (counts && (!out.flush() || std::fflush(stdout) != 0))
            return stopWith(ExitCode::CannotWrite, QStringLiteral("standard output cannot be written"));
    } else {
        counts = exporter.toFile(plan.to);
    }
    if (!counts)
        return stopFor(counts.error());
    return Exported{counts->rows,
                    closingLine(*counts, toStandardOutput ? QStringLiteral("standard output") : plan.to)};
}

} // namespace muster
