// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <QByteArray>
#include <QString>
#include <QVector>

#include "core/job/failure.h"
#include "core/job/job.h"
#include "core/job/jobstate.h"
#include "core/job/snapshot.h"
#include "core/job/timings.h"
#include "core/store/jobstore.h"
#include "core/store/selector.h"

namespace muster {

/// One row as views and exports see it. A duplicate shows its first row's outcome beside its own row, url,
/// line, batch and columns.
struct RowView
{
    qint64 row = 0, batch = 0, line = 0, foundOn = 0, run = 0, seq = 0, duplicateOf = 0;
    int depth = 0, attempts = 0, redirects = 0, code = 0, firstCode = 0;
    JobState state = JobState::Queued;
    QByteArray url, finalUrl, contentType, proxy, host;
    Failure failure;
    qint64 bytes = -1; ///< -1: no answer
    Utc notBefore{};
    Timings timings; ///< of the last try; startedAt of the first
    Waits waits;     ///< sum
    InputColumns input;
    bool partial = false, unverifiedLength = false, old = false;
    QByteArray fields;           ///< JSON object; empty where there is no result
    QVector<QByteArray> records; ///< JSON objects
};

struct AttemptView
{
    qint64 row = 0;
    int number = 0;
    AttemptRecord record;
};

/// The project file, read-only, on a connection of its own: status, views, export. Works beside a writer and
/// without one. One thread at a time.
class StoreReader final
{
public:
    ~StoreReader();
    Q_DISABLE_COPY_MOVE(StoreReader)
    static StoreResult<std::unique_ptr<StoreReader>> open(const QString &path);

    StoreResult<QByteArray> settings() const;
    StoreResult<Ledger> ledger() const;
    StoreResult<qint64> seq() const;
    StoreResult<QVector<FailureGroup>> failures(int most) const;
    StoreResult<QVector<HostView>> hosts(int most, Utc now) const;
    StoreResult<Waits> waits() const;
    /// Where each batch came from, oldest first.
    StoreResult<QVector<QString>> batchSources() const;
    /// Names of all input columns of all batches, in the order of their first appearance.
    StoreResult<QVector<QByteArray>> inputColumns() const;
    StoreResult<qint64> count(const Selector &where) const;

    /// Up to `most` rows after row number `after`, in row order: a page of a view (keyset).
    StoreResult<QVector<RowView>> page(const Selector &where, qint64 after, int most) const;
    /// Row numbers at every `stride`-th place, for a view that jumps: index 0 is the first row.
    StoreResult<QVector<qint64>> anchors(const Selector &where, int stride) const;
    StoreResult<QVector<AttemptView>> attempts(qint64 row) const;

    /// One consistent snapshot from begin to end: every row in row order through `each`, which returns false
    /// to stop. As long as it takes.
    StoreResult<void> forEach(const Selector &where, const std::function<bool(const RowView &)> &each) const;
    StoreResult<void>
    forEachAttempt(const Selector &where,
                   const std::function<bool(const RowView &, const AttemptView &)> &each) const;

private:
    StoreReader();
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace muster
