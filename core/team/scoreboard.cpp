// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/team/scoreboard.h"

#include <algorithm>

namespace muster {

namespace {

constexpr qsizetype mostChanged = 2000;
constexpr qsizetype mostGroups = 200;
constexpr qint64 meteredSeconds = 5;

qint64 secondOf(Mono now)
{
    return now.time_since_epoch() / std::chrono::seconds(1);
}

} // namespace

void RateMeter::add(qint64 amount, Mono now)
{
    const qint64 second = secondOf(now);
    const auto slot = static_cast<std::size_t>(second % kept);
    if (m_second[slot] != second) {
        m_second[slot] = second;
        m_amount[slot] = 0;
    }
    m_amount[slot] += amount;
}

double RateMeter::perSecond(Mono now) const
{
    const qint64 second = secondOf(now);
    qint64 sum = 0;
    for (std::size_t i = 0; i < kept; ++i)
        if (m_second[i] >= second - meteredSeconds && m_second[i] < second)
            sum += m_amount[i];
    return static_cast<double>(sum) / meteredSeconds;
}

void Scoreboard::retired(const Retired &retired)
{
    if (retired.attempt)
        m_waits += retired.attempt->waits;
    if (m_changed.size() < mostChanged)
        m_changed.append(retired.job.row);
    if (retired.move == Move::Fail) {
        const auto kind = static_cast<quint32>(retired.failure.kind);
        ++m_failures[{retired.job.host, kind << 16 | static_cast<quint32>(retired.failure.code)}];
    }
}

void Scoreboard::fill(Snapshot &snapshot, Mono now) const
{
    snapshot.requestsPerSecond = m_requests.perSecond(now);
    snapshot.bytesPerSecond = m_bytes.perSecond(now);
    snapshot.waits = m_waits;
    snapshot.changed = m_changed;
    for (auto it = m_failures.constBegin(); it != m_failures.constEnd(); ++it)
        snapshot.failures.append({static_cast<FailureKind>(it.key().second >> 16), it.key().first,
                                  static_cast<int>(it.key().second & 0xffff), it.value()});
    std::sort(
        snapshot.failures.begin(), snapshot.failures.end(), [](const FailureGroup &a, const FailureGroup &b) {
            return std::tie(b.count, a.kind, a.host, a.code) < std::tie(a.count, b.kind, b.host, b.code);
        });
    if (snapshot.failures.size() > mostGroups)
        snapshot.failures.resize(mostGroups);
}

} // namespace muster
