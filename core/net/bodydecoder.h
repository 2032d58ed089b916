// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <QByteArray>
#include <vector>

#include "core/job/failure.h"

namespace muster {

/// Undoes Content-Encoding piece by piece and stops at a bound: the decoded size alone decides (spec 5), for
/// honest pages compress well too. gzip (also of several members), deflate (zlib and raw), nested codings.
/// Unlike Qt's decoder it fails on a stream without its end, a wrong checksum and bytes after the end. One
/// answer each, any one thread.
class BodyDecoder final
{
public:
    /// `maxBody` in decoded bytes. Nothing where the coding is unknown (br is never offered).
    static std::optional<BodyDecoder> forEncoding(QByteArrayView contentEncoding, qint64 maxBody);
    /// True where the header names no coding at all.
    static bool isIdentity(QByteArrayView contentEncoding);

    BodyDecoder(BodyDecoder &&) noexcept;
    BodyDecoder &operator=(BodyDecoder &&) noexcept;
    ~BodyDecoder();

    /// Decodes and appends to `body`. After a failure the decoder is spent. With `stopAt` ≥ 0 it stops there
    /// without failing: isFull().
    Failure feed(QByteArrayView piece, QByteArray &body, qint64 stopAt = -1);
    /// At the end of the answer: a stream that has begun must have ended.
    Failure finish() const;

private:
    class Stage;
    BodyDecoder(std::vector<std::unique_ptr<Stage>> stages, qint64 maxBody);
    Failure feedStage(std::size_t stage, QByteArrayView piece, QByteArray &body, qint64 stopAt);

    std::vector<std::unique_ptr<Stage>> m_stages; ///< in order of undoing
    qint64 m_maxBody = 0;
};

} // namespace muster
