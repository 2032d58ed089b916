// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/team/member.h"

#include <algorithm>

namespace muster {

namespace {

bool isStep(MemberState from, MemberState to)
{
    using enum MemberState;
    switch (from) {
    case Drawn:
        return to == Arming || to == Landed;
    case Arming:
        return to == Armed || to == Drawn || to == Landed;
    case Armed:
    case Hopping:
        return to == Flying || to == Landed;
    case Flying:
        return to == Hopping || to == Refining || to == Landed;
    case Refining:
        return to == Landed;
    case Landed:
        return to == Recording;
    case Recording:
        return false;
    }
    return false;
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
