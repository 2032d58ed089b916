// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/filesnapshot.h"

#include "core/store/storereader.h"

namespace muster {

namespace {

constexpr int mostGroups = 200; // as a live snapshot has them

} // namespace

OrStop<Snapshot> snapshotOfFile(const QString &project, Utc now)
{
    const auto opened = StoreReader::open(project);
    if (!opened)
        return stopWith(opened.error());
    const StoreReader &reader = **opened;
    Snapshot s;
    s.asOf = now;
    const auto ledger = reader.ledger();
    const auto failures = reader.failures(mostGroups);
    const auto hosts = reader.hosts(mostGroups, s.asOf);
    const auto waits = reader.waits();
    const auto seq = reader.seq();
    if (!ledger || !failures || !hosts || !waits || !seq)
        return stopWith(ExitCode::Unreadable, project + QStringLiteral(" cannot be read"));
    s.rows = *ledger;
    s.failures = *failures;
    s.hosts = *hosts;
    s.waits = *waits;
    s.seq = *seq;
    const bool over = s.rows.takenIn() > 0 && s.rows[JobState::Queued] + s.rows[JobState::InFlight] == 0;
    s.state = over ? CrawlState::Finished : CrawlState::Idle;
    return s;
}

} // namespace muster
