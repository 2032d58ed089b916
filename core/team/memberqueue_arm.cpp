// SPDX-License-Identifier: GPL-3.0-or-later
// MemberQueue's dealings with the store: what it holds, what is armed next, what goes back.
#include <algorithm>

#include "core/team/memberqueue.h"

namespace muster {

QVector<Member *> MemberQueue::takeToArm(int most, const std::function<bool(Member &)> &fit,
                                         QVector<Member *> &unfit, Mono now)
{
    QVector<Member *> out;
    while (!m_toArm.empty() && out.size() < most) {
        HostLine &line = *m_toArm.front();
        m_toArm.pop_front();
        line.asksArming = false;
        if (!line.mayArm())
            continue;
        std::size_t at = static_cast<std::size_t>(line.armed + line.arming);
        while (line.armed + line.arming < line.window && at < line.jobs.size()) {
            Member *member = line.jobs[at];
            if (fit(*member)) {
                member->become(MemberState::Arming);
                ++line.arming;
                ++at;
                out.append(member);
            } else {
                line.jobs.erase(line.jobs.begin() + static_cast<std::ptrdiff_t>(at));
                noteRunLow(line);
                leave(line, member, now);
                unfit.append(member);
            }
        }
    }
    return out;
}

void MemberQueue::armed(const QVector<Member *> &members, bool ok, Mono now)
{
    for (Member *member : members) {
        HostLine &line = lineOf(member->job.host, now);
        --line.arming;
        line.armed += ok ? 1 : 0;
        member->become(ok ? MemberState::Armed : MemberState::Drawn);
    }
    for (Member *member : members)
        settle(lineOf(member->job.host, now), now);
}

QVector<Member *> MemberQueue::takeDrawn(const QByteArray &host, Mono now)
{
    QVector<Member *> out;
    const auto it = m_lines.find(host);
    if (it == m_lines.end())
        return out;
    HostLine &line = *it->second;
    while (line.drawn() > 0) {
        out.prepend(line.jobs.back());
        line.jobs.pop_back();
        leave(line, out.first(), now);
    }
    return out;
}

QVector<Member *> MemberQueue::takeHops(const QByteArray &host, Mono now)
{
    QVector<Member *> out;
    const auto it = m_lines.find(host);
    if (it == m_lines.end())
        return out;
    HostLine &line = *it->second;
    const bool wasCrowd = line.hops.size() >= crowdOfHops;
    while (!line.hops.empty()) {
        out.append(line.hops.front());
        line.hops.pop_front();
        leave(line, out.last(), now);
        if (wasCrowd)
            holdBack(out.last(), -1, now);
    }
    return out;
}

QVector<Member *> MemberQueue::takeJobs(Mono now)
{
    QVector<Member *> out;
    for (const auto &[host, line] : m_lines) {
        Q_ASSERT(line->arming == 0);
        for (Member *member : line->jobs) {
            leave(*line, member, now);
            out.append(member);
        }
        line->jobs.clear();
        line->armed = 0;
    }
    return out;
}

QVector<Member *> MemberQueue::takeAllHops(Mono now)
{
    QVector<QByteArray> hosts;
    for (const auto &[host, line] : m_lines)
        if (!line->hops.empty())
            hosts.append(host);
    QVector<Member *> out;
    for (const QByteArray &host : hosts)
        out += takeHops(host, now);
    return out;
}

QHash<QByteArray, int> MemberQueue::holding() const
{
    QHash<QByteArray, int> out;
    out.reserve(static_cast<qsizetype>(m_lines.size()));
    for (const auto &[host, line] : m_lines)
        if (!line->jobs.empty())
            out.insert(host, static_cast<int>(line->jobs.size()));
    return out;
}

void MemberQueue::noteRunLow(const HostLine &line)
{
    if (static_cast<int>(line.jobs.size()) <= m_perHost / 2)
        ++m_runLow;
}

void MemberQueue::drew(int perHost)
{
    m_perHost = perHost;
    m_runLow = 0;
}

void MemberQueue::forgetIdle()
{
    for (auto it = m_lines.begin(); it != m_lines.end();) {
        const HostLine &line = *it->second;
        const bool idle = line.isEmpty() && line.place == HostLine::Place::Nowhere && !line.asksArming &&
                          line.heldBack == 0;
        it = idle ? m_lines.erase(it) : std::next(it);
    }
}

} // namespace muster
