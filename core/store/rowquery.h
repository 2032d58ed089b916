// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/connection.h"
#include "core/store/selector.h"
#include "core/store/storereader.h"

namespace muster {

/// The one statement behind pages and exports: rows with the outcome they show, in row order, streamed. Owned
/// by StoreReader, whose connection it uses.
class RowQuery final
{
public:
    explicit RowQuery(Connection &c)
        : m_connection(c)
    {}

    /// `most` below 0: all.
    StoreResult<void> each(const Selector &where, qint64 after, int most,
                           const std::function<bool(const RowView &)> &each);
    StoreResult<qint64> count(const Selector &where);
    StoreResult<QVector<qint64>> anchors(const Selector &where, int stride);
    StoreResult<QVector<AttemptView>> attempts(qint64 row);

private:
    StoreResult<RowView> view(const QSqlQuery &q);
    StoreResult<void> addResult(const QSqlQuery &q, int at, RowView &v);
    StoreResult<QByteArray> hostName(qint64 id);
    StoreResult<InputColumns::Names> columns(qint64 batch);

    Connection &m_connection;
    QHash<qint64, QByteArray> m_hosts; ///< bounded
    QHash<qint64, InputColumns::Names> m_columns;
};

} // namespace muster
