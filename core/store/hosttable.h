// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <QHash>

#include "core/store/connection.h"

namespace muster {

/// Numbers of host names. Remembers a bounded number of them, so that an import with a million hosts needs no
/// more memory than one with ten. Store thread; owned by the project.
class HostTable final
{
public:
    /// Makes the host where it is new. `listedBy`: the batch whose list names it, 0 where the net did.
    StoreResult<qint64> idOf(Connection &c, const QByteArray &name, qint64 listedBy);
    /// Nothing where there is no such host.
    StoreResult<std::optional<qint64>> find(Connection &c, const QByteArray &name);
    void forget() { m_known.clear(); } ///< after a rollback: ids may be given anew

private:
    struct Known
    {
        qint64 id = 0;
        bool listed = false;
    };
    StoreResult<std::optional<Known>> look(Connection &c, const QByteArray &name);
    void keep(const QByteArray &name, const Known &known);
    QHash<QByteArray, Known> m_known;
};

} // namespace muster
