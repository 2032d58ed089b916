// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <QObject>
#include <string>

#include "app/cli/progress.h"
#include "app/engine.h"
#include "app/unixsignals.h"

namespace muster::cli {

struct RunOptions
{
    EnginePlan plan;
    std::string progress = "auto";
    std::optional<double> maxTime; ///< seconds
    std::string exportTo;          ///< empty: none
    std::string failOn = "none";   ///< none, any, PCT%
    bool strict = false;           ///< refused rows make 5
    bool verbose = false;          ///< the team's log, and a line for each row that was recorded
};

/// Runs one project in this program, to its end or until somebody stops it: progress, signals, export, exit
/// code. Main thread, which is the engine thread here.
class Runner final : public QObject
{
    Q_OBJECT

public:
    explicit Runner(RunOptions options, QObject *parent = nullptr);
    ~Runner() override;
    Q_DISABLE_COPY_MOVE(Runner)

    /// Blocks in the application's event loop.
    int run();
    /// The crawl came to its end and everything was exported.
    bool isComplete() const { return m_complete; }

private:
    void end(const CrawlEnd &end);
    ExitCode codeOf(const CrawlEnd &end) const;
    bool tooManyFailures(const Ledger &ledger) const;
    void stopOnSignal(int signal);

    const RunOptions m_options;
    Engine m_engine;
    UnixSignals m_signals;
    std::optional<Progress> m_progress;
    int m_signal = 0;
    bool m_complete = false;
};

/// `none`, `any` or `5%`: false where it is none of these.
bool isFailOn(const std::string &text);

} // namespace muster::cli
