// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/team/memberqueue.h"

#include <algorithm>

namespace muster {

namespace {

constexpr int widestWindow = 512;
constexpr Millis farAway{100}; ///< refused for longer than this: one armed member is enough

} // namespace

/// The lines that one limiter instance refused, first come first served.
struct MemberQueue::InstanceLine
{
    explicit InstanceLine(InstanceId i)
        : id(i)
    {}
    const InstanceId id;
    std::deque<HostLine *> lines;
    Mono when = monoNever;
    Nanos late{};
    WaitReason reason = WaitReason::Bucket;
    bool isAwake = false;
    double refusals = 0;
};

MemberQueue::MemberQueue() = default;
MemberQueue::~MemberQueue() = default;

void MemberQueue::addJob(Member *member, Mono now)
{
    HostLine &line = lineOf(member->lineHost, now);
    line.jobs.push_back(member);
    enter(line, member, now);
    settle(line, now);
}

void MemberQueue::addHop(Member *member, Mono now)
{
    HostLine &line = lineOf(member->lineHost, now);
    line.hops.push_back(member);
    enter(line, member, now);
    if (line.hops.size() == crowdOfHops) {
        for (Member *hop : line.hops)
            holdBack(hop, 1, now);
    } else if (line.hops.size() > crowdOfHops) {
        holdBack(member, 1, now);
    }
    settle(line, now);
}

HostLine *MemberQueue::next(Mono now, Nanos *late)
{
    wakeDue(now);
    while (!m_awake.empty()) {
        const auto it = m_instances.find(m_awake.front());
        if (it == m_instances.end() || !it->second->isAwake) {
            m_awake.pop_front();
            continue;
        }
        InstanceLine &at = *it->second;
        if (at.lines.empty()) {
            setWhen(at, monoNever);
            m_instances.erase(it);
            m_awake.pop_front();
            continue;
        }
        HostLine *line = at.lines.front();
        at.lines.pop_front();
        *late = at.late;
        if (takeTurn(line, now))
            return line;
    }
    *late = Nanos::zero();
    while (!m_ring.empty()) {
        HostLine *line = m_ring.front();
        m_ring.pop_front();
        line->instance = 0;
        if (takeTurn(line, now))
            return line;
    }
    return nullptr;
}

bool MemberQueue::takeTurn(HostLine *line, Mono now)
{
    line->place = HostLine::Place::Nowhere;
    if (line->isShut || !line->head()) {
        settle(*line, now);
        return false;
    }
    line->place = HostLine::Place::Turn;
    return true;
}

void MemberQueue::granted(HostLine *line, Mono now)
{
    const bool wasJob = !line->nextIsHop();
    popHead(*line, now);
    // The disk could not keep up with what the gate grants: hold more armed from now on.
    if (wasJob && line->armed == 0 && !line->jobs.empty())
        line->window = std::min(widestWindow, line->window * 2);
    standAgain(line, now);
}

void MemberQueue::dropHead(HostLine *line, Mono now)
{
    popHead(*line, now);
    standAgain(line, now);
}

/// Who was called by an instance waits there again, behind the others; else a line goes back to the ring.
void MemberQueue::standAgain(HostLine *line, Mono now)
{
    line->place = HostLine::Place::Nowhere;
    const auto it = m_instances.find(line->instance);
    if (line->head() && it != m_instances.end() && it->second->isAwake)
        park(line, *it->second, false, now);
    settle(*line, now);
}

void MemberQueue::popHead(HostLine &line, Mono now)
{
    Member *member = line.head();
    if (line.nextIsHop()) {
        line.hops.pop_front();
        line.hopHadTurn = true;
        if (line.hops.size() + 1 >= crowdOfHops)
            holdBack(member, -1, now);
        if (line.hops.size() + 1 == crowdOfHops)
            for (Member *hop : line.hops)
                holdBack(hop, -1, now);
    } else {
        line.jobs.pop_front();
        --line.armed;
        line.hopHadTurn = false;
        noteRunLow(line);
    }
    leave(line, member, now);
}

void MemberQueue::refused(HostLine *line, const NotUntil &answer, Mono now)
{
    std::unique_ptr<InstanceLine> &slot = m_instances[answer.instance];
    if (!slot)
        slot = std::make_unique<InstanceLine>(answer.instance);
    InstanceLine &at = *slot;
    const bool calledByIt = at.isAwake && line->instance == at.id;
    ++at.refusals;
    at.reason = answer.reason;
    if (calledByIt)
        at.isAwake = false;
    park(line, at, calledByIt, now);
    setWhen(at, calledByIt || at.lines.size() == 1 ? answer.when : std::min(at.when, answer.when));
    if (answer.when < monoNever && answer.when - now > farAway)
        line->window = 1;
}

void MemberQueue::blocked(HostLine *line, WaitReason why, Mono now)
{
    line->place = HostLine::Place::Blocked;
    turn(*line, why, now);
}

void MemberQueue::park(HostLine *line, InstanceLine &at, bool first, Mono now)
{
    line->place = HostLine::Place::Instance;
    line->instance = at.id;
    turn(*line, at.reason, now);
    if (first)
        at.lines.push_front(line);
    else
        at.lines.push_back(line);
}

void MemberQueue::settle(HostLine &line, Mono now)
{
    using Place = HostLine::Place;
    if (line.place == Place::Nowhere && line.isShut) {
        line.place = Place::Blocked;
        turn(line, WaitReason::HostClosed, now);
    } else if (line.place == Place::Nowhere) {
        turn(line, WaitReason::Record, now);
        if (line.head()) {
            line.place = Place::Ring;
            m_ring.push_back(&line);
        }
    }
    askArming(line);
}

void MemberQueue::askArming(HostLine &line)
{
    const bool halfEmpty = (line.armed + line.arming) * 2 <= line.window;
    if (line.asksArming || line.drawn() == 0 || !halfEmpty || !line.mayArm())
        return;
    line.asksArming = true;
    m_toArm.push_back(&line);
}

void MemberQueue::freed(InstanceId instance)
{
    if (const auto it = m_instances.find(instance); it != m_instances.end()) {
        it->second->late = Nanos::zero();
        wake(*it->second);
    }
}

void MemberQueue::wakeDue(Mono now)
{
    while (!m_wakes.empty() && m_wakes.begin()->first <= now) {
        InstanceLine &at = *m_instances.at(m_wakes.begin()->second);
        at.late = now - at.when;
        setWhen(at, monoNever);
        wake(at);
    }
}

void MemberQueue::wake(InstanceLine &line)
{
    if (std::exchange(line.isAwake, true))
        return;
    m_awake.push_back(line.id);
}

void MemberQueue::setWhen(InstanceLine &line, Mono when)
{
    if (line.when == when)
        return;
    if (line.when < monoNever)
        m_wakes.erase({line.when, line.id});
    if (when < monoNever)
        m_wakes.emplace(when, line.id);
    line.when = when;
}

void MemberQueue::callAll(Mono now)
{
    for (const auto &[id, at] : m_instances)
        for (HostLine *line : at->lines) {
            line->place = HostLine::Place::Nowhere;
            settle(*line, now);
        }
    m_instances.clear();
    m_wakes.clear();
    m_awake.clear();
}

void MemberQueue::shut(const QByteArray &host, Mono now)
{
    const auto it = m_lines.find(host);
    if (it == m_lines.end())
        return;
    HostLine &line = *it->second;
    line.isShut = true;
    turn(line, WaitReason::HostClosed, now);
    settle(line, now); // in the ring or at an instance it is found shut when its turn comes
}

void MemberQueue::open(const QByteArray &host, Mono now)
{
    const auto it = m_lines.find(host);
    if (it == m_lines.end())
        return;
    HostLine &line = *it->second;
    line.isShut = false;
    if (line.place == HostLine::Place::Blocked)
        line.place = HostLine::Place::Nowhere;
    turn(line, reasonOf(line), now);
    settle(line, now);
}

void MemberQueue::unblock(const QByteArray &host, Mono now)
{
    const auto it = m_lines.find(host);
    if (it != m_lines.end() && it->second->place == HostLine::Place::Blocked && !it->second->isShut)
        open(host, now);
}

void MemberQueue::setPaused(bool paused, Mono now)
{
    m_paused = paused;
    for (const auto &[host, line] : m_lines)
        turn(*line, reasonOf(*line), now);
}

void MemberQueue::turn(HostLine &line, WaitReason reason, Mono now)
{
    line.clock.turn(m_paused ? WaitReason::Held : reason, now);
}

WaitReason MemberQueue::reasonOf(const HostLine &line) const
{
    if (line.isShut || line.place == HostLine::Place::Blocked)
        return WaitReason::HostClosed;
    if (line.place == HostLine::Place::Instance)
        return m_instances.at(line.instance)->reason;
    return WaitReason::Record; // its `in_flight` is being written, or the cap waits for retire()
}

HostLine &MemberQueue::lineOf(const QByteArray &host, Mono now)
{
    std::unique_ptr<HostLine> &line = m_lines[host];
    if (!line)
        line = std::make_unique<HostLine>(host, now);
    return *line;
}

void MemberQueue::enter(HostLine &line, Member *member, Mono now)
{
    member->spend(WaitReason::Record, now);
    member->lineAtEntry = line.clock.spent(now);
    ++m_waiting;
}

void MemberQueue::leave(HostLine &line, Member *member, Mono now)
{
    member->spend(line.clock.spent(now) - member->lineAtEntry, WaitReason::Record, now);
    --m_waiting;
}

void MemberQueue::holdBack(Member *hop, int by, Mono now)
{
    HostLine &sender = lineOf(hop->job.host, now);
    sender.heldBack += by;
    if (sender.heldBack == 0)
        settle(sender, now);
}

QHash<InstanceId, MemberQueue::Standing> MemberQueue::standings(Mono now) const
{
    QHash<InstanceId, Standing> out;
    for (const auto &[id, at] : m_instances) {
        Standing &standing = out[id];
        standing.refusals = at->refusals;
        standing.when = at->when;
        standing.refuses = !at->isAwake && at->when > now;
        for (const HostLine *line : at->lines)
            standing.waiting += static_cast<qint64>(line->hops.size() + line->jobs.size());
    }
    return out;
}

void MemberQueue::fadeRefusals()
{
    for (const auto &[id, at] : m_instances)
        at->refusals /= 2;
}

} // namespace muster
