// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/hosttable.h"

namespace muster {

namespace {
constexpr qsizetype most = 20'000; // about 3 MB
}

void HostTable::keep(const QByteArray &name, const Known &known)
{
    if (m_known.size() >= most)
        m_known.clear();
    m_known.insert(name, known);
}

StoreResult<std::optional<HostTable::Known>> HostTable::look(Connection &c, const QByteArray &name)
{
    if (const auto it = m_known.constFind(name); it != m_known.constEnd())
        return *it;
    MUSTER_TAKE(q, c.statement("SELECT host, listed FROM host WHERE name=CAST(? AS TEXT)"));
    q->bindValue(0, bytes(name));
    if (!q->exec())
        return tl::make_unexpected(Connection::error(q->lastError(), c.path()));
    std::optional<Known> known;
    if (q->next())
        known = Known{q->value(0).toLongLong(), !q->value(1).isNull()};
    q->finish();
    if (known)
        keep(name, *known);
    return known;
}

StoreResult<qint64> HostTable::idOf(Connection &c, const QByteArray &name, qint64 listedBy)
{
    MUSTER_TAKE(known, look(c, name));
    if (known) {
        if (listedBy > 0 && !known->listed) {
            MUSTER_TRY(c.run("UPDATE host SET listed=? WHERE host=?", {listedBy, known->id}));
            keep(name, {known->id, true});
        }
        return known->id;
    }
    MUSTER_TAKE(q, c.statement("INSERT INTO host(name, listed) VALUES(CAST(? AS TEXT), ?)"));
    q->bindValue(0, bytes(name));
    q->bindValue(1, orNull(listedBy));
    if (!q->exec())
        return tl::make_unexpected(Connection::error(q->lastError(), c.path()));
    const qint64 id = q->lastInsertId().toLongLong();
    q->finish();
    keep(name, {id, listedBy > 0});
    return id;
}

StoreResult<std::optional<qint64>> HostTable::find(Connection &c, const QByteArray &name)
{
    MUSTER_TAKE(known, look(c, name));
    return known ? std::optional<qint64>(known->id) : std::nullopt;
}

} // namespace muster
