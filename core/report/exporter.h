// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <QIODevice>

#include "core/report/exportoptions.h"
#include "core/report/exportsource.h"
#include "core/report/linewriter.h"

namespace muster {

/// Writes one export, streaming: its memory does not grow with the rows. Runs on the caller's thread (a
/// reader's), as long as it takes; no event loop. Under the final name there is the old file or the whole
/// new one, never a part.
class Exporter final
{
public:
    /// Called about every thousand rows with the rows written; false cancels.
    using Progress = std::function<bool(qint64 rows)>;

    /// `source` outlives the exporter.
    Exporter(const ExportSource &source, ExportOptions options);
    ~Exporter();
    Q_DISABLE_COPY_MOVE(Exporter)

    /// Into an open device (standard output): what was written stays written.
    ExportResult<ExportCounts> toDevice(QIODevice &device, const Progress &progress = {});
    /// Into a file. An existing one is replaced at the end; a link is followed, so that what it points to is
    /// replaced; a pipe or a device is written directly; a directory is refused.
    ExportResult<ExportCounts> toFile(const QString &path, const Progress &progress = {});

private:
    struct Run;
    ExportResult<std::unique_ptr<LineWriter>> writer() const;
    StoreResult<void> walk(Run &run) const;

    const ExportSource &m_source;
    const ExportOptions m_options;
};

} // namespace muster
