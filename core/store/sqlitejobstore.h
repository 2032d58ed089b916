// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <QObject>
#include <QStringList>
#include <QThread>

#include "core/store/jobstore.h"
#include "core/store/project.h"

namespace muster {

/// The JobStore over a project file: owns the store thread and, on it, the one Project. Replies are posted to
/// the thread that made this object (the engine's), in batches. A transient fault (busy, disk full) is
/// repeated with the same data until it works; meanwhile `troubled` says why.
class SqliteJobStore final : public QObject, public JobStore
{
    Q_OBJECT

public:
    SqliteJobStore();
    ~SqliteJobStore() override; ///< waits for the last commit
    Q_DISABLE_COPY_MOVE(SqliteJobStore)

    StoreResult<void> open(const QString &path); ///< blocks until the project is open; once
    QStringList openingNotes() const;            ///< what opening found and mended
    /// Runs `work` on the store thread between two commits and `then` back on this object's thread.
    void post(std::function<void(Project &)> work, std::function<void()> then = {});

    void draw(DrawOrder order, Reply<Drawn> reply) override;
    void giveBack(QVector<qint64> rows) override;
    void arm(QVector<Arming> armings, Reply<qint64> reply) override;
    void retire(QVector<Retired> batch, Reply<RetireReceipt> reply) override;
    void closedHosts(Reply<QHash<QByteArray, Utc>> reply) override;
    void isListedHost(QByteArray host, Reply<bool> reply) override;

Q_SIGNALS:
    void troubled(const QString &why); ///< empty: over

private:
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace muster
