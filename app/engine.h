// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <QObject>
#include <QString>

#include "app/exitcode.h"
#include "app/importtask.h"
#include "core/job/snapshot.h"
#include "core/report/statusjson.h"
#include "core/store/project.h"
#include "core/team/overwatch.h"

namespace muster {

/// What an engine is started for.
struct EnginePlan
{
    QString project;             ///< path of an existing project
    QString program;             ///< who has it, for others that want it
    std::optional<qint64> limit; ///< at most this many tries in this run
    QString secretsFile;
    bool brokenNetwork = false; ///< every request fails: to see what a crawl does then
};

/// One open project with everything that works on it: lock, store, fetcher, team, local socket. Lives on one
/// thread with an event loop (the engine thread of the window, the main thread of the console). What takes
/// long ends in a callback on that thread, after its commit. Built by Application and by the console's Runner
/// alone.
class Engine final : public QObject
{
    Q_OBJECT

public:
    template <typename T>
    using Done = std::function<void(OrStop<T>)>;

    explicit Engine(EnginePlan plan, QObject *parent = nullptr);
    ~Engine() override;
    Q_DISABLE_COPY_MOVE(Engine)

    /// Takes the lock, opens the file, checks its settings, listens for commands. Once, first.
    OrStop<void> open();
    Snapshot snapshot() const;
    WriterInfo writer() const;
    QByteArray document() const; ///< the settings in force
    bool isRunning() const;      ///< a team is at work, also when it is paused

    void start();
    void pause();
    void resume();
    /// Ends the run in good order within `grace`; zero: at once.
    void stop(Millis grace = Millis(10'000));

    void importFile(const QString &path, Done<ImportReport> done);
    void importText(const QByteArray &text, const QString &source, Done<ImportReport> done);
    void cancelImport();
    void apply(Project::Verb verb, const QString &where, Done<Project::Changed> done);
    /// One value, checked as a whole document; in force and durable when `done` is called.
    void set(const QString &key, const QByteArray &value, Done<void> done);
    void copyTo(const QString &path, Project::What what, Done<void> done);

Q_SIGNALS:
    void snapshotReady(const muster::Snapshot &snapshot);
    void recorded(qint64 row, const QByteArray &state, qint64 seq); ///< after its commit
    void logged(const QString &line);
    void troubled(const QString &why); ///< the project file cannot be written now; empty: it can again
    void ended(const muster::CrawlEnd &end);

private:
    void importDevice(std::shared_ptr<QIODevice> device, const QString &source, Done<ImportReport> done);
    void rowsChanged(const Ledger &ledger);

    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace muster
