// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <QByteArray>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>

namespace muster {

/// How a run of muster-cli ended.
struct CliEnd
{
    int code = -1; ///< its exit code; minus the signal that killed it; -1000: it did not end in time
    QByteArray out, err;
};

/// A muster-cli that runs beside the test. What it says goes to two files, which outlive a kill -9. Killed at
/// the latest when it is dropped.
class CliProcess final
{
public:
    CliProcess(const QList<QByteArray> &args, const QProcessEnvironment &environment, const QString &folder,
               const QString &says);
    ~CliProcess();
    Q_DISABLE_COPY_MOVE(CliProcess)

    qint64 pid() const { return m_pid; }
    bool isRunning();
    void signal(int number) const;
    CliEnd wait(int timeoutMs = 120'000);
    QByteArray errSoFar() const;
    /// User and system time of all its threads until now, in nanoseconds.
    qint64 cpuNs() const;
    /// Most memory it has held (VmHWM), in KiB.
    qint64 peakKiB() const;

private:
    QProcess m_process;
    QString m_says;
    qint64 m_pid = 0;
};

/// A folder of its own for the projects, lists and exports of one test, and muster-cli in an environment that
/// reaches nothing else of the person's: no data, no secrets, no sockets of other instances.
class CliFolder final
{
public:
    CliFolder();

    /// Relative names in arguments are names in this folder.
    CliEnd run(const QList<QByteArray> &args, const QByteArray &in = {}, int timeoutMs = 120'000);
    std::unique_ptr<CliProcess> start(const QList<QByteArray> &args);
    void setEnvironment(const QByteArray &name, const QByteArray &value);

    QString path(const QByteArray &name = {}) const;
    void write(const QByteArray &name, const QByteArray &content) const;
    QByteArray read(const QByteArray &name) const;
    bool exists(const QByteArray &name) const;
    /// `status --json` of a project, empty where it is no JSON.
    QJsonObject status(const QByteArray &project);

private:
    QTemporaryDir m_folder;
    QProcessEnvironment m_environment;
    int m_started = 0;
};

/// CLOCK_MONOTONIC, the clock of the fault server's log.
qint64 monotonicNs();
/// Asks every millisecond, so that a kill can come at any moment; false after `timeoutMs`.
bool reached(const std::function<bool()> &condition, int timeoutMs = 60'000);

} // namespace muster
