// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSqlDatabase>
#include <QStringList>
#include <QVariant>
#include <QVector>

namespace muster {

/// A project file read by plain SQL, beside the program under test and without its code. Opened read-only;
/// open it anew after the program has written.
class ProjectFile final
{
public:
    explicit ProjectFile(const QString &path);
    ~ProjectFile();
    Q_DISABLE_COPY_MOVE(ProjectFile)

    QVariant value(const QString &sql) const;
    QVector<QVariantList> rows(const QString &sql) const;

    struct Expected
    {
        qint64 rows = -1; ///< I2; -1: not asked
        int maxRetries = 3;
        bool atRest = true; ///< nobody works on it and it was opened since the last kill: nothing in flight
    };
    /// What is wrong by the invariants I1-I5 and I8 of reliability.md 3; empty where all is well.
    QStringList broken(const Expected &expected) const;

private:
    QString m_name;
};

} // namespace muster
