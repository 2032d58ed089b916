// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

namespace muster {

/// The `match` of a field: `host[:port][/path]`, `*` any run of characters; without a port all ports, without
/// a path all paths; the query is not compared. Hosts in any case, paths as they are. Immutable.
class FieldScope final
{
public:
    explicit FieldScope(const QByteArray &glob);
    bool matches(const QByteArray &url) const;

private:
    bool m_all = false;
    QByteArray m_host;
    QByteArray m_port; ///< empty: any
    QByteArray m_path; ///< empty: any
};

} // namespace muster
