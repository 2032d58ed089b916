// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QVector>
#include <tl/expected.hpp>

#include "core/job/answer.h"
#include "core/job/failure.h"

namespace muster {

/// How the body of an answer is framed.
struct Framing
{
    qint64 length = -1;    ///< Content-Length; -1: none
    bool chunked = false;  ///< Transfer-Encoding: chunked
    bool repeated = false; ///< the length came several times: Qt cannot read it and waits for the close
    bool hasBody = true;   ///< false for HEAD, 204 and 304
    bool isClosed() const { return hasBody && length < 0 && !chunked; } ///< ends with its connection
};

/// The strict profile over status and headers (reliability.md 2.1): what Qt takes in silence and we do not.
/// `headers` are raw, repeated ones joined by ", ". Pure.
tl::expected<Framing, Failure> checkAnswerHead(int status, const QVector<RawHeader> &headers, bool isHead);

inline constexpr int mostHeaders = 100; ///< Qt 6.4 loses them all above
inline constexpr qint64 mostHeaderBytes = 256 * 1024;

} // namespace muster
