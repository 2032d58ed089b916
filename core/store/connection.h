// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <initializer_list>
#include <memory>
#include <QByteArray>
#include <QSqlDatabase>
#include <QSqlError>
#include <QSqlQuery>
#include <QString>
#include <QVariant>
#include <unordered_map>

#include "core/store/jobstore.h"

namespace muster {

/// One SQLite connection with the pragmas of the store rules (WAL, FULL, no autocheckpoint, nothing trusted
/// in the schema) and its prepared statements. Used by the one thread that opened it; owned by Project or
/// StoreReader.
class Connection final
{
public:
    /// Look: cannot write a byte, but leaves an empty log behind where nobody else has the file open. Read:
    /// query_only, tidies up when it is the last one.
    enum class Mode { Create, Write, Read, Look };

    ~Connection();
    Q_DISABLE_COPY_MOVE(Connection)

    static StoreResult<std::unique_ptr<Connection>> open(const QString &path, Mode mode);

    /// The statement of this text (a literal: kept by its address), prepared on first use. Call finish() on
    /// it after the last row: an unfinished one keeps its read lock.
    StoreResult<QSqlQuery *> statement(const char *literal);
    /// Runs a kept statement; the number of rows it changed.
    StoreResult<qint64> run(const char *literal, std::initializer_list<QVariant> values = {});
    /// First column of the first row; a null QVariant where there is no row.
    StoreResult<QVariant> value(const char *literal, std::initializer_list<QVariant> values = {});
    /// Text made at run time: pragmas, selectors. Not kept.
    StoreResult<void> runOnce(const QString &sql, const QVariantList &values = {});
    StoreResult<QSqlQuery> query(const QString &sql, const QVariantList &values = {});

    StoreResult<void> begin(); ///< IMMEDIATE: the write lock first, so that no commit can fail on it
    StoreResult<void> beginRead();
    StoreResult<void> commit();
    void rollback();
    QString path() const { return m_path; }

    static StoreError error(const QSqlError &from, const QString &path);

private:
    explicit Connection(QString path);
    StoreResult<void> setUp(Mode mode);

    QString m_path;
    QString m_name;
    QSqlDatabase m_db;
    std::unordered_map<const char *, std::unique_ptr<QSqlQuery>> m_statements;
};

/// Text bound as bytes: no way through UTF-16, and never NULL. The statement says CAST(? AS TEXT).
inline QVariant bytes(const QByteArray &b)
{
    return b.isNull() ? QVariant(QByteArray("", 0)) : QVariant(b);
}
inline QVariant notNull(const QString &s)
{
    return s.isNull() ? QVariant(QStringLiteral("")) : QVariant(s);
}
inline QVariant orNull(qint64 v)
{
    return v == 0 ? QVariant() : QVariant(v);
}

/// Rolls back unless committed.
class Transaction final
{
public:
    explicit Transaction(Connection &c)
        : m_connection(c)
    {}
    ~Transaction()
    {
        if (m_open)
            m_connection.rollback();
    }
    Q_DISABLE_COPY_MOVE(Transaction)
    StoreResult<void> begin()
    {
        StoreResult<void> r = m_connection.begin();
        m_open = r.has_value();
        return r;
    }
    StoreResult<void> commit()
    {
        StoreResult<void> r = m_connection.commit();
        if (r)
            m_open = false;
        return r;
    }

private:
    Connection &m_connection;
    bool m_open = false;
};

} // namespace muster

#define MUSTER_TRY_AS2(name, expr)                                                                           \
    do {                                                                                                     \
        if (auto name = (expr); !name)                                                                       \
            return tl::make_unexpected(std::move(name).error());                                             \
    } while (false)
#define MUSTER_TRY_AS(number, expr) MUSTER_TRY_AS2(tried##number, expr)
/// Hands an error up. Statement form; `expr` gives a StoreResult. The number keeps nested ones apart.
#define MUSTER_TRY(expr) MUSTER_TRY_NUMBERED(__COUNTER__, expr)
#define MUSTER_TRY_NUMBERED(number, expr) MUSTER_TRY_AS(number, expr)
/// Hands an error up, else puts the value in `var`.
#define MUSTER_TAKE(var, expr)                                                                               \
    auto var##Result = (expr);                                                                               \
    if (!var##Result)                                                                                        \
        return tl::make_unexpected(std::move(var##Result).error());                                          \
    auto &var = *var##Result
