// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <QHash>
#include <QVector>
#include <set>
#include <unordered_map>

#include "core/limits/gate.h"
#include "core/team/hostline.h"

namespace muster {

/// The fair choice among hosts. Each host has a line (first in, first out; redirect hops take turns with its
/// jobs). Lines whose head may be sent stand in a ring and are served in turn; a line that a limiter refused
/// stands in that limiter instance's own line until the instance has something to give, and only as many are
/// called as it grants: O(1) for each grant and refusal, amortised, however many hosts wait. Engine thread,
/// owned by Overwatch; owns lines, not members.
class MemberQueue final
{
public:
    /// So many hops waiting at one host are a crowd: the jobs of the hosts that sent them are passed over.
    static constexpr std::size_t crowdOfHops = 100;

    MemberQueue();
    ~MemberQueue();
    Q_DISABLE_COPY_MOVE(MemberQueue)

    void addJob(Member *member, Mono now);
    void addHop(Member *member, Mono now);

    /// The next line whose head may ask the gate, or null. `late`: how late its timer is. What came of it is
    /// told by exactly one of granted(), refused(), blocked() or dropHead().
    HostLine *next(Mono now, Nanos *late);
    void granted(HostLine *line, Mono now);
    void refused(HostLine *line, const NotUntil &answer, Mono now);
    /// The host itself may not be asked now; open() brings it back.
    void blocked(HostLine *line, WaitReason why, Mono now);
    /// Takes the head out unsent.
    void dropHead(HostLine *line, Mono now);

    /// A permit came back: the first who waits there may ask.
    void freed(InstanceId instance);
    /// The rules changed: everybody may ask.
    void callAll(Mono now);
    void shut(const QByteArray &host, Mono now);
    void open(const QByteArray &host, Mono now);
    /// A flight to the host has landed: where it reopens slowly, the next one may go.
    void unblock(const QByteArray &host, Mono now);
    /// While nothing is fired, time counts as `held`.
    void setPaused(bool paused, Mono now);

    /// Heads to be armed next, line by line, each line as many as it used up lately. Those that `fit` refuses
    /// are taken out and returned by `unfit`.
    QVector<Member *> takeToArm(int most, const std::function<bool(Member &)> &fit, QVector<Member *> &unfit,
                                Mono now);
    bool wantsArming() const { return !m_toArm.empty(); }
    /// What takeToArm() gave is on disk (or, with `ok` false, could not be written).
    void armed(const QVector<Member *> &members, bool ok, Mono now);

    /// Takes out the members of a host that are still `queued` on disk.
    QVector<Member *> takeDrawn(const QByteArray &host, Mono now);
    /// Takes out the hops that wait for a host, or for any.
    QVector<Member *> takeHops(const QByteArray &host, Mono now);
    QVector<Member *> takeAllHops(Mono now);
    /// Takes out all jobs; hops stay. Not while takeToArm()'s members are under way.
    QVector<Member *> takeJobs(Mono now);

    qint64 waiting() const { return m_waiting; }
    Mono nextWake() const { return m_wakes.empty() ? monoNever : m_wakes.begin()->first; }
    /// Jobs by host, without hops.
    QHash<QByteArray, int> holding() const;
    int hostCount() const { return static_cast<int>(m_lines.size()); }
    /// Lines that ran to half of what a draw gave them since the last call of drew().
    int runLow() const { return m_runLow; }
    void drew(int perHost);
    void forgetIdle();

    struct Standing
    {
        qint64 waiting = 0;    ///< members behind this instance's refusal
        double refusals = 0;   ///< recent ones: each call of fadeRefusals() halves them
        bool refuses = false;  ///< it would refuse now too; else its line only waits to be asked
        Mono when = monoNever; ///< its next grant
    };
    QHash<InstanceId, Standing> standings(Mono now) const;
    void fadeRefusals();
    const std::unordered_map<QByteArray, std::unique_ptr<HostLine>, ByteHash> &lines() const
    {
        return m_lines;
    }

private:
    struct InstanceLine;
    HostLine &lineOf(const QByteArray &host, Mono now);
    void enter(HostLine &line, Member *member, Mono now);
    void leave(HostLine &line, Member *member, Mono now);
    /// Puts a line that stands nowhere where it belongs, and has its next jobs armed.
    void settle(HostLine &line, Mono now);
    void askArming(HostLine &line);
    bool takeTurn(HostLine *line, Mono now);
    void popHead(HostLine &line, Mono now);
    void standAgain(HostLine *line, Mono now);
    void park(HostLine *line, InstanceLine &at, bool first, Mono now);
    void turn(HostLine &line, WaitReason reason, Mono now);
    WaitReason reasonOf(const HostLine &line) const;
    void wakeDue(Mono now);
    void wake(InstanceLine &line);
    void setWhen(InstanceLine &line, Mono when);
    void holdBack(Member *hop, int by, Mono now);
    void noteRunLow(const HostLine &line);

    std::unordered_map<QByteArray, std::unique_ptr<HostLine>, ByteHash> m_lines;
    std::unordered_map<InstanceId, std::unique_ptr<InstanceLine>> m_instances;
    std::set<std::pair<Mono, InstanceId>> m_wakes;
    std::deque<InstanceId> m_awake;
    std::deque<HostLine *> m_ring;
    std::deque<HostLine *> m_toArm;
    qint64 m_waiting = 0;
    int m_runLow = 0;
    int m_perHost = 1;
    bool m_paused = false;
};

} // namespace muster
