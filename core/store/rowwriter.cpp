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

StoreResult<bool> RowWriter::put(const RowDraft &d, std::optional<qint64> place, qint64 first)
{
    Connection &c = *m_desk.connection;
    MUSTER_TAKE(q, c.statement("INSERT INTO row(row, state, run, batch, line, host, id1, id2, duplicate_of, "
                               "parent, origin, page, depth, received, note, url, input) VALUES(?, CAST(? AS "
                               "TEXT), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, CAST(? AS TEXT), ?) "
                               "ON CONFLICT(id1) WHERE id1 IS NOT NULL DO NOTHING"));
    const char *state = jobStateName(d.state);
    q->bindValue(0, m_desk.ledger.now.lastRow + 1);
    q->bindValue(1, QByteArray::fromRawData(state, static_cast<qsizetype>(strlen(state))));
    q->bindValue(2, m_desk.run);
    q->bindValue(3, orNull(d.batch));
    q->bindValue(4, orNull(d.line));
    q->bindValue(5, orNull(d.host));
    q->bindValue(6, place ? QVariant(*place) : QVariant());
    q->bindValue(7, place ? QVariant(half(d.identity, 1)) : QVariant());
    q->bindValue(8, orNull(first));
    q->bindValue(9, orNull(d.parent));
    q->bindValue(10, orNull(d.origin));
    q->bindValue(11, d.page);
    q->bindValue(12, d.depth);
    q->bindValue(13, d.received ? 1 : 0);
    q->bindValue(14, d.note.isEmpty() ? QVariant() : QVariant(d.note));
    q->bindValue(15, bytes(d.url));
    q->bindValue(16, d.input.isEmpty() ? QVariant() : QVariant(d.input));
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
