// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstring>

#include "core/store/desk.h"

namespace muster {

qint64 RowWriter::half(const QByteArray &identity, int which)
{
    qint64 n = 0;
    if (identity.size() >= 8 * (which + 1))
        std::memcpy(&n, identity.constData() + 8 * which, 8);
    return n;
}

StoreResult<std::optional<Holder>> RowWriter::holder(const QByteArray &identity, qint64 &place)
{
    Connection &c = *m_desk.connection;
    const qint64 second = half(identity, 1);
    place = half(identity, 0);
    MUSTER_TAKE(q, c.statement("SELECT row, batch, id2 FROM row WHERE id1=?"));
    for (;; place = static_cast<qint64>(static_cast<quint64>(place) + 1)) {
        q->bindValue(0, place);
        if (!q->exec())
            return tl::make_unexpected(Connection::error(q->lastError(), c.path()));
        if (!q->next()) {
            q->finish();
            return std::optional<Holder>();
        }
        const Holder found{q->value(0).toLongLong(), q->value(1).toLongLong()};
        const bool same = q->value(2).toLongLong() == second;
        q->finish();
        if (same)
            return std::optional<Holder>(found);
    }
}

StoreResult<QSqlQuery *> RowWriter::filled(const RowDraft &d, std::optional<qint64> place, qint64 first)
{
    Connection &c = *m_desk.connection;
    const QVariant id1 = place ? QVariant(*place) : QVariant();
    const QVariant id2 = place ? QVariant(half(d.identity, 1)) : QVariant();
    const QVariant input = d.input.isEmpty() ? QVariant() : QVariant(d.input);
    const bool listed = d.state == JobState::Queued && !d.received && d.note.isEmpty() && first == 0 &&
                        d.parent == 0 && d.origin == 0 && d.page == 0 && d.depth == 0;
    int i = 0;
    if (listed) { // a row of a list: each bound value costs as much as SQLite's own work for it
        MUSTER_TAKE(q,
                    c.statement("INSERT INTO row(row, state, run, batch, line, host, id1, id2, url, input) "
                                "VALUES(?, 'queued', ?, ?, ?, ?, ?, ?, CAST(? AS TEXT), ?) "
                                "ON CONFLICT(id1) WHERE id1 IS NOT NULL DO NOTHING"));
        q->bindValue(i++, m_desk.ledger.now.lastRow + 1);
        q->bindValue(i++, m_desk.run);
        q->bindValue(i++, orNull(d.batch));
        q->bindValue(i++, orNull(d.line));
        q->bindValue(i++, orNull(d.host));
        q->bindValue(i++, id1);
        q->bindValue(i++, id2);
        q->bindValue(i++, bytes(d.url));
        q->bindValue(i++, input);
        return q;
    }
    MUSTER_TAKE(q, c.statement("INSERT INTO row(row, state, run, batch, line, host, id1, id2, duplicate_of, "
                               "parent, origin, page, depth, received, note, url, input) VALUES(?, CAST(? AS "
                               "TEXT), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, CAST(? AS TEXT), ?) "
                               "ON CONFLICT(id1) WHERE id1 IS NOT NULL DO NOTHING"));
    const char *state = jobStateName(d.state);
    q->bindValue(i++, m_desk.ledger.now.lastRow + 1);
    q->bindValue(i++, QByteArray::fromRawData(state, static_cast<qsizetype>(strlen(state))));
    q->bindValue(i++, m_desk.run);
    q->bindValue(i++, orNull(d.batch));
    q->bindValue(i++, orNull(d.line));
    q->bindValue(i++, orNull(d.host));
    q->bindValue(i++, id1);
    q->bindValue(i++, id2);
    q->bindValue(i++, orNull(first));
    q->bindValue(i++, orNull(d.parent));
    q->bindValue(i++, orNull(d.origin));
    q->bindValue(i++, d.page);
    q->bindValue(i++, d.depth);
    q->bindValue(i++, d.received ? 1 : 0);
    q->bindValue(i++, d.note.isEmpty() ? QVariant() : QVariant(d.note));
    q->bindValue(i++, bytes(d.url));
    q->bindValue(i++, input);
    return q;
}

StoreResult<bool> RowWriter::put(const RowDraft &d, std::optional<qint64> place, qint64 first)
{
    Connection &c = *m_desk.connection;
    MUSTER_TAKE(q, filled(d, place, first));
    if (!q->exec())
        return tl::make_unexpected(Connection::error(q->lastError(), c.path()));
    const bool written = q->numRowsAffected() == 1;
    q->finish();
    if (written) {
        Counters &n = m_desk.ledger.now;
        ++n.lastRow;
        ++(d.received ? (d.page > 0 ? n.ledger.nextPages : n.ledger.found) : n.ledger.imported);
        m_desk.ledger.move({}, false, d.state, false);
    }
    return written;
}

StoreResult<RowWriter::Written> RowWriter::insert(const RowDraft &draft)
{
    if (draft.identity.isEmpty()) {
        MUSTER_TRY(put(draft, {}, 0));
        return Written{m_desk.ledger.now.lastRow, {}};
    }
    // Most rows are new: write first, look only where the place is taken.
    MUSTER_TAKE(written, put(draft, half(draft.identity, 0), 0));
    if (written)
        return Written{m_desk.ledger.now.lastRow, {}};
    qint64 place = 0;
    MUSTER_TAKE(found, holder(draft.identity, place));
    if (found)
        return Written{0, found};
    MUSTER_TRY(put(draft, place, 0));
    return Written{m_desk.ledger.now.lastRow, {}};
}

StoreResult<qint64> RowWriter::insertDuplicate(RowDraft draft, qint64 first)
{
    draft.state = JobState::Duplicate;
    MUSTER_TRY(put(draft, {}, first));
    return m_desk.ledger.now.lastRow;
}

} // namespace muster
