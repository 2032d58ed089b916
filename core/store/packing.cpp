// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/packing.h"

namespace muster::packing {

namespace {

void put(QByteArray &out, quint64 n)
{
    while (n >= 0x80) {
        out.append(static_cast<char>(n | 0x80));
        n >>= 7;
    }
    out.append(static_cast<char>(n));
}

class Cursor
{
public:
    explicit Cursor(const QByteArray &from)
        : m_from(from)
    {}
    bool number(quint64 &n)
    {
        n = 0;
        for (int shift = 0; shift < 64 && m_at < m_from.size(); shift += 7) {
            const auto byte = static_cast<quint8>(m_from[m_at++]);
            n |= static_cast<quint64>(byte & 0x7f) << shift;
            if (byte < 0x80)
                return true;
        }
        return false;
    }
    bool text(QByteArray &t)
    {
        quint64 size = 0;
        if (!number(size) || size > static_cast<quint64>(m_from.size() - m_at))
            return false;
        t = m_from.mid(m_at, static_cast<qsizetype>(size));
        m_at += static_cast<qsizetype>(size);
        return true;
    }

private:
    const QByteArray &m_from;
    qsizetype m_at = 0;
};

} // namespace

QByteArray pack(const QVector<QByteArray> &texts)
{
    QByteArray out;
    for (const QByteArray &t : texts) {
        put(out, static_cast<quint64>(t.size()));
        out += t;
    }
    return out;
}

QVector<QByteArray> unpack(const QByteArray &packed)
{
    QVector<QByteArray> texts;
    Cursor c(packed);
    for (QByteArray t; c.text(t);)
        texts.append(t);
    return texts;
}

QByteArray packWaits(const Waits &waits)
{
    std::size_t used = waitReasonCount;
    while (used > 0 && waits.ms[used - 1] <= 0)
        --used;
    QByteArray out;
    for (std::size_t i = 0; i < used; ++i)
        put(out, static_cast<quint64>(std::max<qint64>(0, waits.ms[i])));
    return out;
}

Waits unpackWaits(const QByteArray &packed)
{
    Waits waits;
    Cursor c(packed);
    quint64 n = 0;
    for (std::size_t i = 0; i < waitReasonCount && c.number(n); ++i)
        waits.ms[i] = static_cast<qint64>(n);
    return waits;
}

QByteArray packHops(const QVector<std::pair<int, QByteArray>> &hops)
{
    QByteArray out;
    for (const auto &[code, url] : hops) {
        put(out, static_cast<quint64>(code));
        put(out, static_cast<quint64>(url.size()));
        out += url;
    }
    return out;
}

QVector<std::pair<int, QByteArray>> unpackHops(const QByteArray &packed)
{
    QVector<std::pair<int, QByteArray>> hops;
    Cursor c(packed);
    quint64 code = 0;
    for (QByteArray url; c.number(code) && c.text(url);)
        hops.append({static_cast<int>(code), url});
    return hops;
}

} // namespace muster::packing
