// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/packing.h"
#include "core/store/verbs.h"

namespace muster {

namespace {

/// A row of the queue, a duplicate or a refused one, as the old template left it.
struct Open
{
    Job job;
    JobState state = JobState::Queued;
};

StoreResult<QVector<Open>> nextRows(Connection &c, qint64 after)
{
    MUSTER_TAKE(
        q, c.statement("SELECT row, CAST(state AS BLOB), batch, line, CAST(url AS BLOB), input, priority, "
                       "tries, attempts, refusals, not_before FROM row WHERE row>? AND received=0 AND "
                       "state IN ('queued', 'duplicate', 'refused') ORDER BY row LIMIT 1000"));
    q->bindValue(0, after);
    if (!q->exec())
        return tl::make_unexpected(Connection::error(q->lastError(), c.path()));
    QVector<Open> rows;
    QHash<qint64, QByteArray> inputs;
    while (q->next()) {
        Open o;
        o.job.row = q->value(0).toLongLong();
        o.state = *jobStateFromName(q->value(1).toByteArray());
        o.job.batch = q->value(2).toLongLong();
        o.job.line = q->value(3).toLongLong();
        o.job.url = q->value(4).toByteArray();
        inputs.insert(o.job.row, q->value(5).toByteArray());
        o.job.priority = q->value(6).toInt();
        o.job.tries = q->value(7).toInt();
        o.job.attempts = q->value(8).toInt();
        o.job.refusals = q->value(9).toInt();
        o.job.notBefore = utcFromMs(q->value(10).toLongLong());
        rows.append(o);
    }
    q->finish();
    QHash<qint64, InputColumns::Names> names;
    for (Open &o : rows) {
        const QByteArray input = inputs.value(o.job.row);
        if (input.isEmpty())
            continue;
        if (!names.contains(o.job.batch)) {
            MUSTER_TAKE(packed, c.value("SELECT columns FROM batch WHERE batch=?", {o.job.batch}));
            names.insert(o.job.batch,
                         std::make_shared<const QVector<QByteArray>>(packing::unpack(packed.toByteArray())));
        }
        o.job.input = InputColumns(names.value(o.job.batch), packing::unpack(input));
    }
    return rows;
}

class Rerendering
{
public:
    Rerendering(Desk &desk, bool share)
        : m_desk(desk)
        , m_share(share)
    {}

    StoreResult<bool> decide(const Open &was, const IntakeRow &is)
    {
        Connection &c = *m_desk.connection;
        JobState to = JobState::Queued;
        qint64 first = 0;
        QVariant id1, id2;
        const bool held = m_desk.book.isDrawn(was.job.row); // its member sends it: it stays queued
        if (!is.refused.isEmpty()) {
            to = held ? JobState::Queued : JobState::Refused;
        } else if (m_share && !is.identity.isEmpty()) {
            qint64 place = 0;
            MUSTER_TAKE(holder, RowWriter(m_desk).holder(is.identity, place));
            if (!holder) {
                id1 = place;
                id2 = RowWriter::half(is.identity, 1);
            } else if (!held) {
                to = JobState::Duplicate;
                first = holder->row;
            }
        }
        QVariant host;
        if (!is.host.isEmpty() && is.refused.isEmpty()) {
            MUSTER_TAKE(id, m_desk.hosts.idOf(c, is.host, was.job.batch));
            host = id;
        } else if (held) {
            MUSTER_TAKE(kept, c.value("SELECT host FROM row WHERE row=?", {was.job.row}));
            host = kept;
        }
        const qint64 notBefore = to == JobState::Queued ? toMs(was.job.notBefore) : 0;
        MUSTER_TRY(c.run(
            "UPDATE row SET state=CAST(? AS TEXT), host=?, id1=?, id2=?, duplicate_of=?, note=?, "
            "not_before=?, seq=?, url=CAST(? AS TEXT) WHERE row=?",
            {QByteArray(jobStateName(to)), host, id1, id2, orNull(first),
             to == JobState::Refused ? QVariant(is.refused) : QVariant(), notBefore, m_desk.ledger.now.seq,
             bytes(held || is.url.isEmpty() ? was.job.url : is.url), was.job.row}));
        m_desk.ledger.move(was.state, toMs(was.job.notBefore) > 0, to, notBefore > 0);
        return !held;
    }

private:
    Desk &m_desk;
    bool m_share;
};

} // namespace

StoreResult<VerbCounts> rerenderRows(Desk &desk, const std::function<IntakeRow(const Job &)> &render,
                                     bool share)
{
    Connection &c = *desk.connection;
    VerbCounts counts;
    // Their old identities go first; those of rows that were sent stay and still stand for their request.
    MUSTER_TRY(c.run("UPDATE row SET id1=NULL, id2=NULL WHERE received=0 AND id1 IS NOT NULL AND "
                     "state IN ('queued', 'duplicate', 'refused')"));
    Rerendering work(desk, share);
    for (qint64 after = 0;;) {
        MUSTER_TAKE(rows, nextRows(c, after));
        if (rows.isEmpty())
            return counts;
        for (const Open &o : rows) {
            MUSTER_TAKE(anew, work.decide(o, render(o.job)));
            ++(anew ? counts.changed : counts.left);
        }
        after = rows.last().job.row;
    }
}

} // namespace muster
