// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QJsonArray>
#include <QVector>
#include <tl/expected.hpp>

#include "core/settings/problem.h"
#include "core/settings/secretlookup.h"

namespace muster {

/// Which stored secrets may go to which hosts, as a person decided for one project (spec 9). Kept with the
/// project, beside the settings, never inside them: a document from a stranger allows nothing. A value; any
/// thread. Hosts are as in Target: lower case, punycode, no port.
class SecretAllowList final
{
public:
    struct Entry
    {
        QByteArray name;
        QByteArray host; ///< glob: * any run of characters
        bool operator==(const Entry &) const = default;
    };

    /// Adds an entry once; the problem names what is wrong with the name or the glob.
    std::optional<Problem> allow(const QByteArray &name, const QByteArray &hostGlob);
    /// Takes an entry back; false where there was none.
    bool disallow(const QByteArray &name, const QByteArray &hostGlob);
    /// Secrets handed to this run count as allowed, stored ones where an entry says so.
    bool allows(QByteArrayView name, SecretSource source, QByteArrayView host) const;
    /// One problem for each secret of the lookup that may not go to this host: for `check` and before Start.
    Problems notAllowed(const SecretLookup &lookup, const QByteArray &host) const;
    const QVector<Entry> &entries() const { return m_entries; }

    QJsonArray toJson() const;
    static tl::expected<SecretAllowList, Problem> fromJson(const QJsonArray &json);

    bool operator==(const SecretAllowList &) const = default;

private:
    QVector<Entry> m_entries;
};

} // namespace muster
