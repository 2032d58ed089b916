// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/intake/textbuffer.h"

namespace muster {

/// Lines of a text, ended by LF, CRLF or CR in any mixture. One thread; does not own the buffer.
class LineReader final
{
public:
    static constexpr qsizetype maxLine = 4 * 1024 * 1024; ///< bytes; a longer one is passed over and said

    explicit LineReader(TextBuffer &buffer);

    /// The next line; false at the end. The view lives until the next call.
    bool next();
    QByteArrayView line() const { return m_line; }
    qint64 number() const { return m_number; } ///< from 1
    bool tooLong() const { return m_tooLong; } ///< its text is not kept

    /// Where the first line break of `text` begins, or -1.
    static qsizetype breakIn(QByteArrayView text, qsizetype from = 0);
    /// Passes over everything to the end of the line; false where the input ended first.
    static bool skipLine(TextBuffer &buffer);

private:
    TextBuffer &m_buffer;
    QByteArrayView m_line;
    qsizetype m_used = 0; ///< of the line before, with its end
    qint64 m_number = 0;
    bool m_tooLong = false;
};

} // namespace muster
