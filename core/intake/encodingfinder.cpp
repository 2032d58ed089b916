// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/intake/encodingfinder.h"

#include <algorithm>
#include <cstring>
#include <QStringDecoder>
#include <uchardet/uchardet.h>

namespace muster {

namespace {

bool isHigh(char c)
{
    return static_cast<uchar>(c) >= 0x80;
}

/// How many bytes at the end begin a UTF-8 sequence that is not complete.
qsizetype cutBytes(QByteArrayView bytes)
{
    for (qsizetype back = 1; back <= std::min<qsizetype>(3, bytes.size()); ++back) {
        const auto c = static_cast<uchar>(bytes[bytes.size() - back]);
        if ((c & 0xc0) == 0x80)
            continue;
        const qsizetype length = c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : c >= 0xc0 ? 2 : 1;
        return length > back ? back : 0;
    }
    return 0;
}

QByteArray markOf(QByteArrayView head)
{
    using namespace std::string_view_literals;
    const std::string_view h(head.data(), static_cast<std::size_t>(head.size()));
    if (h.starts_with("\xff\xfe\0\0"sv) || h.starts_with("\0\0\xfe\xff"sv))
        return "UTF-32";
    if (h.starts_with("\xff\xfe"sv) || h.starts_with("\xfe\xff"sv))
        return "UTF-16";
    return h.starts_with("\xef\xbb\xbf"sv) ? "UTF-8" : "";
}

} // namespace

struct EncodingFinder::Detector
{
    uchardet_t handle = uchardet_new();

    Detector() = default;
    ~Detector() { uchardet_delete(handle); }
    Q_DISABLE_COPY_MOVE(Detector)
};

EncodingFinder::EncodingFinder()
    : m_detector(std::make_unique<Detector>())
{}

EncodingFinder::~EncodingFinder() = default;

bool isKnownEncoding(const QByteArray &name)
{
    return QStringDecoder(name.constData()).isValid();
}

void EncodingFinder::feed(const QByteArray &chunk)
{
    if (m_head.size() < 4)
        m_head += chunk.first(std::min<qsizetype>(4, chunk.size()));
    m_bytes += chunk.size();
    m_nuls += chunk.count('\0');
    checkUtf8(chunk);
    detect(chunk);
}

void EncodingFinder::checkUtf8(const QByteArray &chunk)
{
    if (!m_utf8)
        return;
    const QByteArray whole = m_tail.isEmpty() ? chunk : m_tail + chunk;
    const qsizetype cut = cutBytes(whole);
    m_utf8 = QByteArrayView(whole).chopped(cut).isValidUtf8();
    m_tail = whole.last(cut);
}

/// Lines of ASCII alone tell nothing and would drown the others. No encoding that is looked for has a line
/// feed inside a character.
void EncodingFinder::detect(QByteArrayView chunk)
{
    while (!chunk.isEmpty()) {
        const void *lf = std::memchr(chunk.data(), '\n', static_cast<std::size_t>(chunk.size()));
        const qsizetype length = lf ? static_cast<const char *>(lf) - chunk.data() + 1 : chunk.size();
        const QByteArrayView line = chunk.first(length);
        m_lineHasHigh = m_lineHasHigh || std::any_of(line.begin(), line.end(), isHigh);
        if (m_lineHasHigh)
            uchardet_handle_data(m_detector->handle, line.data(), static_cast<std::size_t>(line.size()));
        m_lineHasHigh = m_lineHasHigh && !lf;
        chunk = chunk.sliced(length);
    }
}

bool EncodingFinder::isValidUtf8() const
{
    return m_utf8 && m_tail.isEmpty();
}

tl::expected<QByteArray, QString> EncodingFinder::finish()
{
    if (const QByteArray mark = markOf(m_head); !mark.isEmpty())
        return mark;
    if (m_nuls > 0 && m_nuls >= m_bytes / 4)
        return tl::unexpected<QString>(QStringLiteral(
            "a quarter of it or more are zero bytes: this is UTF-16 without a mark, or no text; "
            "if it is text, set input.encoding (--encoding utf-16le)"));
    if (isValidUtf8())
        return QByteArrayLiteral("UTF-8");
    uchardet_data_end(m_detector->handle);
    QByteArray name(uchardet_get_charset(m_detector->handle));
    if (name == "UHC") // uchardet's word for what decoders call so
        name = "windows-949";
    if (name.isEmpty() || name == "ASCII" || !isKnownEncoding(name))
        return tl::unexpected<QString>(
            QStringLiteral("it is not UTF-8 and its encoding could not be found out; set input.encoding "
                           "(--encoding gb18030, windows-1252 and so on)"));
    return name;
}

} // namespace muster
