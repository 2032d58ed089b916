// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/intake/linereader.h"

namespace muster {

LineReader::LineReader(TextBuffer &buffer)
    : m_buffer(buffer)
{}

qsizetype LineReader::breakIn(QByteArrayView text, qsizetype from)
{
    for (qsizetype i = from; i < text.size(); ++i)
        if (text[i] == '\n' || text[i] == '\r')
            return i;
    return -1;
}

bool LineReader::skipLine(TextBuffer &buffer)
{
    while (true) {
        const QByteArrayView text = buffer.rest();
        const qsizetype at = breakIn(text);
        if (at >= 0 && (text[at] == '\n' || at + 1 < text.size() || buffer.atEnd())) {
            buffer.skip(at + (text.sliced(at).startsWith("\r\n") ? 2 : 1));
            return true;
        }
        buffer.skip(at >= 0 ? at : text.size()); // a CR waits for its LF
        if (!buffer.grow() && buffer.rest().isEmpty())
            return false;
    }
}

bool LineReader::next()
{
    m_buffer.skip(m_used);
    m_used = 0;
    m_tooLong = false;
    qsizetype seen = 0;
    while (true) {
        const QByteArrayView text = m_buffer.rest();
        const qsizetype at = breakIn(text, seen);
        const bool whole = at >= 0 && (text[at] == '\n' || at + 1 < text.size() || m_buffer.atEnd());
        if (whole || m_buffer.atEnd()) {
            if (text.isEmpty())
                return false;
            ++m_number;
            m_line = at >= 0 ? text.first(at) : text;
            m_used = at < 0 ? text.size() : at + (text.sliced(at).startsWith("\r\n") ? 2 : 1);
            return true;
        }
        if (text.size() > maxLine) {
            ++m_number;
            m_tooLong = true;
            m_line = {};
            skipLine(m_buffer);
            return true;
        }
        seen = at >= 0 ? at : text.size();
        m_buffer.grow();
    }
}

} // namespace muster
