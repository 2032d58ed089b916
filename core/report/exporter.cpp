// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/exporter.h"

#include <QFile>
#include <QFileInfo>
#include <QSaveFile>

#include "core/report/cellmaker.h"
#include "core/report/csvwriter.h"
#include "core/report/jsonlwriter.h"

namespace muster {

namespace {

constexpr qsizetype flushAt = 256 * 1024;
constexpr qint64 progressEvery = 1024;
constexpr int mostFailureGroups = 1'000'000;

tl::unexpected<ExportError> outputError(const QString &path, const QString &reason)
{
    return tl::unexpected(
        ExportError{ExportError::Kind::Output,
                    {Problem::Severity::Error, path, reason,
                     QStringLiteral("look at its folder and its room, or write to another place")}});
}

tl::unexpected<ExportError> storeError(const StoreError &error)
{
    return tl::unexpected(ExportError{ExportError::Kind::Store,
                                      {Problem::Severity::Error, QStringLiteral("project"), error.what,
                                       QStringLiteral("--where \"-row:N\" leaves a damaged row out")}});
}

bool isSeparator(const QByteArray &separator)
{
    const QString text = QString::fromUtf8(separator);
    return text.toUcs4().size() == 1 && !QStringLiteral("\"\r\n").contains(text) && text[0] != QChar(0xFFFD);
}

} // namespace

/// The state of one export while it runs.
struct Exporter::Run
{
    CellMaker maker;
    const ColumnPlan &plan;
    LineWriter &writer;
    QIODevice &device;
    const Progress &progress;
    QByteArray buffer;
    qint64 rows = 0;
    bool cancelled = false;
    bool broken = false;

    bool flush()
    {
        qint64 done = 0;
        while (!broken && done < buffer.size()) {
            const qint64 written = device.write(buffer.constData() + done, buffer.size() - done);
            broken = written <= 0;
            done += written;
        }
        buffer.resize(0);
        return !broken;
    }
    bool add(const ExportLine &line)
    {
        writer.row(plan, maker.cells(line), buffer);
        ++rows;
        if (progress && rows % progressEvery == 0 && !progress(rows))
            cancelled = true;
        return !cancelled && (buffer.size() < flushAt || flush());
    }
};

Exporter::Exporter(const ExportSource &source, ExportOptions options)
    : m_source(source)
    , m_options(std::move(options))
{}

Exporter::~Exporter() = default;

ExportResult<std::unique_ptr<LineWriter>> Exporter::writer() const
{
    if (m_options.format == ExportFormat::JsonLines)
        return std::make_unique<JsonlWriter>();
    const QByteArray separator =
        m_options.format == ExportFormat::Tsv ? QByteArray("\t") : m_options.separator;
    if (!isSeparator(separator))
        return tl::unexpected(ExportError{
            ExportError::Kind::Usage,
            {Problem::Severity::Error, QStringLiteral("export.separator"),
             QStringLiteral("\"%1\" cannot stand between cells").arg(QString::fromUtf8(separator)),
             QStringLiteral("write one character, such as , or ;")}});
    return std::make_unique<CsvWriter>(separator, m_options.bom, m_options.guard);
}

StoreResult<void> Exporter::walk(Run &run) const
{
    switch (m_options.what) {
    case ExportWhat::Attempts:
        return m_source.forEachAttempt(m_options.where,
                                       [&run](const RowView &row, const AttemptView &attempt) {
                                           return run.add({&row, &attempt, nullptr, -1});
                                       });
    case ExportWhat::Failures: {
        const auto groups = m_source.failures(mostFailureGroups);
        if (!groups)
            return tl::unexpected(groups.error());
        for (const FailureGroup &group : *groups)
            if (!run.add({nullptr, nullptr, &group, -1}))
                break;
        return {};
    }
    case ExportWhat::Rows:
    case ExportWhat::Jobs:
        break;
    }
    const bool records = m_options.what == ExportWhat::Rows;
    return m_source.forEach(m_options.where, [&run, records](const RowView &row) {
        if (!records || row.records.isEmpty())
            return run.add({&row, nullptr, nullptr, -1});
        for (int i = 0; i < row.records.size(); ++i)
            if (!run.add({&row, nullptr, nullptr, i}))
                return false;
        return true;
    });
}

ExportResult<ExportCounts> Exporter::toDevice(QIODevice &device, const Progress &progress)
{
    const bool ofRows = m_options.what == ExportWhat::Rows || m_options.what == ExportWhat::Jobs;
    QVector<QByteArray> inputs;
    if (ofRows) {
        auto found = m_source.inputColumns();
        if (!found)
            return storeError(found.error());
        inputs = std::move(*found);
    }
    const std::span<const FixedColumn> fixed = fixedColumns(m_options.what);
    const auto plan =
        ColumnPlan::make(fixed, inputs, ofRows ? m_options.fields : QVector<QByteArray>(), m_options.columns);
    if (!plan)
        return tl::unexpected(ExportError{ExportError::Kind::Usage, plan.error()});
    auto rowWriter = writer();
    if (!rowWriter)
        return tl::unexpected(rowWriter.error());
    Run run{{fixed, *plan}, *plan, **rowWriter, device, progress, {}};
    run.buffer.reserve(flushAt + flushAt / 4);
    run.writer.begin(*plan, run.buffer);
    const StoreResult<void> walked = walk(run);
    if (run.cancelled)
        return tl::unexpected(ExportError{ExportError::Kind::Cancelled,
                                          {Problem::Severity::Error, QStringLiteral("export"),
                                           QStringLiteral("cancelled after %1 rows").arg(run.rows),
                                           QStringLiteral("run the export again")}});
    if (!walked)
        return storeError(walked.error());
    if (!run.flush())
        return outputError(QStringLiteral("output"), device.errorString());
    if (progress)
        progress(run.rows);
    return ExportCounts{run.rows, run.writer.guarded(), run.writer.replaced()};
}

ExportResult<ExportCounts> Exporter::toFile(const QString &path, const Progress &progress)
{
    const QFileInfo info(path);
    if (info.isDir())
        return tl::unexpected(
            ExportError{ExportError::Kind::Output,
                        {Problem::Severity::Error, path, QStringLiteral("it is a directory"),
                         QStringLiteral("name a file in it")}});
    const auto named = [&path](ExportResult<ExportCounts> counts) {
        if (!counts && counts.error().kind == ExportError::Kind::Output)
            counts.error().problem.place = path;
        return counts;
    };
    // What /dev/stdout names may be a plain file that others write to as well: it is not replaced.
    const QString place = info.absoluteFilePath();
    const bool ofProcess =
        place.startsWith(QLatin1String("/dev/")) || place.startsWith(QLatin1String("/proc/"));
    if ((info.exists() && !info.isFile()) || ofProcess) {
        QFile direct(path);
        if (!direct.open(QIODevice::WriteOnly | QIODevice::Unbuffered))
            return outputError(path, direct.errorString());
        return named(toDevice(direct, progress));
    }
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly))
        return outputError(path, file.errorString());
    ExportResult<ExportCounts> counts = toDevice(file, progress);
    if (!counts) {
        file.cancelWriting();
        return named(counts);
    }
    if (!file.commit())
        return outputError(path, file.errorString());
    return counts;
}

} // namespace muster
