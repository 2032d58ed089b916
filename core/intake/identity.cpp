// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/intake/identity.h"

#include <algorithm>
#include <QCryptographicHash>
#include <QtEndian>

namespace muster {

namespace {

// Every part carries its length, so that no two requests can yield the same bytes.
void addNumber(QByteArray &bytes, qint64 number)
{
    const qint64 little = qToLittleEndian(number);
    bytes.append(reinterpret_cast<const char *>(&little), sizeof little);
}

void addBytes(QByteArray &bytes, const QByteArray &part)
{
    addNumber(bytes, part.size());
    bytes.append(part);
}

/// Where the secrets are counts too: text that only looks like a secret is another request.
void addText(QByteArray &bytes, const MaskedText &text)
{
    addBytes(bytes, text.text);
    addNumber(bytes, text.secretSlots.size());
    for (const MaskedText::Slot &slot : text.secretSlots)
        addNumber(bytes, slot.at);
}

} // namespace

QByteArray identityOf(const Request &request, qint64 chain)
{
    QByteArray bytes;
    bytes.reserve(64 + request.method.size() + request.url.text.size() + request.body.text.size());
    addNumber(bytes, chain);
    addBytes(bytes, request.method);
    addText(bytes, request.url);
    addText(bytes, request.body);
    for (const Header &header : request.headers) {
        addBytes(bytes, header.name.toLower());
        addText(bytes, header.value);
    }
    // The number 160 is Qt's shortest BLAKE2b.
    return QCryptographicHash::hash(bytes, QCryptographicHash::Blake2b_160).first(16);
}

} // namespace muster
