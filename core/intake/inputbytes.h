// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <QByteArray>
#include <QIODevice>
#include <QString>
#include <tl/expected.hpp>

namespace muster {

/// The bytes of an input, unpacked where they begin as gzip does. Reads on from where the device stands, with
/// buffers of fixed size; it does not own the device. One thread.
class InputBytes final
{
public:
    enum class Packed { Unpack, AsIs };
    explicit InputBytes(QIODevice &device, Packed packed = Packed::Unpack);
    ~InputBytes();
    Q_DISABLE_COPY_MOVE(InputBytes)

    /// At most `max` bytes; none at the end of the input. The error is "reason; mend".
    tl::expected<QByteArray, QString> read(qsizetype max);
    bool isPacked() const { return m_inflater != nullptr; } ///< known after the first read
    qint64 rawBytes() const { return m_raw; }               ///< taken from the device so far

private:
    struct Inflater;
    bool fill();
    QString open();
    tl::expected<QByteArray, QString> inflated(qsizetype max);
    QString nextMember();
    bool isAtEnd(qint64 got) const;
    QString deviceError() const;

    QIODevice &m_device;
    Packed m_packed;
    QByteArray m_chunk;   ///< what one read of the device brings
    QByteArray m_pending; ///< taken from the device, not yet used
    qint64 m_raw = 0;
    bool m_opened = false;
    bool m_end = false; ///< of the device
    std::unique_ptr<Inflater> m_inflater;
};

} // namespace muster
