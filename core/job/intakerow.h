// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>
#include <QVector>

namespace muster {

/// One row of an import on its way into the store: made by intake, written by the store.
struct IntakeRow
{
    qint64 line = 0;           ///< of the input, from 1
    QByteArray url;            ///< the row's own spelling
    QVector<QByteArray> cells; ///< input columns, UTF-8; empty for lines of a list
    QByteArray host;           ///< filed under; empty when refused
    QByteArray identity;       ///< 16 bytes (core/intake/identity.h); empty when refused
    QString refused;           ///< why no request can be made of it; empty: it can
};

/// What an import says about itself; stored with the batch.
struct BatchInfo
{
    QString source;              ///< file name, "standard input", "pasted"
    QString format;              ///< lines or csv
    QString encoding;            ///< as found or given
    QString separator;           ///< of a CSV
    QVector<QByteArray> columns; ///< names, made unique; empty for lists
};

/// How an import went.
struct ImportCounts
{
    qint64 rows = 0;       ///< non-blank rows read
    qint64 taken = 0;      ///< taken in, all states
    qint64 duplicates = 0; ///< of those, duplicates inside this import
    qint64 refused = 0;    ///< of those, refused
    qint64 known = 0;      ///< not taken in: equal to rows of earlier imports
    bool operator==(const ImportCounts &) const = default;
};

} // namespace muster
