// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

namespace muster {

/// The `match` of a field: `host[:port][/path]`, `*` any run of characters; without a port all ports, without
/// a path all paths; the query is not compared. Hosts in any case, paths as they are. Immutable.
class UrlGlob final
{
public:
    explicit UrlGlob(const QByteArray &glob);
    bool matches(const QByteArray &url) const;

private:
    bool m_all = false;
    QByteArray m_host;
    QByteArray m_port; ///< empty: any
    QByteArray m_path; ///< empty: any
};

/// `*` stands for any run of characters, the rest for itself. Linear in the text for each star.
bool matchesGlob(QByteArrayView glob, QByteArrayView text);

} // namespace muster
