// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/progress.h"

#include <algorithm>
#include <cstdio>

#include "app/console.h"

namespace muster::cli {

namespace {

constexpr int barCells = 24;

qint64 finalRows(const Ledger &l)
{
    return l.takenIn() - l[JobState::Queued] - l[JobState::InFlight];
}

QString binding(const Snapshot &s)
{
    for (const LimiterView &l : s.limiters)
        if (l.binding)
            return QStringLiteral(", held back by ") + QString::fromUtf8(l.name);
    return s.reason.isEmpty() ? QString() : QStringLiteral(", ") + s.reason;
}

QString counts(const Snapshot &s)
{
    return QStringLiteral("%1 of %2 rows final, %3 failed, %4 in flight, %5/s%6")
        .arg(finalRows(s.rows))
        .arg(s.rows.takenIn())
        .arg(s.rows[JobState::Failed])
        .arg(s.inFlight)
        .arg(s.requestsPerSecond, 0, 'f', 1)
        .arg(binding(s));
}

} // namespace

Progress::Kind Progress::kindOf(const std::string &name)
{
    if (name == "bar")
        return Kind::Bar;
    if (name == "lines")
        return Kind::Lines;
    if (name == "json")
        return Kind::Json;
    if (name == "none")
        return Kind::None;
    return errorIsTerminal() ? Kind::Bar : Kind::Lines;
}

Progress::Progress(Kind kind, WriterInfo writer)
    : m_kind(kind)
    , m_writer(std::move(writer))
{}

void Progress::show(const Snapshot &snapshot)
{
    if (m_kind == Kind::None || snapshot.asOf < m_next)
        return;
    m_next = snapshot.asOf + (m_kind == Kind::Lines  ? Millis(10'000)
                              : m_kind == Kind::Json ? Millis(1'000)
                                                     : Millis(250));
    if (m_kind == Kind::Bar)
        bar(snapshot);
    else
        line(snapshot);
}

void Progress::close(const Snapshot &snapshot)
{
    if (m_kind == Kind::Bar) {
        bar(snapshot);
        std::fputc('\n', stderr);
    } else if (m_kind == Kind::Json) {
        line(snapshot);
    }
}

void Progress::line(const Snapshot &snapshot)
{
    if (m_kind == Kind::Json)
        print(statusJson(snapshot, m_writer) + '\n');
    else
        say(counts(snapshot));
}

void Progress::bar(const Snapshot &snapshot)
{
    const qint64 total = std::max<qint64>(1, snapshot.rows.takenIn());
    const int full = static_cast<int>(finalRows(snapshot.rows) * barCells / total);
    const QByteArray cells = QByteArray(full, '#') + QByteArray(barCells - full, '.');
    const QByteArray text = QByteArray('[' + cells + "] " + counts(snapshot).toUtf8()).left(120);
    std::fprintf(stderr, "\r%-120s", text.constData());
    std::fflush(stderr);
}

} // namespace muster::cli
