// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <QByteArray>
#include <QString>
#include <QStringList>

#include "core/job/intakerow.h"
#include "core/job/snapshot.h"
#include "core/store/jobstore.h"
#include "core/store/selector.h"

namespace muster {

/// The project file, opened for writing: one connection, used by the one thread that opened it. The writer's
/// lock (core/control) is taken by the caller first. Opening checks schema and ledger, puts jobs that were in
/// flight back in the queue (POST and PUT: failed as closed_early, "outcome unknown, not retried") and
/// removes an unfinished import.
class Project final
{
public:
    ~Project();
    Q_DISABLE_COPY_MOVE(Project)

    static StoreResult<std::unique_ptr<Project>> create(const QString &path, const QByteArray &settings);
    static StoreResult<std::unique_ptr<Project>> open(const QString &path);
    /// What opening found and mended, one sentence each.
    QStringList openingNotes() const;

    QByteArray settings() const; ///< the document as it was given, JSON
    struct Changed
    {
        qint64 changed = 0;
        qint64 left = 0;
    };
    /// How a row is rendered by the template that the new document has.
    using Rerender = std::function<IntakeRow(const Job &)>;
    /// Kept with a line of history: when, which key, from, to. Where the template changed, `render` is given:
    /// every queued, duplicate and refused row is rendered anew and duplicates are decided again among them,
    /// in the same transaction. Rows that the team holds stay as they are and are counted as left.
    StoreResult<Changed> setSettings(const QByteArray &document, const QString &key, const QByteArray &from,
                                     const QByteArray &to, Utc at, const Rerender &render = {});
    /// Which stored secret may go to which host (spec 9): a JSON list of the settings room's making.
    StoreResult<QByteArray> secretHosts() const;
    StoreResult<void> setSecretHosts(const QByteArray &json);
    Ledger ledger() const;
    qint64 seq() const;
    qint64 run() const;

    /// One import is one batch, whole or not at all. addRows writes 5,000 rows a transaction.
    StoreResult<qint64> beginImport(const BatchInfo &info, Utc at);
    StoreResult<void> addRows(qint64 batch, const QVector<IntakeRow> &rows);
    StoreResult<ImportCounts> finishImport(qint64 batch);
    StoreResult<void> dropImport(qint64 batch);

    /// A person's words (spec 10): changes rows of fitting states, leaves the others.
    enum class Verb { Retry, Skip, Accept, First };
    StoreResult<Changed> apply(Verb verb, const Selector &where, Utc at);

    /// Copies settings, or settings and rows, into a new file while this one is in use (spec 10 `copy`).
    enum class What { All, Settings, Todo };
    StoreResult<void> copyTo(const QString &path, What what) const;

    // What the team needs, synchronous; SqliteJobStore calls these on the store thread.
    StoreResult<Drawn> draw(const DrawOrder &order);
    void giveBack(const QVector<qint64> &rows);
    StoreResult<qint64> arm(const QVector<Arming> &armings);
    StoreResult<RetireReceipt> retire(const QVector<Retired> &batch);
    StoreResult<QHash<QByteArray, Utc>> closedHosts() const;
    StoreResult<bool> isListedHost(const QByteArray &host) const;
    /// Passive checkpoint past 4 MiB of log, truncating when `idle`. Called between commits.
    void checkpoint(bool idle);
    /// How long a call waits for a lock that another program holds before it ends as Busy (5,000).
    void setBusyTimeout(int ms);

private:
    Project();
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace muster
