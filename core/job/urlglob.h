// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

#include "core/job/request.h"

namespace muster {

/// The `match` of a limiter or a field: `host[:port][/path]`, `*` for any run of characters, without a port
/// every port, without a path every path; the query is not compared. A leading `http://` or `https://` is
/// understood. Hosts are compared as the target spells them: lower case, punycode, no trailing dot. A value.
class UrlGlob final
{
public:
    explicit UrlGlob(const QString &pattern);

    bool matches(const QByteArray &url) const; ///< a normalised one
    /// The two halves, for who knows the first for a whole host.
    bool matchesOrigin(const Target &target) const;
    bool matchesPath(QByteArrayView path) const;

private:
    void setOrigin(QString origin);

    QByteArray m_scheme; ///< empty: both
    QByteArray m_host;
    QByteArray m_port; ///< empty: every port
    QByteArray m_path; ///< empty: every path
};

} // namespace muster
