// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <deque>
#include <map>
#include <QSet>
#include <QStringList>

#include "core/store/jobstore.h"
#include "tests/support/agenda.h"

namespace muster {

/// A JobStore in memory that keeps the port's promises: replies later, in order, once. It can be told to
/// fail, and notes every move that the table of legal moves does not have.
class MemoryStore final : public JobStore
{
public:
    struct Row
    {
        Job job;
        JobState state = JobState::Queued;
        Failure failure;
        std::optional<ResultRecord> result;
        QVector<AttemptRecord> attempts;
        QVector<Utc> armedAt;
        bool isOut = false; ///< drawn and neither retired nor given back
    };

    explicit MemoryStore(Agenda &agenda)
        : m_agenda(agenda)
    {}

    qint64 add(const QByteArray &url);
    void add(const QByteArray &prefix, int count);
    void setColumns(qint64 row, QVector<QByteArray> names, QVector<QByteArray> cells);
    const Row &row(qint64 number) const { return m_rows.at(number); }
    const std::map<qint64, Row> &rows() const { return m_rows; }
    qint64 count(JobState state) const { return m_ledger[state]; }
    const Ledger &ledger() const { return m_ledger; }

    void draw(DrawOrder order, Reply<Drawn> reply) override;
    void giveBack(QVector<qint64> rows) override;
    void arm(QVector<Arming> armings, Reply<qint64> reply) override;
    void retire(QVector<Retired> batch, Reply<RetireReceipt> reply) override;
    void closedHosts(Reply<QHash<QByteArray, Utc>> reply) override;
    void isListedHost(QByteArray host, Reply<bool> reply) override;

    Nanos latency = Millis(1);
    QHash<QByteArray, Utc> closed;
    QSet<QByteArray> listed; ///< beside the hosts of the rows
    QVector<StoreError> failDraw, failArm, failRetire, failClosed, failListed; ///< the next calls fail so
    QStringList wrong; ///< broken promises of the team
    int draws = 0, arms = 0, retires = 0;
    QVector<int> batchSizes;

private:
    struct Host
    {
        QByteArray name;
        std::deque<qint64> fresh;
        std::multimap<Utc, qint64> waiting;
    };
    Host &hostOf(const QByteArray &name);
    void enqueue(const Job &job, bool atFront);
    Drawn take(const DrawOrder &order);
    void change(Row &row, Move move);
    template <typename T>
    void reply(const Reply<T> &to, StoreResult<T> value, QVector<StoreError> &failures);

    Agenda &m_agenda;
    std::map<qint64, Row> m_rows;
    std::vector<std::unique_ptr<Host>> m_hosts;
    QHash<QByteArray, Host *> m_byName;
    Ledger m_ledger;
    qint64 m_seq = 0;
};

} // namespace muster
