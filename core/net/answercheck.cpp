// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/net/answercheck.h"

#include <algorithm>
#include <optional>

namespace muster {

namespace {

tl::unexpected<Failure> malformed(int status, const char *detail, QString note)
{
    return tl::unexpected(Failure{FailureKind::Malformed, detail, status, std::move(note)});
}

// One decimal number, or the same one several times (RFC 9110 8.6).
std::optional<qint64> parsedLength(const QByteArray &value)
{
    std::optional<qint64> length;
    for (const QByteArray &part : value.split(',')) {
        const QByteArray digits = part.trimmed();
        const bool decimal =
            !digits.isEmpty() && digits.size() <= 18 &&
            std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; });
        if (!decimal || (length && *length != digits.toLongLong()))
            return std::nullopt;
        length = digits.toLongLong();
    }
    return length;
}

const RawHeader *find(const QVector<RawHeader> &headers, QByteArrayView name)
{
    const auto it = std::find_if(headers.begin(), headers.end(), [&](const RawHeader &h) {
        return name.compare(h.name, Qt::CaseInsensitive) == 0;
    });
    return it == headers.end() ? nullptr : &*it;
}

bool areTooLarge(int status, const QVector<RawHeader> &headers)
{
    // Qt drops all of them when there are too many, and then says nothing.
    if (headers.isEmpty())
        return status >= 200 && status < 300;
    qint64 bytes = 0;
    for (const RawHeader &h : headers)
        bytes += h.name.size() + h.value.size() + 4;
    return headers.size() > mostHeaders || bytes > mostHeaderBytes;
}

} // namespace

tl::expected<Framing, Failure> checkAnswerHead(int status, const QVector<RawHeader> &headers, bool isHead)
{
    if (status >= 102 && status < 200)
        return malformed(status, "1xx", QStringLiteral("an interim answer came as the final one"));
    if (status < 200 || status > 999)
        return malformed(status, "", u"no answer may have the status " % QString::number(status));
    if (areTooLarge(status, headers))
        return tl::unexpected(Failure{FailureKind::TooLarge, "headers", status,
                                      QStringLiteral("more than 100 header fields or 256 KiB of them")});
    const RawHeader *length = find(headers, "Content-Length");
    const RawHeader *transfer = find(headers, "Transfer-Encoding");
    Framing framing;
    framing.hasBody = !isHead && status != 204 && status != 304;
    if (isHead) // spec 5: no framing check
        return framing;
    if (length && transfer)
        return malformed(status, "", QStringLiteral("both Content-Length and Transfer-Encoding were sent"));
    if (transfer) {
        framing.chunked = transfer->value.trimmed().compare("chunked", Qt::CaseInsensitive) == 0;
        if (!framing.chunked)
            return malformed(status, "", QStringLiteral("a Transfer-Encoding other than chunked"));
    }
    if (length) {
        const auto bytes = parsedLength(length->value);
        if (!bytes)
            return malformed(status, "", QStringLiteral("Content-Length is not one decimal number"));
        framing.length = *bytes;
        framing.repeated = length->value.contains(',');
    }
    return framing;
}

} // namespace muster
