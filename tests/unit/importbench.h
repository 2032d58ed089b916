// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <QBuffer>
#include <QFile>
#include <QIODevice>
#include <QStringEncoder>

#include "core/intake/importer.h"

namespace muster {

using Columns = QVector<QByteArray>;

/// Hands its bytes out in pieces, like a slow pipe.
class Pieces final : public QIODevice
{
public:
    Pieces(QByteArray bytes, qint64 piece)
        : m_bytes(std::move(bytes))
        , m_piece(piece)
    {
        open(QIODevice::ReadOnly | QIODevice::Unbuffered);
    }
    bool isSequential() const override { return true; }

private:
    qint64 readData(char *to, qint64 max) override
    {
        const qint64 size = std::min({max, m_piece, m_bytes.size() - m_at});
        if (size > 0)
            memcpy(to, m_bytes.constData() + m_at, static_cast<std::size_t>(size));
        m_at += size;
        return size > 0 ? size : -1;
    }
    qint64 writeData(const char *, qint64) override { return -1; }

    QByteArray m_bytes;
    qint64 m_piece;
    qint64 m_at = 0;
};

/// A file whose disk fails after a while.
class Broken final : public QIODevice
{
public:
    Broken()
    {
        open(QIODevice::ReadOnly | QIODevice::Unbuffered);
        setErrorString(QStringLiteral("Input/output error"));
    }
    qint64 size() const override { return 1 << 20; }

private:
    qint64 readData(char *to, qint64 max) override
    {
        memset(to, 'a', static_cast<std::size_t>(max));
        return std::exchange(m_reads, m_reads + 1) < 2 ? max : -1;
    }
    qint64 writeData(const char *, qint64) override { return -1; }
    int m_reads = 0;
};

/// Lines made as they are read: an input of any length without memory.
class Generated final : public QIODevice
{
public:
    explicit Generated(qint64 lines)
        : m_lines(lines)
    {
        open(QIODevice::ReadOnly | QIODevice::Unbuffered);
    }
    static constexpr qint64 lineSize = 101;
    qint64 size() const override { return m_lines * lineSize; }

private:
    qint64 readData(char *to, qint64 max) override
    {
        const qint64 count = std::min(max, size() - pos());
        for (qint64 i = 0; i < count; ++i)
            to[i] = at(pos() + i);
        return count;
    }
    char at(qint64 i) const
    {
        static const QByteArray text =
            "https://www.example.com/some/path/to/a/page/of/a/shop/with/articles?number=";
        const qint64 in = i % lineSize;
        if (in == lineSize - 1)
            return '\n';
        if (in < text.size())
            return text[in];
        qint64 number = i / lineSize;
        for (qint64 digit = lineSize - 2; digit > in; --digit)
            number /= 10;
        return static_cast<char>('0' + number % 10);
    }
    qint64 writeData(const char *, qint64) override { return -1; }
    qint64 m_lines;
};

struct Outcome
{
    std::optional<Importer::Read> read;
    Problem problem;
    QVector<BatchInfo> begun;
    QVector<IntakeRow> rows;
    qsizetype largestBatch = 0;

    QByteArrayList urls() const
    {
        QByteArrayList out;
        for (const IntakeRow &row : rows)
            if (row.refused.isEmpty())
                out += row.url;
        return out;
    }
    QByteArrayList refused() const
    {
        QByteArrayList out;
        for (const IntakeRow &row : rows)
            if (!row.refused.isEmpty())
                out += QByteArray::number(row.line);
        return out;
    }
    /// All that reading made, as text to compare.
    QByteArray all() const
    {
        QByteArray out;
        for (const IntakeRow &row : rows)
            out += QByteArray::number(row.line) + ' ' + row.url + ' ' + row.cells.toList().join('|') + ' ' +
                   row.host + ' ' + row.identity.toHex() + ' ' + row.refused.toUtf8() + '\n';
        return out;
    }
};

inline Outcome import(QIODevice &device, const Settings &settings, const QString &source)
{
    Outcome out;
    Importer::Sink sink;
    sink.begin = [&](const BatchInfo &info) {
        out.begun.append(info);
        return true;
    };
    sink.rows = [&](QVector<IntakeRow> rows) {
        out.largestBatch = std::max(out.largestBatch, rows.size());
        out.rows += rows;
        return true;
    };
    auto read = Importer(settings).read(device, source, sink);
    if (read)
        out.read = *read;
    else
        out.problem = read.error();
    return out;
}

inline Outcome import(QByteArray bytes, const Settings &settings = {},
                      const QString &source = QStringLiteral("in"))
{
    QBuffer device(&bytes);
    device.open(QIODevice::ReadOnly);
    return import(device, settings, source);
}

/// gzip data of one member: qCompress makes zlib's format, the deflate data inside is the same.
inline QByteArray packed(const QByteArray &bytes)
{
    // Qt makes nothing of nothing; an empty block is these two bytes.
    const QByteArray deflated =
        bytes.isEmpty() ? QByteArray("\x03\0", 2) : qCompress(bytes).mid(6).chopped(4);
    quint32 crc = 0xffffffff;
    for (const char c : bytes) {
        crc ^= static_cast<uchar>(c);
        for (int bit = 0; bit < 8; ++bit)
            crc = (crc >> 1) ^ (crc & 1 ? 0xedb88320 : 0);
    }
    const quint32 tail[] = {qToLittleEndian(~crc), qToLittleEndian(static_cast<quint32>(bytes.size()))};
    return QByteArray("\x1f\x8b\x08\0\0\0\0\0\0\x03", 10) + deflated +
           QByteArray(reinterpret_cast<const char *>(tail), sizeof tail);
}

inline QByteArray encoded(const char *encoding, const QString &text)
{
    return QStringEncoder(encoding).encode(text);
}

inline qint64 residentKiB()
{
    QFile file(QStringLiteral("/proc/self/statm"));
    return file.open(QIODevice::ReadOnly) ? file.readAll().split(' ').value(1).toLongLong() * 4 : 0;
}

} // namespace muster
