// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/team/member.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace muster {

namespace {

using enum MemberState;

constexpr std::pair<MemberState, MemberState> steps[] = {
    {Drawn, Arming},  {Drawn, Landed},    {Arming, Armed},     {Arming, Drawn},   {Armed, Flying},
    {Armed, Landed},  {Hopping, Flying},  {Hopping, Landed},   {Flying, Hopping}, {Flying, Refining},
    {Flying, Landed}, {Refining, Landed}, {Landed, Recording},
};

[[maybe_unused]] bool isStep(MemberState from, MemberState to)
{
    return std::find(std::begin(steps), std::end(steps), std::pair(from, to)) != std::end(steps);
}

} // namespace

Member::Member(Job drawn, Mono now)
    : job(std::move(drawn))
    , lineHost(job.host)
    , m_bookedUpTo(now)
{}

void Member::become(MemberState next)
{
    Q_ASSERT_X(isStep(m_state, next), "Member::become", "the route has no such step");
    m_state = next;
    if (next == MemberState::Flying || next == MemberState::Hopping)
        m_isFired = next == MemberState::Flying;
}

void Member::spend(WaitReason reason, Mono now)
{
    m_spent[reason] += now - m_bookedUpTo;
    m_bookedUpTo = now;
}

void Member::spend(const Spent &parts, WaitReason rest, Mono now)
{
    Nanos left = now - m_bookedUpTo;
    for (std::size_t i = 0; i < waitReasonCount; ++i) {
        const Nanos part = std::clamp(parts.by[i], Nanos::zero(), left);
        m_spent.by[i] += part;
        left -= part;
    }
    m_spent[rest] += left;
    m_bookedUpTo = now;
}

} // namespace muster
