// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QHash>
#include <QString>
#include <QVector>

namespace muster {

/// A CSV text read by the letter of RFC 4180: CRLF after every record, as many fields in each as in the
/// header, quotes only around whole fields, valid UTF-8. Nothing is forgiven: `problem` says where it fails.
struct StrictCsv
{
    QVector<QByteArray> header;
    QVector<QVector<QByteArray>> rows;
    QString problem;

    static StrictCsv parse(const QByteArray &text);
    /// The cell of that column; a column that is not there has no cells.
    QByteArray cell(qsizetype row, const QByteArray &column) const;

private:
    QHash<QByteArray, qsizetype> m_column;
};

} // namespace muster
