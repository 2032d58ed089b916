// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <QObject>
#include <QString>
#include <QStringList>

#include "app/exitcode.h"
#include "core/intake/importer.h"
#include "core/store/project.h"

namespace muster {

/// What an import came to.
struct ImportReport
{
    ImportCounts counts;
    Importer::Read read;
};

/// What a person reads of it: refused lines, format and encoding as found, and the counts.
QStringList saidOf(const Importer::Read &read, qint64 duplicates, qint64 known);

/// Runs `work` on the thread that owns the project and waits for it. Console: calls it; engine: posts and
/// waits.
using OnProject = std::function<void(const std::function<void(Project &)> &work)>;

/// Reads the device into the project as one batch, whole or not at all: the device is read on a thread of its
/// own. Blocks; called on any thread but the one that `onProject` waits for. `cancelled` may be set from
/// elsewhere.
OrStop<ImportReport> importInto(const OnProject &onProject, const Settings &settings, QIODevice &device,
                                const QString &source, const std::atomic_bool &cancelled);

/// Reads the device and stores nothing: what an import would do.
struct Preview
{
    Importer::Read read;
    QVector<QByteArray> firstRequests; ///< "GET https://...", at most 10
    qint64 duplicates = 0;             ///< among the first million requests
};
OrStop<Preview> previewOf(const Settings &settings, QIODevice &device, const QString &source);

} // namespace muster
