// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/intake/inputbytes.h"

#include <algorithm>
#include <QFileDevice>
#include <zlib.h>

namespace muster {

namespace {

constexpr qint64 deviceChunk = 128 * 1024;
constexpr int gzipWindow = 15 + 16; // zlib: the largest window, with a gzip header

bool beginsAsGzip(QByteArrayView bytes)
{
    return bytes.startsWith("\x1f\x8b");
}

tl::unexpected<QString> broken(const QString &why)
{
    return tl::unexpected<QString>(why);
}

} // namespace

struct InputBytes::Inflater
{
    z_stream stream{};
    bool memberDone = false;

    Inflater() { inflateInit2(&stream, gzipWindow); }
    ~Inflater() { inflateEnd(&stream); }
    Q_DISABLE_COPY_MOVE(Inflater)
};

InputBytes::InputBytes(QIODevice &device, Packed packed)
    : m_device(device)
    , m_packed(packed)
    , m_chunk(deviceChunk, Qt::Uninitialized)
{}

InputBytes::~InputBytes() = default;

QString InputBytes::deviceError() const
{
    return QStringLiteral("it could not be read (%1); check the file and its disk")
        .arg(m_device.errorString());
}

/// A sequential device answers -1 for its end and for an error alike; files tell them apart.
bool InputBytes::isAtEnd(qint64 got) const
{
    const auto *file = qobject_cast<const QFileDevice *>(&m_device);
    return got == 0 || (m_device.isSequential() && (!file || file->error() == QFileDevice::NoError));
}

/// Appends what the device has; waits for one that is slow. False on an error.
bool InputBytes::fill()
{
    while (!m_end) {
        const qint64 got = m_device.read(m_chunk.data(), m_chunk.size());
        if (got > 0) {
            m_pending += QByteArrayView(m_chunk).first(got);
            m_raw += got;
            return true;
        }
        if (!isAtEnd(got))
            return false;
        // Nothing for now is not the end for a pipe or a socket.
        m_end = !m_device.isSequential() || !m_device.waitForReadyRead(-1);
    }
    return true;
}

QString InputBytes::open()
{
    while (!m_end && m_pending.size() < 2)
        if (!fill())
            return deviceError();
    m_opened = true;
    if (m_packed == Packed::Unpack && beginsAsGzip(m_pending))
        m_inflater = std::make_unique<Inflater>();
    return {};
}

tl::expected<QByteArray, QString> InputBytes::read(qsizetype max)
{
    if (!m_opened)
        if (const QString why = open(); !why.isEmpty())
            return broken(why);
    if (m_inflater)
        return inflated(max);
    if (m_pending.isEmpty() && !fill())
        return broken(deviceError());
    if (m_pending.size() <= max)
        return std::exchange(m_pending, {});
    const QByteArray out = m_pending.first(max);
    m_pending.remove(0, max);
    return out;
}

/// After a member: another one, padding, or the end.
QString InputBytes::nextMember()
{
    while (true) {
        const auto used = std::find_if(m_pending.begin(), m_pending.end(), [](char c) { return c != 0; });
        m_pending.remove(0, used - m_pending.begin());
        if (m_pending.size() >= 2 || m_end)
            break;
        if (!fill())
            return deviceError();
    }
    if (m_pending.isEmpty())
        return {};
    if (!beginsAsGzip(m_pending))
        return QStringLiteral("something follows the gzip data; unpack the file and import what it holds");
    inflateReset(&m_inflater->stream);
    m_inflater->memberDone = false;
    return {};
}

tl::expected<QByteArray, QString> InputBytes::inflated(qsizetype max)
{
    QByteArray out(max, Qt::Uninitialized);
    z_stream &z = m_inflater->stream;
    qsizetype made = 0;
    while (made == 0) {
        if (m_inflater->memberDone) {
            if (const QString why = nextMember(); !why.isEmpty())
                return broken(why);
            if (m_inflater->memberDone)
                break;
        }
        if (m_pending.isEmpty() && !fill())
            return broken(deviceError());
        if (m_pending.isEmpty())
            return broken(QStringLiteral("the gzip data ends in the middle; fetch the file again"));
        z.next_in = reinterpret_cast<Bytef *>(m_pending.data());
        z.avail_in = static_cast<uInt>(m_pending.size());
        z.next_out = reinterpret_cast<Bytef *>(out.data());
        z.avail_out = static_cast<uInt>(max);
        const int result = inflate(&z, Z_NO_FLUSH);
        if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR)
            return broken(QStringLiteral("the gzip data is damaged; fetch the file again"));
        m_pending.remove(0, m_pending.size() - static_cast<qsizetype>(z.avail_in));
        made = max - static_cast<qsizetype>(z.avail_out);
        m_inflater->memberDone = result == Z_STREAM_END;
    }
    out.truncate(made);
    return out;
}

} // namespace muster
