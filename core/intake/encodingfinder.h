// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <QByteArray>
#include <QString>
#include <tl/expected.hpp>

namespace muster {

/// Finds out how a text is encoded while its bytes go by: a byte order mark decides, else strict UTF-8 over
/// the whole, else what uchardet makes of the lines that are not ASCII. Keeps no text. One thread.
class EncodingFinder final
{
public:
    EncodingFinder();
    ~EncodingFinder();
    Q_DISABLE_COPY_MOVE(EncodingFinder)

    void feed(const QByteArray &chunk);
    /// The name, as a decoder takes it; or "reason; mend".
    tl::expected<QByteArray, QString> finish();
    /// Every byte so far is part of UTF-8: then nothing needs decoding.
    bool isValidUtf8() const;

private:
    struct Detector;
    void checkUtf8(const QByteArray &chunk);
    void detect(QByteArrayView chunk);

    QByteArray m_head; ///< the first bytes, for the mark
    QByteArray m_tail; ///< a UTF-8 sequence cut by the end of a chunk
    bool m_utf8 = true;
    bool m_lineHasHigh = false;
    qint64 m_bytes = 0;
    qint64 m_nuls = 0;
    std::unique_ptr<Detector> m_detector;
};

/// Whether this name is one that a decoder exists for.
bool isKnownEncoding(const QByteArray &name);

} // namespace muster
