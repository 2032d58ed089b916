// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/intake/csvreader.h"

#include "core/intake/linereader.h"
#include "core/intake/numbertext.h"

namespace muster {

CsvReader::CsvReader(TextBuffer &buffer, char separator, bool trim)
    : m_buffer(buffer)
    , m_separator(separator)
    , m_trim(trim)
{}

bool CsvReader::next(Row &row)
{
    while (true) {
        const QByteArrayView text = m_buffer.rest();
        if (text.isEmpty() && !m_buffer.grow())
            return false;
        row = Row{m_line, {}, {}};
        const Found found = parse(m_buffer.rest(), row);
        if (found == Found::NeedMore) {
            if (m_buffer.rest().size() <= maxRow) {
                m_buffer.grow();
                continue;
            }
            wrong(row,
                  QStringLiteral("the row, or a quote that is opened in it and not closed, is longer than %1 "
                                 "bytes; shorten it or close the quote")
                      .arg(grouped(maxRow)));
            refuseLine(row);
            return true;
        }
        if (found == Found::Wrong) {
            refuseLine(row);
            return true;
        }
        m_buffer.skip(m_at);
        m_line += m_newlines;
        if (found == Found::Row)
            return true;
    }
}

/// The line where the row began, and nothing behind it.
void CsvReader::refuseLine(Row &row)
{
    row.cells.clear();
    LineReader::skipLine(m_buffer);
    ++m_line;
}

CsvReader::Found CsvReader::wrong(Row &row, const QString &reason) const
{
    row.refused = reason;
    return Found::Wrong;
}

qsizetype CsvReader::pastBlanks(QByteArrayView text, qsizetype at) const
{
    while (m_trim && at < text.size() && text[at] != m_separator && (text[at] == ' ' || text[at] == '\t'))
        ++at;
    return at;
}

CsvReader::Found CsvReader::parse(QByteArrayView text, Row &row)
{
    m_at = 0;
    m_newlines = 0;
    m_hasQuotes = false;
    while (true) {
        if (const Found found = cell(text, row); found != Found::Row)
            return found;
        if (m_at == text.size()) {
            if (!m_buffer.atEnd())
                return Found::NeedMore;
            break;
        }
        const char end = text[m_at++];
        if (end == m_separator)
            continue;
        if (end == '\r' && m_at == text.size() && !m_buffer.atEnd())
            return Found::NeedMore;
        if (end == '\r' && m_at < text.size() && text[m_at] == '\n')
            ++m_at;
        ++m_newlines;
        break;
    }
    const bool blank = row.cells.size() == 1 && !m_hasQuotes && row.cells.first().trimmed().isEmpty();
    return blank ? Found::Blank : Found::Row;
}

/// One cell; afterwards m_at is at what ended it.
CsvReader::Found CsvReader::cell(QByteArrayView text, Row &row)
{
    const qsizetype begin = m_at;
    const qsizetype first = pastBlanks(text, m_at);
    if (first < text.size() && text[first] == '"') {
        m_at = first + 1;
        return quoted(text, row);
    }
    for (; m_at < text.size(); ++m_at) {
        const char c = text[m_at];
        if (c == m_separator || c == '\n' || c == '\r')
            break;
        if (c == '"')
            return wrong(
                row, QStringLiteral("there is a quote in the middle of cell %1; put the cell in quotes and "
                                    "double the one inside")
                         .arg(row.cells.size() + 1));
    }
    row.cells.append(text.sliced(begin, m_at - begin).toByteArray());
    return Found::Row;
}

CsvReader::Found CsvReader::quoted(QByteArrayView text, Row &row)
{
    m_hasQuotes = true;
    QByteArray value;
    while (true) {
        const qsizetype quote = text.indexOf('"', m_at);
        if (quote < 0) {
            if (!m_buffer.atEnd())
                return Found::NeedMore;
            return wrong(
                row, QStringLiteral("the quote of cell %1 is never closed; close it, or double a quote that "
                                    "belongs to the text")
                         .arg(row.cells.size() + 1));
        }
        const QByteArrayView part = text.sliced(m_at, quote - m_at);
        value += part;
        for (qsizetype at = LineReader::breakIn(part); at >= 0; at = LineReader::breakIn(part, at + 1)) {
            at += part.sliced(at).startsWith("\r\n") ? 1 : 0;
            ++m_newlines;
        }
        m_at = quote + 1;
        if (m_at == text.size() && !m_buffer.atEnd())
            return Found::NeedMore;
        if (m_at == text.size() || text[m_at] != '"')
            break;
        value += '"';
        ++m_at;
    }
    m_at = pastBlanks(text, m_at);
    if (m_at < text.size() && text[m_at] != m_separator && text[m_at] != '\n' && text[m_at] != '\r')
        return wrong(
            row, QStringLiteral("text follows the closing quote of cell %1; double a quote that belongs to "
                                "the text")
                     .arg(row.cells.size() + 1));
    row.cells.append(value);
    return Found::Row;
}

} // namespace muster
