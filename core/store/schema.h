// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QVector>

#include "core/store/connection.h"

namespace muster::schema {

inline constexpr quint32 applicationId = 0x4d737472; ///< "Mstr"
inline constexpr int version = 1;

/// What sqlite_schema must hold, to the letter: name and text of every table and index.
struct Item
{
    const char *name;
    const char *sql;
};
const QVector<Item> &items();

/// Makes all tables in an empty database, with its first run and zeroed counters.
StoreResult<void> create(Connection &c, const QByteArray &settings);

/// What can be told without opening it: a regular, readable file on a disk of this machine. (To open and
/// close a database beside SQLite would drop SQLite's locks in this process.)
StoreResult<void> checkFile(const QString &path);
/// Refuses network file systems; the error names `shown`.
StoreResult<void> checkFileSystem(const QString &path, const QString &shown);
/// Compares application, version and every table and index with items(): a view, a trigger or a changed
/// table in a file from a stranger is refused.
StoreResult<void> checkSchema(Connection &c);

/// File systems on which locks and shared memory of a write-ahead log cannot be trusted (statfs f_type).
bool isNetworkFileSystem(quint64 magic);

} // namespace muster::schema
