// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/settings/secretallowlist.h"

#include <algorithm>
#include <QJsonObject>

#include "core/job/wildcard.h"

namespace muster {

namespace {

bool isHostGlob(const QByteArray &glob)
{
    return !glob.isEmpty() && glob.size() <= 255 && std::all_of(glob.begin(), glob.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '_' ||
               c == '*' || c == ':';
    });
}

} // namespace

std::optional<Problem> SecretAllowList::allow(const QByteArray &name, const QByteArray &hostGlob)
{
    const QByteArray glob = hostGlob.toLower();
    if (!isSecretName(name))
        return Problem{Problem::Severity::Error, QString::fromUtf8(name.left(64)),
                       QStringLiteral("this is no name of a secret"),
                       QStringLiteral("write a-z, 0-9 and _, for example maps")};
    if (!isHostGlob(glob))
        return Problem{Problem::Severity::Error, QStringLiteral("--host"),
                       QStringLiteral("\"%1\" is no host").arg(QString::fromUtf8(hostGlob.left(100))),
                       QStringLiteral("write a host without scheme and path, for example *.maps.example")};
    const Entry entry{name, glob};
    if (!m_entries.contains(entry))
        m_entries.append(entry);
    return std::nullopt;
}

bool SecretAllowList::disallow(const QByteArray &name, const QByteArray &hostGlob)
{
    return m_entries.removeAll(Entry{name, hostGlob.toLower()}) > 0;
}

bool SecretAllowList::allows(QByteArrayView name, SecretSource source, QByteArrayView host) const
{
    return !isStored(source) || std::any_of(m_entries.begin(), m_entries.end(), [&](const Entry &e) {
        return QByteArrayView(e.name) == name && matchesWildcard(e.host, host);
    });
}

Problems SecretAllowList::notAllowed(const SecretLookup &lookup, const QByteArray &host) const
{
    Problems problems;
    for (const auto &[name, source] : lookup.sources) {
        if (!allows(name, source, host))
            problems.append({Problem::Severity::Error,
                             QStringLiteral("{secret:%1}").arg(QString::fromLatin1(name)),
                             QStringLiteral("nobody has allowed it to go to %1").arg(QString::fromUtf8(host)),
                             QStringLiteral("run `muster-cli secret set %1 --project PROJECT --host %2`")
                                 .arg(QString::fromLatin1(name), QString::fromUtf8(host))});
    }
    return problems;
}

QJsonArray SecretAllowList::toJson() const
{
    QJsonArray array;
    for (const Entry &e : m_entries)
        array.append(QJsonObject{{QStringLiteral("secret"), QString::fromLatin1(e.name)},
                                 {QStringLiteral("host"), QString::fromLatin1(e.host)}});
    return array;
}

tl::expected<SecretAllowList, Problem> SecretAllowList::fromJson(const QJsonArray &json)
{
    SecretAllowList list;
    for (const QJsonValue &v : json) {
        const QJsonObject entry = v.toObject();
        if (auto problem = list.allow(entry.value(QLatin1String("secret")).toString().toUtf8(),
                                      entry.value(QLatin1String("host")).toString().toUtf8()))
            return tl::unexpected(*problem);
    }
    return list;
}

} // namespace muster
