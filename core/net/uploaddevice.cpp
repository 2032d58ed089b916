// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/net/uploaddevice.h"

#include <algorithm>
#include <cstring>

namespace muster {

UploadDevice::UploadDevice(QByteArray body, QObject *parent)
    : QIODevice(parent)
    , m_body(std::move(body))
{
    open(QIODevice::ReadOnly | QIODevice::Unbuffered);
}

qint64 UploadDevice::bytesAvailable() const
{
    return m_body.size() - m_at;
}

qint64 UploadDevice::readData(char *data, qint64 maxSize)
{
    m_asked = true;
    const qint64 n = std::min(maxSize, bytesAvailable());
    if (n == 0)
        return -1;
    std::memcpy(data, m_body.constData() + m_at, static_cast<std::size_t>(n));
    m_at += n;
    return n;
}

qint64 UploadDevice::writeData(const char *, qint64)
{
    return -1;
}

} // namespace muster
