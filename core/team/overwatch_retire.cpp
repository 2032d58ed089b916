// SPDX-License-Identifier: GPL-3.0-or-later
// Overwatch: the two commits of a job's life, before the send (arm) and after the answer (retire).
#include <algorithm>

#include "core/team/overwatch_p.h"

namespace muster {

namespace {

constexpr int mostArmed = 1000; ///< in one commit

} // namespace

/// One commit of armings is out at a time; what asks meanwhile goes together into the next.
void Overwatch::Private::armNext(Moment t)
{
    if (armOut || storeRests(t) || !maySend() || !queue.wantsArming())
        return;
    QVector<Member *> overBudget;
    const auto fits = [this, t](const Member &m) {
        return m.job.tries == 0 || dismissed || book.takeRetry(m.target.host, t.mono, policy.budgetShare());
    };
    const QVector<Member *> next = queue.takeToArm(mostArmed, fits, overBudget, t.mono);
    for (Member *member : overBudget)
        // They wait in the store, not in the way of the host's other jobs, and not all for the same moment.
        unsent(*member, t.utc + Millis(10'000 + static_cast<qint64>(random() % 50'000)), t);
    if (next.isEmpty())
        return;
    QVector<Arming> armings;
    armings.reserve(next.size());
    for (const Member *member : next)
        armings.append({member->job.row, t.utc, false});
    armOut = true;
    store.arm(armings, whileAlive<StoreResult<qint64>>([this, next](const StoreResult<qint64> &seqOrError) {
                  armOut = false;
                  queue.armed(next, seqOrError.has_value(), now().mono);
                  if (seqOrError)
                      storeWorks();
                  else
                      storeFailed(seqOrError.error());
                  goOn();
              }));
}

void Overwatch::Private::retireWhenDue(Moment t)
{
    if (recordOut || storeRests(t))
        return;
    if (recording.isEmpty()) {
        const bool atTheCap = fired >= orders.settings.team.memberCap;
        if (landed.empty() || (t.mono < beat && !atTheCap && mode != Mode::Stopping))
            return;
        decideAll(t);
    }
    record();
}

void Overwatch::Private::decideAll(Moment t)
{
    const RetireMood mood{dismissed, mode == Mode::Stopping, t.utc};
    std::uniform_real_distribution<double> jitter(0.0, 1.0);
    recording.reserve(static_cast<qsizetype>(landed.size()));
    for (auto &[row, landing] : landed) {
        Member &member = *members.at(row);
        member.become(MemberState::Recording);
        member.spend(WaitReason::Record, t.mono);
        const Waits waits = member.spent().rounded();
        if (landing.attempt)
            landing.attempt->waits = waits;
        landing.job.waits += waits;
        Decision decision = decide(std::move(landing), policy, mood, jitter(random));
        log(describeDecision(decision));
        recording.append(std::move(decision.retired));
    }
    landed.clear();
    beat = monoNever;
}

/// The whole batch in one transaction. A batch that the store could not write is kept and handed in again.
void Overwatch::Private::record()
{
    recordOut = true;
    store.retire(recording,
                 whileAlive<StoreResult<RetireReceipt>>([this](const StoreResult<RetireReceipt> &receipt) {
                     recordOut = false;
                     if (receipt) {
                         storeWorks();
                         recorded(*receipt);
                     } else {
                         storeFailed(receipt.error());
                     }
                     goOn();
                 }));
}

void Overwatch::Private::recorded(const RetireReceipt &receipt)
{
    ledger = receipt.ledger;
    seq = receipt.seq;
    hasMoved = true;
    queuedLeft = -1;
    const Utc at = now().utc;
    for (const Retired &retired : std::exchange(recording, {})) {
        fired -= members.at(retired.job.row)->isFired() ? 1 : 0;
        members.erase(retired.job.row);
        board.retired(retired);
        if (retired.move == Move::Requeue)
            nextDue = std::min(nextDue.value_or(Utc::max()), std::max(at, retired.job.notBefore));
        if (servicing)
            servicing(retired, seq);
    }
    // Nobody is left who could bring more: ask the store whether this was all.
    drawWanted = drawWanted || members.empty();
}

} // namespace muster
