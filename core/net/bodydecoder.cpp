// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/net/bodydecoder.h"

#include <algorithm>
#include <array>
#include <QByteArrayList>
#include <zlib.h>

namespace muster {

namespace {

// Nobody honest nests deeper; each stage costs 40 KB.
constexpr std::size_t mostStages = 4;

Failure decodeFailure(const char *detail, QString note)
{
    return Failure{FailureKind::Decode, detail, 0, std::move(note)};
}

QByteArrayList codings(QByteArrayView contentEncoding)
{
    QByteArrayList out;
    for (const QByteArray &part : contentEncoding.toByteArray().split(',')) {
        const QByteArray name = part.trimmed().toLower();
        if (!name.isEmpty() && name != "identity")
            out.append(name);
    }
    return out;
}

} // namespace

/// One inflate stream.
class BodyDecoder::Stage final
{
public:
    explicit Stage(bool gzip)
        : m_gzip(gzip)
    {}
    ~Stage()
    {
        if (m_open)
            inflateEnd(&m_stream);
    }
    Q_DISABLE_COPY_MOVE(Stage)

    bool isWhole() const { return m_ended || (!m_begun && m_head.isEmpty()); }

    /// Sets the next input. False: the first bytes are not enough to tell zlib from raw deflate yet.
    bool begin(QByteArrayView piece)
    {
        m_input = piece;
        if (!m_open && !m_gzip) { // RFC 9110 8.4.1.2: zlib by name, raw by habit
            m_head += piece;
            if (m_head.size() < 2)
                return false;
            m_input = m_head;
            const auto cmf = static_cast<unsigned char>(m_head[0]);
            const auto flg = static_cast<unsigned char>(m_head[1]);
            const bool zlib = (cmf & 0x0f) == 8 && (cmf * 256 + flg) % 31 == 0;
            open(zlib ? MAX_WBITS : -MAX_WBITS);
        } else if (!m_open) {
            open(MAX_WBITS + 16);
        }
        m_begun = m_begun || !m_input.isEmpty();
        return true;
    }
    bool hasInput() const { return !m_input.isEmpty() || m_more; }

    /// Fills at most `room` bytes.
    Failure step(char *out, std::size_t room, std::size_t &made)
    {
        made = 0;
        if (m_ended && !restart())
            return decodeFailure("", QStringLiteral("there are bytes after the end of the compressed data"));
        m_stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(m_input.data()));
        m_stream.avail_in = static_cast<uInt>(m_input.size());
        m_stream.next_out = reinterpret_cast<Bytef *>(out);
        m_stream.avail_out = static_cast<uInt>(room);
        const int result = inflate(&m_stream, Z_NO_FLUSH);
        made = room - m_stream.avail_out;
        m_input = m_input.sliced(m_input.size() - static_cast<qsizetype>(m_stream.avail_in));
        m_more = m_stream.avail_out == 0 && result == Z_OK;
        if (result == Z_STREAM_END)
            m_ended = true;
        else if (result != Z_OK && result != Z_BUF_ERROR)
            return decodeFailure("", QStringLiteral("the compressed data is damaged"));
        return {};
    }

private:
    void open(int bits) { m_open = inflateInit2(&m_stream, bits) == Z_OK; }

    // A gzip file may have several members (RFC 1952 2.2); anything else after the end is garbage.
    bool restart()
    {
        if (!m_gzip || m_input.isEmpty() || static_cast<unsigned char>(m_input[0]) != 0x1f)
            return m_input.isEmpty();
        m_ended = false;
        return inflateReset(&m_stream) == Z_OK;
    }

    z_stream m_stream{};
    QByteArrayView m_input;
    QByteArray m_head;
    bool m_gzip = false;
    bool m_open = false;
    bool m_begun = false;
    bool m_ended = false;
    bool m_more = false; ///< output was full: there may be more without new input
};

bool BodyDecoder::isIdentity(QByteArrayView contentEncoding)
{
    return contentEncoding.isEmpty() || codings(contentEncoding).isEmpty();
}

std::optional<BodyDecoder> BodyDecoder::forEncoding(QByteArrayView contentEncoding, qint64 maxBody)
{
    const QByteArrayList names = codings(contentEncoding);
    if (static_cast<std::size_t>(names.size()) > mostStages)
        return std::nullopt;
    std::vector<std::unique_ptr<Stage>> stages;
    for (auto name = names.rbegin(); name != names.rend(); ++name) {
        const bool gzip = *name == "gzip" || *name == "x-gzip";
        if (!gzip && *name != "deflate")
            return std::nullopt;
        stages.push_back(std::make_unique<Stage>(gzip));
    }
    return BodyDecoder(std::move(stages), maxBody);
}

BodyDecoder::BodyDecoder(std::vector<std::unique_ptr<Stage>> stages, qint64 maxBody)
    : m_stages(std::move(stages))
    , m_maxBody(maxBody)
{}

BodyDecoder::BodyDecoder(BodyDecoder &&) noexcept = default;
BodyDecoder &BodyDecoder::operator=(BodyDecoder &&) noexcept = default;
BodyDecoder::~BodyDecoder() = default;

Failure BodyDecoder::feed(QByteArrayView piece, QByteArray &body, qint64 stopAt)
{
    return feedStage(0, piece, body, stopAt);
}

Failure BodyDecoder::feedStage(std::size_t index, QByteArrayView piece, QByteArray &body, qint64 stopAt)
{
    if (index == m_stages.size()) {
        qsizetype take = piece.size();
        if (stopAt >= 0)
            take = std::min<qint64>(take, stopAt - body.size());
        if (stopAt < 0 && body.size() + take > m_maxBody)
            return Failure{FailureKind::TooLarge, index > 0 ? "decoded" : "", 0,
                           u"more than the " % QString::number(m_maxBody) % u" bytes allowed"};
        body += piece.first(take);
        return {};
    }
    Stage &stage = *m_stages[index];
    if (!stage.begin(piece))
        return {};
    std::array<char, 32 * 1024> buffer;
    while (stage.hasInput() && (stopAt < 0 || body.size() < stopAt)) {
        std::size_t made = 0;
        if (Failure failure = stage.step(buffer.data(), buffer.size(), made))
            return failure;
        if (Failure failure = feedStage(
                index + 1, QByteArrayView(buffer.data(), static_cast<qsizetype>(made)), body, stopAt))
            return failure;
    }
    return {};
}

Failure BodyDecoder::finish() const
{
    const bool whole =
        std::all_of(m_stages.begin(), m_stages.end(), [](const auto &s) { return s->isWhole(); });
    return whole ? Failure{}
                 : decodeFailure("truncated", QStringLiteral("the compressed data ends before its end mark"));
}

} // namespace muster
