// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/memorystore.h"

#include <algorithm>

#include "core/job/request.h"

namespace muster {

qint64 MemoryStore::add(const QByteArray &url)
{
    Job job;
    job.row = static_cast<qint64>(m_rows.size()) + 1;
    job.batch = 1;
    job.line = job.row;
    job.url = url;
    job.host = targetOf(url).host;
    m_rows[job.row].job = job;
    ++m_ledger[JobState::Queued];
    ++m_ledger.imported;
    enqueue(job, false);
    return job.row;
}

void MemoryStore::add(const QByteArray &prefix, int count)
{
    for (int i = 0; i < count; ++i)
        add(prefix + QByteArray::number(i));
}

void MemoryStore::setColumns(qint64 row, QVector<QByteArray> names, QVector<QByteArray> cells)
{
    m_rows.at(row).job.input =
        InputColumns(std::make_shared<const QVector<QByteArray>>(std::move(names)), std::move(cells));
}

MemoryStore::Host &MemoryStore::hostOf(const QByteArray &name)
{
    Host *&host = m_byName[name];
    if (!host) {
        m_hosts.push_back(std::make_unique<Host>());
        host = m_hosts.back().get();
        host->name = name;
    }
    return *host;
}

void MemoryStore::enqueue(const Job &job, bool atFront)
{
    Host &host = hostOf(job.host);
    if (job.notBefore > Utc{})
        host.waiting.emplace(job.notBefore, job.row);
    else if (atFront)
        host.fresh.push_front(job.row);
    else
        host.fresh.push_back(job.row);
}

template <typename T>
void MemoryStore::reply(const Reply<T> &to, StoreResult<T> value, QVector<StoreError> &failures)
{
    if (!failures.isEmpty())
        value = tl::unexpected(failures.takeFirst());
    m_agenda.after(latency, [to, value] { to(value); });
}

Drawn MemoryStore::take(const DrawOrder &order)
{
    Drawn out;
    QHash<QByteArray, int> taken = order.holding;
    int room = order.room;
    bool firstRound = true;
    for (bool any = true; std::exchange(any, false) || firstRound; firstRound = false) {
        for (const auto &host : m_hosts) {
            const bool atLeastOne = firstRound && taken.value(host->name) == 0;
            if (order.passOver.contains(host->name) || taken.value(host->name) >= order.perHost ||
                (room <= 0 && !atLeastOne))
                continue;
            qint64 row = 0;
            if (!host->waiting.empty() && host->waiting.begin()->first <= order.now) {
                row = host->waiting.begin()->second;
                host->waiting.erase(host->waiting.begin());
            } else if (!host->fresh.empty()) {
                row = host->fresh.front();
                host->fresh.pop_front();
            } else {
                continue;
            }
            Row &drawn = m_rows.at(row);
            if (std::exchange(drawn.isOut, true))
                wrong << QStringLiteral("row %1 is drawn twice").arg(row);
            out.jobs.append(drawn.job);
            ++taken[host->name];
            --room;
            any = true;
        }
        if (firstRound && out.jobs.isEmpty())
            break;
    }
    for (const auto &host : m_hosts) {
        out.queuedLeft += static_cast<qint64>(host->fresh.size() + host->waiting.size());
        out.more = out.more || !host->fresh.empty() ||
                   (!host->waiting.empty() && host->waiting.begin()->first <= order.now);
        if (const auto next = host->waiting.upper_bound(order.now); next != host->waiting.end())
            out.nextDue = std::min(out.nextDue.value_or(next->first), next->first);
    }
    return out;
}

void MemoryStore::draw(DrawOrder order, Reply<Drawn> to)
{
    ++draws;
    if (!failDraw.isEmpty())
        return reply<Drawn>(to, Drawn{}, failDraw);
    reply<Drawn>(to, take(order), failDraw);
}

void MemoryStore::giveBack(QVector<qint64> rows)
{
    for (auto it = rows.crbegin(); it != rows.crend(); ++it) {
        Row &row = m_rows.at(*it);
        if (!std::exchange(row.isOut, false) || row.state != JobState::Queued)
            wrong << QStringLiteral("row %1 is given back, but it is not out and queued").arg(*it);
        enqueue(row.job, true);
    }
}

void MemoryStore::change(Row &row, Move move)
{
    const std::optional<JobState> next = moved(row.state, move);
    if (!next) {
        wrong << QStringLiteral("row %1: move %2 is not legal from %3")
                     .arg(row.job.row)
                     .arg(static_cast<int>(move))
                     .arg(QLatin1String(jobStateName(row.state)));
        return;
    }
    --m_ledger[row.state];
    ++m_ledger[*next];
    row.state = *next;
}

void MemoryStore::arm(QVector<Arming> armings, Reply<qint64> to)
{
    ++arms;
    if (failArm.isEmpty())
        for (const Arming &arming : armings) {
            if (arming.isWrite)
                continue; // noted already that it is in flight
            change(m_rows.at(arming.row), Move::Arm);
            m_rows.at(arming.row).armedAt.append(arming.at);
        }
    reply<qint64>(to, ++m_seq, failArm);
}

void MemoryStore::retire(QVector<Retired> batch, Reply<RetireReceipt> to)
{
    ++retires;
    if (!failRetire.isEmpty())
        return reply<RetireReceipt>(to, RetireReceipt{}, failRetire);
    batchSizes.append(static_cast<int>(batch.size()));
    for (const Retired &retired : batch) {
        Row &row = m_rows.at(retired.job.row);
        if (!std::exchange(row.isOut, false))
            wrong << QStringLiteral("row %1 retires, but it is not out").arg(retired.job.row);
        change(row, retired.move);
        row.job = retired.job;
        row.failure = retired.failure;
        row.result = retired.result;
        if (retired.attempt)
            row.attempts.append(*retired.attempt);
        if (retired.hostClosedUntil)
            closed[retired.job.host] = *retired.hostClosedUntil;
        if (retired.move == Move::Requeue)
            enqueue(row.job, false);
    }
    reply<RetireReceipt>(to, RetireReceipt{++m_seq, m_ledger}, failRetire);
}

void MemoryStore::closedHosts(Reply<QHash<QByteArray, Utc>> to)
{
    reply<QHash<QByteArray, Utc>>(to, closed, failClosed);
}

void MemoryStore::isListedHost(QByteArray host, Reply<bool> to)
{
    reply<bool>(to, listed.contains(host) || m_byName.contains(host), failListed);
}

} // namespace muster
