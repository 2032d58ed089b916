// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <random>
#include <unordered_map>

#include "core/team/hostbook.h"
#include "core/team/memberqueue.h"
#include "core/team/overwatch.h"
#include "core/team/retirer.h"
#include "core/team/scoreboard.h"
#include "core/team/verdict.h"

namespace muster {

/// What Overwatch keeps and how it goes on. Everything that happens (a call, a reply, a landing, the timer)
/// changes some of this and then calls goOn(), the one loop that looks what can be done now:
///
///   draw   overwatch_store.cpp    jobs from the store into the lines of their hosts
///   arm    overwatch_retire.cpp   the heads of the lines are written down before they are sent
///   fire   overwatch_fire.cpp     gate, fetcher
///   land   overwatch_land.cpp     verdict, hops, refine
///   retire overwatch_retire.cpp   decision, one transaction, servicing
///   tell   overwatch_tell.cpp     snapshot
struct Overwatch::Private
{
    static constexpr Millis beatLength{50};
    static constexpr Millis tellEvery{5 * beatLength};

    enum class Mode { Idle, Running, Paused, Stopping, Ended };

    /// The store refused something: it is asked again after a pause that doubles.
    struct StoreTrouble
    {
        QString what;
        Mono again = monoNever;
        Millis pause{1000};
    };

    Private(Overwatch *overwatch, const Ports &ports, Orders newOrders, const Ledger &known, quint32 seed);
    ~Private();

    // life: overwatch.cpp
    Moment now();
    void goOn();
    void takeStep(Moment t);
    void rearm(Moment t);
    Mono nextWake(Moment t) const;
    void endWhenOver();
    void end(CrawlEnd::Why why, const QString &message = {});
    void abortAll();
    void log(const QString &line);
    bool maySend() const { return sendsLeft != 0; }
    /// A callback that does nothing once the team is gone or has ended.
    template <typename Reply, typename Call>
    std::function<void(Reply)> whileAlive(Call call)
    {
        return [guard = std::weak_ptr<char>(alive), call = std::move(call)](Reply reply) {
            if (!guard.expired())
                call(std::move(reply));
        };
    }

    // store: overwatch_store.cpp
    void askClosedHosts();
    bool mayDraw(Moment t) const;
    bool wantsDraw(Moment t) const;
    void drawWhenWanted(Moment t);
    void drew(const Drawn &drawn);
    void prepare(const Job &job, Moment t);
    void askPrivacy(Member &member, std::function<void(Member &)> then);
    void emptyLines(Moment t);
    void giveBack(const QVector<Member *> &members, std::optional<Utc> notBefore, Moment t);
    void storeFailed(const StoreError &error);
    void storeWorks();
    bool storeRests(Moment t) const { return trouble.again != monoNever && trouble.again > t.mono; }

    // commits: overwatch_retire.cpp
    void armNext(Moment t);
    void retireWhenDue(Moment t);
    void decideAll(Moment t);
    void record();
    void recorded(const RetireReceipt &receipt);

    // fire: overwatch_fire.cpp
    void openHosts(Moment t);
    bool mayFire() const;
    void fireAll(Moment t);
    void ask(HostLine *line, Nanos late, Moment t);
    void fire(Member &member, Moment t);
    void send(const Member &member);
    void seal(Member &member, Moment t);
    FlightPlan planFor(const Member &member) const;
    Ask askOf(const Member &member) const;

    // land: overwatch_land.cpp
    void flown(qint64 row, FlightResult result);
    void settlePermit(Member &member, int sends, Mono now);
    void refined(qint64 row, const Verdict &verdict, RefineResult result, ResultRecord record);
    void conclude(Member &member, Failure failure, std::optional<Millis> given, bool isWhole,
                  std::optional<ResultRecord> record);
    void toldToWait(Member &member, std::optional<Millis> given, Landing &landing, Moment t);
    void redirect(Member &member, const Redirect &redirect);
    void hop(Member &member, Request next, int status, bool received);
    void queueHop(Member &member);
    void impossible(Member &member, const QString &why, Moment t);
    void unsent(Member &member, std::optional<Utc> notBefore, Moment t);
    void land(Member &member, Landing landing, Moment t);
    AttemptRecord attemptOf(const Member &member, const Failure &failure) const;

    // tell: overwatch_tell.cpp
    Snapshot snapshot() const;
    QString reasonFor(const Snapshot &s) const;
    std::optional<Utc> resumesAt(const Snapshot &s) const;
    void tellWhenDue(Moment t);
    void addLimiters(Snapshot &snapshot, Moment t) const;
    void addHosts(Snapshot &snapshot, Moment t) const;

    Overwatch *q;
    Clock &clock;
    JobStore &store;
    Fetcher &fetcher;
    RefinePool &refiners;
    Orders orders;
    RetryPolicy policy;
    StatusMatcher accept;
    Gate gate; ///< outlives the members, whose permits belong to it
    HostBook book;
    MemberQueue queue;
    std::unordered_map<qint64, std::unique_ptr<Member>> members; ///< by row
    Scoreboard board;
    std::mt19937 random;
    std::function<void(const Retired &, qint64)> servicing;

    Mode mode = Mode::Idle;
    bool dismissed = false;
    Ledger ledger;
    qint64 seq = 0;
    qint64 sendsLeft = -1;     ///< tries of `--limit` that are left; below 0: no limit
    bool onlyHopsLeft = false; ///< the limit is reached and the lines are rid of jobs
    FlightId lastFlight = 0;
    int fired = 0; ///< fired and not yet retired: what the cap counts
    int inFlight = 0;
    int refining = 0;

    bool drawOut = false; ///< a draw is with the store
    bool drawWanted = false;
    bool storeHasMore = false;
    std::optional<Utc> nextDue;
    qint64 queuedLeft = -1; ///< as the last draw said; below 0: not known
    Mono lastDraw{};
    bool closedKnown = false;
    bool armOut = false;

    std::vector<std::pair<qint64, Landing>> landed; ///< wait for retire()
    Mono beat = monoNever;                          ///< when they retire
    QVector<Retired> recording;                     ///< with the store
    bool recordOut = false;
    StoreTrouble trouble;

    Mono graceEnds = monoNever;
    Mono lastTold{};
    Mono lastForgotten{};
    bool hasMoved = false; ///< something worth a snapshot happened
    Mono armedFor = monoNever;
    bool isGoing = false;
    bool goAgain = false;
    Nanos utcAhead{Nanos::min()}; ///< of the wall clock before the monotonic one, never falling
    std::shared_ptr<char> alive = std::make_shared<char>();
};

} // namespace muster
