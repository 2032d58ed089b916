// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/team/hostbook.h"

#include <algorithm>
#include <bitset>

namespace muster {

namespace {

constexpr Millis firstPause{30'000};
constexpr Millis longestPause{3'600'000};
constexpr Millis longestFloor{300'000};
constexpr int refusalsToFail = 10;
constexpr int fullyOpen = 1000; ///< so many at once after a closing and nobody counts any more
constexpr int remembered = 100; ///< last answers, for "less than a quarter were refusals"
constexpr Nanos quietFor = std::chrono::minutes(11); ///< longer than the budget looks back

/// The fourth closing in a row and later ones last at least 2, 4, 8 … s, to 5 min.
Millis floorOf(int closingsInARow)
{
    if (closingsInARow < 4)
        return Millis(0);
    const int doublings = std::min(closingsInARow - 3, 12);
    return std::min(longestFloor, Millis(1000LL << doublings));
}

} // namespace

struct HostBook::Host
{
    Mono until{};              ///< closed up to here; in the past: open
    Mono closedAt{};           ///< when the last closing began
    Mono reopenedAt{};         ///< when it ended
    int inARow = 0;            ///< closings without a good answer between them
    Millis pause = firstPause; ///< the next closing without a given time lasts this long
    int allowed = 0;           ///< in flight at once while it reopens; 0: as many as the limits grant
    int inFlight = 0;
    bool hasAnswered = false; ///< below 400, in this run
    bool inTrouble = false;
    RetryBudget budget;
    Mono lastTouched{};
    std::bitset<remembered> wasRefusal;
    int answers = 0;
    QHash<qint64, int> refusedAlone; ///< refusals of jobs that were the one to reopen it

    void remember(bool refusal)
    {
        wasRefusal <<= 1;
        wasRefusal[0] = refusal;
        answers = std::min(answers + 1, remembered);
    }
    bool seldomRefuses() const { return static_cast<int>(wasRefusal.count()) * 4 < answers; }
};

HostBook::Host *HostBook::find(const QByteArray &host) const
{
    const auto it = m_hosts.constFind(host);
    return it == m_hosts.constEnd() ? nullptr : it->get();
}

HostBook::Host &HostBook::at(const QByteArray &host)
{
    std::shared_ptr<Host> &entry = m_hosts[host];
    if (!entry)
        entry = std::make_shared<Host>();
    return *entry;
}

bool HostBook::isClosed(const QByteArray &host, Mono now) const
{
    return closedUntil(host, now).has_value();
}

std::optional<Mono> HostBook::closedUntil(const QByteArray &host, Mono now) const
{
    const Host *h = find(host);
    return h && h->until > now ? std::optional(h->until) : std::nullopt;
}

bool HostBook::mayFire(const QByteArray &host, Mono now) const
{
    const Host *h = find(host);
    return !h || (h->until <= now && (h->allowed == 0 || h->inFlight < h->allowed));
}

int HostBook::inFlight(const QByteArray &host) const
{
    const Host *h = find(host);
    return h ? h->inFlight : 0;
}

void HostBook::fired(const QByteArray &host)
{
    ++at(host).inFlight;
}

void HostBook::landed(const QByteArray &host)
{
    --at(host).inFlight;
}

HostBook::Closing HostBook::refused(const QByteArray &name, const Refusal &refusal, int refusals, Mono now)
{
    Host &host = at(name);
    host.remember(true);
    const bool alone = host.allowed == 1 && refusal.sentAt >= host.reopenedAt;
    const bool aloneTooOften = alone && ++host.refusedAlone[refusal.row] >= refusalsToFail;
    if (refusal.sentAt <= host.closedAt) {
        // It was on its way when the host closed: it says nothing new, but it may ask for longer.
        if (refusal.given && now + *refusal.given > host.until) {
            host.allowed = 1;
            close(name, host, now + *refusal.given);
        }
    } else {
        ++host.inARow;
        Millis pause = refusal.given.value_or(host.pause);
        if (!refusal.given)
            host.pause = std::min(longestPause, host.pause * 2);
        pause = std::max(pause, floorOf(host.inARow));
        host.closedAt = now;
        host.allowed = 1;
        close(name, host, std::max(host.until, now + pause));
    }
    const bool hopeless =
        refusals >= refusalsToFail && (host.seldomRefuses() || (aloneTooOften && host.hasAnswered));
    return {host.until, hopeless};
}

void HostBook::answered(const QByteArray &name, Mono sentAt, bool good)
{
    Host &host = at(name);
    host.remember(false);
    host.inTrouble = false;
    host.hasAnswered = host.hasAnswered || good;
    if (host.allowed == 0 || sentAt < host.reopenedAt)
        return;
    host.inARow = 0;
    host.pause = firstPause;
    if (++host.allowed > fullyOpen)
        host.allowed = 0;
}

void HostBook::troubled(const QByteArray &name)
{
    Host &host = at(name);
    host.remember(false);
    host.inTrouble = true;
}

void HostBook::restore(const QByteArray &name, Mono until)
{
    Host &host = at(name);
    host.allowed = 1;
    close(name, host, std::max(host.until, until));
}

void HostBook::close(const QByteArray &name, Host &host, Mono until)
{
    m_closed.erase({host.until, name});
    host.until = until;
    host.reopenedAt = until;
    m_closed.emplace(until, name);
}

void HostBook::firstTry(const QByteArray &name, Mono now)
{
    Host &host = at(name);
    host.lastTouched = now;
    host.budget.firstTry(now);
}

bool HostBook::takeRetry(const QByteArray &name, Mono now, double share)
{
    Host &host = at(name);
    host.lastTouched = now;
    return host.budget.take(now, share, !host.inTrouble);
}

QVector<QByteArray> HostBook::reopen(Mono now)
{
    QVector<QByteArray> names;
    while (!m_closed.empty() && m_closed.begin()->first <= now) {
        names.append(m_closed.begin()->second);
        m_closed.erase(m_closed.begin());
    }
    return names;
}

Mono HostBook::nextReopening() const
{
    return m_closed.empty() ? monoNever : m_closed.begin()->first;
}

void HostBook::forgetIdle(Mono now)
{
    for (auto it = m_hosts.begin(); it != m_hosts.end();) {
        const Host &host = **it;
        const bool idle = host.inFlight == 0 && host.until <= now && host.allowed == 0 && !host.inTrouble &&
                          !host.hasAnswered && now - host.lastTouched > quietFor;
        it = idle ? m_hosts.erase(it) : std::next(it);
    }
}

} // namespace muster
