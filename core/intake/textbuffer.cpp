// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/intake/textbuffer.h"

#include <QStringDecoder>
#include <QStringEncoder>
#include <utility>

namespace muster {

namespace {

constexpr QByteArrayView mark("\xef\xbb\xbf");
constexpr qsizetype readSize = 128 * 1024;
constexpr qsizetype leastGrowth =
    32 * 1024; ///< so that small pieces do not make readers look again and again

} // namespace

struct TextBuffer::Decoder
{
    explicit Decoder(const QByteArray &name)
        : from(name.constData())
        , to(QStringEncoder::Utf8)
    {}
    QStringDecoder from;
    QStringEncoder to; ///< keeps half a surrogate pair from one chunk to the next
};

TextBuffer::TextBuffer(InputBytes &bytes, const QByteArray &encoding, bool valid)
    : m_bytes(bytes)
    , m_decoder(valid ? nullptr : std::make_unique<Decoder>(encoding))
{}

TextBuffer::~TextBuffer() = default;

void TextBuffer::append(const QByteArray &chunk)
{
    if (!m_decoder) {
        m_text += chunk;
        return;
    }
    const QString text = m_decoder->from.decode(chunk);
    m_text += QByteArray(m_decoder->to.encode(text));
    m_damaged = m_damaged || m_decoder->from.hasError();
}

bool TextBuffer::grow()
{
    if (m_end)
        return false;
    m_text.remove(0, m_at);
    m_at = 0;
    const qsizetype before = m_text.size();
    while (!m_end && m_text.size() < before + leastGrowth) {
        const auto chunk = m_bytes.read(readSize);
        if (!chunk) {
            m_error = chunk.error();
            m_end = true;
            return false;
        }
        m_end = chunk->isEmpty();
        append(*chunk);
    }
    if (!std::exchange(m_started, true) && m_text.startsWith(mark))
        m_at = mark.size();
    return m_text.size() > before;
}

} // namespace muster
