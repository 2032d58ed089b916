// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/faultscript.h"

#include <zlib.h>

namespace muster {

QByteArray FaultHit::query(const QByteArray &name) const
{
    const qsizetype at = target.indexOf('?');
    if (at < 0)
        return {};
    for (const QByteArray &pair : target.mid(at + 1).split('&'))
        if (pair.startsWith(QByteArray(name + "=")))
            return QByteArray::fromPercentEncoding(pair.mid(name.size() + 1));
    return {};
}

QByteArray FaultHit::header(QByteArrayView name) const
{
    for (const RawHeader &h : headers)
        if (name.compare(h.name, Qt::CaseInsensitive) == 0)
            return h.value;
    return {};
}

namespace fault {

namespace {

QByteArray compressed(const QByteArray &data, int windowBits)
{
    z_stream z{};
    deflateInit2(&z, 6, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY);
    QByteArray out;
    out.resize(static_cast<qsizetype>(deflateBound(&z, static_cast<uLong>(data.size())) + 64));
    z.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(data.constData()));
    z.avail_in = static_cast<uInt>(data.size());
    z.next_out = reinterpret_cast<Bytef *>(out.data());
    z.avail_out = static_cast<uInt>(out.size());
    ::deflate(&z, Z_FINISH);
    out.truncate(static_cast<qsizetype>(z.total_out));
    deflateEnd(&z);
    return out;
}

} // namespace

QByteArray answer(int status, const QByteArray &body, const QByteArray &headers)
{
    return "HTTP/1.1 " + QByteArray::number(status) + " Status\r\nContent-Type: text/plain\r\n" + headers +
           "Content-Length: " + QByteArray::number(body.size()) + "\r\n\r\n" + body;
}

QByteArray gzip(const QByteArray &data)
{
    return compressed(data, MAX_WBITS + 16);
}

QByteArray gzipBomb(int mebi)
{
    z_stream z{};
    deflateInit2(&z, 1, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY);
    QByteArray zeros(1 << 20, '\0');
    QByteArray room(64 * 1024, '\0');
    QByteArray out;
    for (int i = 0; i <= mebi; ++i) {
        z.next_in = reinterpret_cast<Bytef *>(zeros.data());
        z.avail_in = i < mebi ? static_cast<uInt>(zeros.size()) : 0;
        int result = Z_OK;
        do {
            z.next_out = reinterpret_cast<Bytef *>(room.data());
            z.avail_out = static_cast<uInt>(room.size());
            result = ::deflate(&z, i < mebi ? Z_NO_FLUSH : Z_FINISH);
            out += room.left(room.size() - static_cast<qsizetype>(z.avail_out));
        } while (z.avail_in > 0 || (i == mebi && result != Z_STREAM_END));
    }
    deflateEnd(&z);
    return out;
}

QByteArray deflate(const QByteArray &data, bool raw)
{
    return compressed(data, raw ? -MAX_WBITS : MAX_WBITS);
}

} // namespace fault

} // namespace muster
