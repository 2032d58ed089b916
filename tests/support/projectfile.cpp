// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/projectfile.h"

#include <QAtomicInt>
#include <QSqlError>
#include <QSqlQuery>
#include <QSqlRecord>

namespace muster {

ProjectFile::ProjectFile(const QString &path)
{
    static QAtomicInt number;
    m_name = QStringLiteral("look%1").arg(number.fetchAndAddRelaxed(1));
    QSqlDatabase db = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), m_name);
    db.setDatabaseName(path);
    db.setConnectOptions(QStringLiteral("QSQLITE_OPEN_READONLY;QSQLITE_BUSY_TIMEOUT=5000"));
    if (!db.open())
        qFatal("%s: %s", qPrintable(path), qPrintable(db.lastError().text()));
}

ProjectFile::~ProjectFile()
{
    QSqlDatabase::database(m_name, false).close();
    QSqlDatabase::removeDatabase(m_name);
}

QVector<QVariantList> ProjectFile::rows(const QString &sql) const
{
    QSqlQuery query(QSqlDatabase::database(m_name, false));
    query.setForwardOnly(true);
    if (!query.exec(sql))
        qFatal("%s: %s", qPrintable(sql), qPrintable(query.lastError().text()));
    QVector<QVariantList> out;
    const int columns = query.record().count();
    while (query.next()) {
        QVariantList row;
        for (int i = 0; i < columns; ++i)
            row += query.value(i);
        out += row;
    }
    return out;
}

QVariant ProjectFile::value(const QString &sql) const
{
    const auto all = rows(sql);
    return all.isEmpty() ? QVariant() : all[0].value(0);
}

QStringList ProjectFile::broken(const Expected &expected) const
{
    QStringList wrong;
    const auto none = [&](const char *law, const char *sql) {
        if (const qint64 n = value(QString::fromLatin1(sql)).toLongLong(); n != 0)
            wrong += QStringLiteral("%1: %2 rows").arg(QLatin1String(law)).arg(n);
    };
    if (const QString said = value(QStringLiteral("PRAGMA integrity_check")).toString();
        said != QLatin1String("ok"))
        wrong += QStringLiteral("I1: ") + said;
    if (!rows(QStringLiteral("PRAGMA foreign_key_check")).isEmpty())
        wrong += QStringLiteral("I1: a foreign key points nowhere");
    const qint64 count = value(QStringLiteral("SELECT count(*) FROM row")).toLongLong();
    if (expected.rows >= 0 && count != expected.rows)
        wrong += QStringLiteral("I2: %1 rows of %2").arg(count).arg(expected.rows);
    none("I3 state", "SELECT count(*) FROM row WHERE state NOT IN('queued','in_flight','done','failed',"
                     "'skipped','duplicate','refused')");
    none("I3 counters",
         "SELECT count(*) FROM counter c LEFT JOIN (SELECT state, count(*) n FROM row GROUP BY 1) j "
         "USING(state) WHERE c.state IN('queued','in_flight','done','failed','skipped','duplicate',"
         "'refused') AND c.n<>coalesce(j.n, 0)");
    none("I3 ledger", "SELECT (SELECT sum(n) FROM counter WHERE state IN('imported','found','next_pages')) - "
                      "(SELECT count(*) FROM row)");
    none("I4", "SELECT count(*) FROM row j LEFT JOIN result r ON r.row=j.row AND r.run=j.run "
               "WHERE (j.state='done') <> (r.row IS NOT NULL)");
    none("attempts", "SELECT count(*) FROM row j WHERE attempts <> (SELECT count(*) FROM attempt a WHERE "
                     "a.row=j.row AND a.run=j.run)");
    if (expected.atRest)
        none("I5", "SELECT count(*) FROM row WHERE state='in_flight'");
    else
        none("I5", "SELECT count(*) FROM row WHERE state='in_flight' AND run<>(SELECT max(run) FROM run)");
    const qint64 most = value(QStringLiteral("SELECT max(tries) FROM row")).toLongLong();
    if (most > expected.maxRetries + 1)
        wrong += QStringLiteral("I8: a row has %1 tries").arg(most);
    return wrong;
}

} // namespace muster
