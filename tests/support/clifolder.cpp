// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/clifolder.h"

#include <csignal>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QJsonDocument>
#include <QThread>
#include <time.h>

namespace muster {

namespace {

QStringList texts(const QList<QByteArray> &args)
{
    QStringList out;
    for (const QByteArray &a : args)
        out += QString::fromUtf8(a);
    return out;
}

QByteArray contentOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

qint64 nanoseconds(clockid_t clock)
{
    timespec t{};
    clock_gettime(clock, &t);
    return qint64(t.tv_sec) * 1'000'000'000 + t.tv_nsec;
}

} // namespace

CliProcess::CliProcess(const QList<QByteArray> &args, const QProcessEnvironment &environment,
                       const QString &folder, const QString &says)
    : m_says(says)
{
    m_process.setProcessEnvironment(environment);
    m_process.setWorkingDirectory(folder);
    m_process.setStandardInputFile(QProcess::nullDevice());
    m_process.setStandardOutputFile(says + QStringLiteral(".out"));
    m_process.setStandardErrorFile(says + QStringLiteral(".err"));
    m_process.start(QStringLiteral(MUSTER_CLI), texts(args));
    if (!m_process.waitForStarted())
        qFatal("muster-cli cannot be started: %s", MUSTER_CLI);
    m_pid = m_process.processId();
}

CliProcess::~CliProcess()
{
    if (isRunning()) {
        m_process.kill();
        m_process.waitForFinished();
    }
}

bool CliProcess::isRunning()
{
    m_process.waitForFinished(0);
    return m_process.state() != QProcess::NotRunning;
}

void CliProcess::signal(int number) const
{
    ::kill(static_cast<pid_t>(m_pid), number);
}

CliEnd CliProcess::wait(int timeoutMs)
{
    CliEnd end;
    if (m_process.state() != QProcess::NotRunning && !m_process.waitForFinished(timeoutMs))
        end.code = -1000;
    else
        end.code =
            m_process.exitStatus() == QProcess::NormalExit ? m_process.exitCode() : -m_process.exitCode();
    end.out = contentOf(m_says + QStringLiteral(".out"));
    end.err = errSoFar();
    return end;
}

QByteArray CliProcess::errSoFar() const
{
    return contentOf(m_says + QStringLiteral(".err"));
}

qint64 CliProcess::cpuNs() const
{
    clockid_t clock{};
    return clock_getcpuclockid(static_cast<pid_t>(m_pid), &clock) == 0 ? nanoseconds(clock) : -1;
}

qint64 CliProcess::peakKiB() const
{
    for (const QByteArray &line : contentOf(QStringLiteral("/proc/%1/status").arg(m_pid)).split('\n'))
        if (line.startsWith("VmHWM:"))
            return line.mid(6).trimmed().split(' ').first().toLongLong();
    return 0;
}

CliFolder::CliFolder()
    : m_environment(QProcessEnvironment::systemEnvironment())
{
    if (!m_folder.isValid())
        qFatal("no temporary folder");
    for (const QString &name : m_environment.keys())
        if (name.startsWith(QLatin1String("MUSTER_")))
            m_environment.remove(name);
    m_environment.remove(QStringLiteral("CREDENTIALS_DIRECTORY"));
    for (const char *name : {"HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME",
                             "XDG_RUNTIME_DIR"}) {
        const QString folder = path(QByteArray(".") + QByteArray(name).toLower());
        QDir().mkpath(folder);
        QFile::setPermissions(folder, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        m_environment.insert(QString::fromLatin1(name), folder);
    }
}

CliEnd CliFolder::run(const QList<QByteArray> &args, const QByteArray &in, int timeoutMs)
{
    QProcess process;
    process.setProcessEnvironment(m_environment);
    process.setWorkingDirectory(m_folder.path());
    process.start(QStringLiteral(MUSTER_CLI), texts(args));
    process.write(in);
    process.closeWriteChannel();
    CliEnd end;
    if (process.waitForFinished(timeoutMs)) {
        end.code = process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -process.exitCode();
    } else {
        end.code = -1000;
        process.kill();
        process.waitForFinished();
    }
    end.out = process.readAllStandardOutput();
    end.err = process.readAllStandardError();
    return end;
}

std::unique_ptr<CliProcess> CliFolder::start(const QList<QByteArray> &args)
{
    const QString says = path(".says" + QByteArray::number(++m_started));
    return std::make_unique<CliProcess>(args, m_environment, m_folder.path(), says);
}

void CliFolder::setEnvironment(const QByteArray &name, const QByteArray &value)
{
    m_environment.insert(QString::fromUtf8(name), QString::fromUtf8(value));
}

QString CliFolder::path(const QByteArray &name) const
{
    return m_folder.filePath(QString::fromUtf8(name));
}

void CliFolder::write(const QByteArray &name, const QByteArray &content) const
{
    QFile file(path(name));
    if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
        qFatal("%s cannot be written", name.constData());
}

QByteArray CliFolder::read(const QByteArray &name) const
{
    return contentOf(path(name));
}

bool CliFolder::exists(const QByteArray &name) const
{
    return QFile::exists(path(name));
}

QJsonObject CliFolder::status(const QByteArray &project)
{
    return QJsonDocument::fromJson(run({"status", project, "--json"}).out).object();
}

qint64 monotonicNs()
{
    return nanoseconds(CLOCK_MONOTONIC);
}

bool reached(const std::function<bool()> &condition, int timeoutMs)
{
    QElapsedTimer timer;
    timer.start();
    while (!condition()) {
        if (timer.elapsed() > timeoutMs)
            return false;
        QThread::msleep(1);
    }
    return true;
}

} // namespace muster
