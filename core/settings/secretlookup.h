// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <QByteArray>
#include <QString>
#include <QVector>

#include "core/settings/problem.h"
#include "core/settings/secrets.h"

namespace muster {

/// Where a secret was found (spec 9), in the order of looking. Those handed to this one run count as allowed;
/// stored ones go only to hosts that a person allowed.
enum class SecretSource : quint8 { SecretsFile, Credentials, Environment, StoredFile };
bool isStored(SecretSource source);
/// "--secrets-file", "the stored secrets": for messages.
QString secretSourceName(SecretSource source);

/// Where to look. Empty paths are not looked at. Filled in by the caller: nothing here reads the process's
/// environment.
struct SecretPlaces
{
    QString secretsFile;                          ///< of --secrets-file
    QString credentialsDirectory;                 ///< $CREDENTIALS_DIRECTORY
    std::map<QByteArray, QByteArray> environment; ///< the variables as they are, MUSTER_SECRET_* among them
    QString storedFile;                           ///< $XDG_CONFIG_HOME/muster/secrets

    /// From an environment: $CREDENTIALS_DIRECTORY, and $XDG_CONFIG_HOME or else $HOME/.config.
    static SecretPlaces of(std::map<QByteArray, QByteArray> environment, const QString &secretsFile = {});
};

/// What was found of the names asked for. Problems name the secret or the file and line, never a value.
struct SecretLookup
{
    SecretBook book;
    std::map<QByteArray, SecretSource> sources; ///< of each in the book
    Problems problems;                          ///< names that are lacking, files that may not be used
};

/// Looks secrets up anew (at Start, `resume`, `release`). The first place that has a name wins. A file with
/// a wrong mode or an unreadable line is a problem, never skipped in silence. Blocks on small files; any
/// thread.
SecretLookup lookUpSecrets(const QVector<QByteArray> &names, const SecretPlaces &places);

/// [a-z0-9_]+, at most 64 characters
bool isSecretName(QByteArrayView name);

} // namespace muster
