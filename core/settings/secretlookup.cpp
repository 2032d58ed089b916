// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/settings/secretlookup.h"

#include <algorithm>

#include "core/settings/secretfile.h"

namespace muster {

namespace {

QByteArray variable(const std::map<QByteArray, QByteArray> &environment, const QByteArray &name)
{
    const auto it = environment.find(name);
    return it == environment.end() ? QByteArray() : it->second;
}

/// Takes what is still lacking out of one place.
class Gatherer final
{
public:
    explicit Gatherer(SecretLookup &lookup)
        : m_lookup(lookup)
    {}

    void ask(const QVector<QByteArray> &names)
    {
        for (const QByteArray &name : names) {
            if (isSecretName(name))
                m_lacking.append(name);
            else
                problem(place(name), QStringLiteral("this is no name of a secret"),
                        QStringLiteral("write a-z, 0-9 and _, for example {secret:maps}"));
        }
    }

    void file(const QString &path, SecretFileMode mode, bool optional, SecretSource source)
    {
        if (path.isEmpty() || m_lacking.isEmpty())
            return;
        auto read = readSecretFile(path, mode, optional);
        if (!read) {
            m_lookup.problems += read.error();
            return;
        }
        take(source, [&read](const QByteArray &name) {
            const auto it = read->find(name);
            return it == read->end() ? Secret() : it->second;
        });
    }

    void environment(const std::map<QByteArray, QByteArray> &variables)
    {
        take(SecretSource::Environment, [&variables](const QByteArray &name) {
            return Secret(variable(variables, "MUSTER_SECRET_" + name.toUpper()));
        });
    }

    void complain()
    {
        for (const QByteArray &name : std::as_const(m_lacking))
            problem(
                place(name), QStringLiteral("no value is known"),
                QStringLiteral(
                    "run `muster-cli secret set %1`, set MUSTER_SECRET_%2, or name it in a --secrets-file")
                    .arg(QString::fromLatin1(name), QString::fromLatin1(name.toUpper())));
    }

private:
    template <typename Value>
    void take(SecretSource source, const Value &valueOf)
    {
        m_lacking.removeIf([&](const QByteArray &name) {
            Secret value = valueOf(name);
            if (value.isEmpty())
                return false;
            m_lookup.book.insert_or_assign(name, std::move(value));
            m_lookup.sources.insert_or_assign(name, source);
            return true;
        });
    }

    static QString place(const QByteArray &name)
    {
        return QStringLiteral("{secret:%1}").arg(QString::fromUtf8(name.left(64)));
    }

    void problem(const QString &where, const QString &reason, const QString &mend)
    {
        m_lookup.problems.append({Problem::Severity::Error, where, reason, mend});
    }

    SecretLookup &m_lookup;
    QVector<QByteArray> m_lacking;
};

} // namespace

bool isStored(SecretSource source)
{
    return source == SecretSource::StoredFile;
}

QString secretSourceName(SecretSource source)
{
    switch (source) {
    case SecretSource::SecretsFile:
        return QStringLiteral("--secrets-file");
    case SecretSource::Credentials:
        return QStringLiteral("$CREDENTIALS_DIRECTORY");
    case SecretSource::Environment:
        return QStringLiteral("the environment");
    case SecretSource::StoredFile:
        break;
    }
    return QStringLiteral("the stored secrets");
}

SecretPlaces SecretPlaces::of(std::map<QByteArray, QByteArray> environment, const QString &secretsFile)
{
    SecretPlaces places;
    places.secretsFile = secretsFile;
    places.credentialsDirectory = QString::fromLocal8Bit(variable(environment, "CREDENTIALS_DIRECTORY"));
    QString config = QString::fromLocal8Bit(variable(environment, "XDG_CONFIG_HOME"));
    // The XDG base directory specification: relative paths are to be ignored.
    if (!config.startsWith(QLatin1Char('/'))) {
        const QString home = QString::fromLocal8Bit(variable(environment, "HOME"));
        config = home.isEmpty() ? QString() : home + QStringLiteral("/.config");
    }
    if (!config.isEmpty())
        places.storedFile = config + QStringLiteral("/muster/secrets");
    places.environment = std::move(environment);
    return places;
}

SecretLookup lookUpSecrets(const QVector<QByteArray> &names, const SecretPlaces &places)
{
    SecretLookup lookup;
    Gatherer gatherer(lookup);
    gatherer.ask(names);
    gatherer.file(places.secretsFile, SecretFileMode::OwnerOnly, false, SecretSource::SecretsFile);
    const QString credentials =
        places.credentialsDirectory.isEmpty()
            ? QString()
            : QString(places.credentialsDirectory + QStringLiteral("/muster-secrets"));
    gatherer.file(credentials, SecretFileMode::AsGiven, true, SecretSource::Credentials);
    gatherer.environment(places.environment);
    gatherer.file(places.storedFile, SecretFileMode::OwnerOnly, true, SecretSource::StoredFile);
    gatherer.complain();
    return lookup;
}

bool isSecretName(QByteArrayView name)
{
    return !name.isEmpty() && name.size() <= 64 && std::all_of(name.begin(), name.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
    });
}

} // namespace muster
