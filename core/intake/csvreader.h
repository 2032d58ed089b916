// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>
#include <QVector>

#include "core/intake/textbuffer.h"

namespace muster {

/// Rows of a CSV (RFC 4180), ended by LF, CRLF or CR. Blank lines are passed over. A stray quote costs its
/// own line only: that line is refused, and reading goes on with the next one, whatever the quote seemed to
/// span. One thread; does not own the buffer.
class CsvReader final
{
public:
    static constexpr qsizetype maxRow = 4 * 1024 * 1024; ///< bytes of one row

    struct Row
    {
        qint64 line = 0; ///< where it begins, from 1
        QVector<QByteArray> cells;
        QString refused; ///< "reason; mend", empty: it is fine
    };

    /// `trim`: blanks around the quotes of a cell are allowed. Cells keep their own blanks.
    CsvReader(TextBuffer &buffer, char separator, bool trim);

    /// False at the end.
    bool next(Row &row);

private:
    enum class Found { Row, Blank, NeedMore, Wrong };
    Found parse(QByteArrayView text, Row &row);
    Found cell(QByteArrayView text, Row &row);
    Found quoted(QByteArrayView text, Row &row);
    qsizetype pastBlanks(QByteArrayView text, qsizetype at) const;
    Found wrong(Row &row, const QString &reason) const;
    void refuseLine(Row &row);

    TextBuffer &m_buffer;
    char m_separator;
    bool m_trim;
    qint64 m_line = 1;
    qsizetype m_at = 0;    ///< of the row that is being read
    qint64 m_newlines = 0; ///< in it
    bool m_hasQuotes = false;
};

} // namespace muster
