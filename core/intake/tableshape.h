// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>
#include <QVector>
#include <tl/expected.hpp>

#include "core/settings/problem.h"
#include "core/settings/settings.h"

namespace muster {

/// Whether an input is a list of lines or a table, and by which separator. Found out, where the settings
/// leave it open, in this order:
///  1. the name ends in .csv, .tsv or .tab (also with .gz behind): a table;
///  2. the template names columns, or `input.column` is set: a table, as lines have none;
///  3. the first line is `#` something or holds "://": lines;
///  4. a cell of the first line is `url` in any case: a table;
///  5. the first line has a separator, and the second as many cells with an address (http://, https://) among
///     them: a table;
///  6. else lines.
struct TableShape
{
    bool table = false;
    char separator = ',';
};

/// `head`: the beginning of the text, UTF-8.
tl::expected<TableShape, Problem> shapeOf(QByteArrayView head, const QString &source,
                                          const InputSettings &input, bool templateNamesColumns);

/// Column names made unique: the second of two alike is NAME.2, one without a name columnN (spec 12).
QVector<QByteArray> uniqueNames(QVector<QByteArray> names, bool trim);

/// Where `{url}` is: the column `wanted`; where that is empty the one called url in any case, else the only
/// one.
tl::expected<qsizetype, Problem> urlColumn(const QVector<QByteArray> &names, const QString &wanted);

/// "the columns are a, b, c", of a long list the first ones.
QString listOfColumns(const QVector<QByteArray> &names);

} // namespace muster
