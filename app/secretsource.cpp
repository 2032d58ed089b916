// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/secretsource.h"

#include <QProcessEnvironment>
#include <QStringList>

namespace muster {

SecretPlaces secretPlacesHere(const QString &secretsFile)
{
    std::map<QByteArray, QByteArray> environment;
    const QProcessEnvironment here = QProcessEnvironment::systemEnvironment();
    for (const QString &name : here.keys())
        environment[name.toUtf8()] = here.value(name).toUtf8();
    return SecretPlaces::of(std::move(environment), secretsFile);
}

Problems secretHostProblems(const Settings &settings, const SecretLookup &lookup,
                            const SecretAllowList &allowed)
{
    const QByteArray host = targetOf(settings.request.url.toUtf8()).host;
    if (host.isEmpty() || host.contains('{'))
        return {};
    return allowed.notAllowed(lookup, host);
}

OrStop<SecretLookup> secretsFor(const RequestTemplate &requestTemplate, const QString &secretsFile)
{
    const QVector<QByteArray> names = requestTemplate.secrets();
    if (names.isEmpty())
        return SecretLookup();
    SecretLookup lookup = lookUpSecrets(names, secretPlacesHere(secretsFile));
    if (hasErrors(lookup.problems) || lookup.book.size() < static_cast<std::size_t>(names.size())) {
        QStringList lines;
        for (const Problem &p : lookup.problems)
            lines += sentence(p);
        return stopWith(ExitCode::Unreadable, lines.join(QLatin1Char('\n')));
    }
    return lookup;
}

} // namespace muster
