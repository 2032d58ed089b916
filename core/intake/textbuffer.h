// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <QByteArray>
#include <QString>

#include "core/intake/inputbytes.h"

namespace muster {

/// The text of an input as UTF-8, a window of it at a time: readers look at `rest()`, take what they have
/// understood with `skip()`, and ask for more with `grow()`. A mark at the beginning is left out. What the
/// encoding does not have comes out as U+FFFD, and `damaged()` says so. One thread.
class TextBuffer final
{
public:
    /// `valid`: this is UTF-8 through and through, so nothing needs decoding.
    TextBuffer(InputBytes &bytes, const QByteArray &encoding, bool valid);
    ~TextBuffer();
    Q_DISABLE_COPY_MOVE(TextBuffer)

    QByteArrayView rest() const { return QByteArrayView(m_text).sliced(m_at); }
    void skip(qsizetype bytes) { m_at += bytes; }
    /// More behind `rest()`; false at the end of the input and on an error. Views go stale.
    bool grow();
    bool atEnd() const { return m_end; }
    bool damaged() const { return m_damaged; }
    const QString &error() const { return m_error; } ///< "reason; mend", empty: none

private:
    struct Decoder;
    void append(const QByteArray &chunk);

    InputBytes &m_bytes;
    std::unique_ptr<Decoder> m_decoder; ///< none for UTF-8 that was found valid
    QByteArray m_text;
    qsizetype m_at = 0;
    bool m_started = false;
    bool m_end = false;
    bool m_damaged = false;
    QString m_error;
};

} // namespace muster
