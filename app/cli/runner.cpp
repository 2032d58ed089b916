// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/runner.h"

#include <csignal>
#include <QCoreApplication>
#include <QTimer>

#include "app/console.h"
#include "app/exporting.h"

namespace muster::cli {

namespace {

std::optional<double> percentOf(const std::string &s)
{
    const QString t = QString::fromStdString(s);
    bool ok = false;
    const double value = t.endsWith(QLatin1Char('%')) ? t.chopped(1).toDouble(&ok) : 0;
    return ok && value >= 0 && value <= 100 ? std::optional(value) : std::nullopt;
}

QString closingLine(const Ledger &l)
{
    QString line = counted(l.takenIn(), "row") + QStringLiteral(" =");
    for (const JobState s : allJobStates)
        if (l[s] > 0)
            line += QStringLiteral(" %1 %2").arg(l[s]).arg(QLatin1String(jobStateName(s)));
    return line;
}

} // namespace

bool isFailOn(const std::string &text)
{
    return text == "none" || text == "any" || percentOf(text).has_value();
}

Runner::Runner(RunOptions options, QObject *parent)
    : QObject(parent)
    , m_options(std::move(options))
    , m_engine(m_options.plan)
{}

Runner::~Runner() = default;

int Runner::run()
{
    if (const auto opened = m_engine.open(); !opened)
        return endWith(opened.error());
    m_progress.emplace(Progress::kindOf(m_options.progress), m_engine.writer());
    connect(&m_engine, &Engine::snapshotReady, this, [this](const Snapshot &s) { m_progress->show(s); });
    connect(&m_engine, &Engine::ended, this, &Runner::end);
    connect(&m_engine, &Engine::troubled, this, [](const QString &why) {
        say(why.isEmpty() ? QStringLiteral("the project file can be written again; the crawl goes on")
                          : QStringLiteral("the crawl waits: ") + why);
    });
    connect(&m_signals, &UnixSignals::asked, this, &Runner::stopOnSignal);
    connect(&m_signals, &UnixSignals::insisted, this, [this] { m_engine.stop(Millis::zero()); });
    if (m_options.verbose) {
        connect(&m_engine, &Engine::logged, this, [](const QString &line) { say(line); });
        connect(&m_engine, &Engine::recorded, this, [](qint64 row, const QByteArray &state, qint64 seq) {
            say(QStringLiteral("recorded %1 %2 %3").arg(row).arg(QString::fromLatin1(state)).arg(seq));
        });
    }
    if (m_options.maxTime)
        QTimer::singleShot(static_cast<int>(*m_options.maxTime * 1000), Qt::PreciseTimer, this,
                           [this] { m_engine.stop(); });
    m_engine.start();
    return QCoreApplication::exec();
}

void Runner::stopOnSignal(int signal)
{
    m_signal = signal;
    say(QStringLiteral("stopping: requests in flight have up to 10 s; a second signal ends at once"));
    m_engine.stop();
}

void Runner::end(const CrawlEnd &end)
{
    Snapshot last = m_engine.snapshot();
    last.rows = end.ledger;
    last.state = end.why == CrawlEnd::Why::Dismissed ? CrawlState::Finished : CrawlState::Idle;
    last.resumesAt = end.resumesAt;
    m_progress->close(last);
    ExitCode code = codeOf(end);
    if (!end.message.isEmpty())
        say(end.message);
    if (!m_options.exportTo.empty()) {
        ExportPlan plan;
        plan.project = m_options.plan.project;
        plan.to = QString::fromStdString(m_options.exportTo);
        if (const auto written = exportProject(plan); written)
            say(written->said);
        else
            code = static_cast<ExitCode>(endWith(written.error()));
    }
    say(closingLine(end.ledger));
    m_complete = end.why == CrawlEnd::Why::Dismissed && code != ExitCode::CannotWrite;
    QCoreApplication::exit(static_cast<int>(code));
}

ExitCode Runner::codeOf(const CrawlEnd &end) const
{
    if (end.why == CrawlEnd::Why::StoreGone)
        return ExitCode::Unreachable;
    if (m_signal != 0)
        return m_signal == SIGINT ? ExitCode::Interrupted : ExitCode::Terminated;
    if (end.ledger[JobState::Queued] > 0)
        return ExitCode::QueueRemains;
    if (tooManyFailures(end.ledger))
        return ExitCode::TooManyFailures;
    return m_options.strict && end.ledger[JobState::Refused] > 0 ? ExitCode::Unreadable : ExitCode::Ok;
}

bool Runner::tooManyFailures(const Ledger &ledger) const
{
    const qint64 failed = ledger[JobState::Failed];
    if (m_options.failOn == "none" || failed == 0)
        return false;
    const qint64 ended = failed + ledger[JobState::Done];
    return 100.0 * static_cast<double>(failed) >
           percentOf(m_options.failOn).value_or(0) * static_cast<double>(ended);
}

} // namespace muster::cli
