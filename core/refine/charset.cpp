// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/refine/charset.h"

#include <QStringDecoder>

namespace muster {

namespace {

QByteArray decoded(const QByteArray &body, QStringDecoder decoder)
{
    const QString text = decoder(body);
    return text.toUtf8();
}

/// Names as browsers understand them (WHATWG Encoding): Latin 1 is read as its Windows superset, which is
/// what such pages really hold.
QByteArray browserName(const QByteArray &charset)
{
    if (charset == "iso-8859-1" || charset == "latin1" || charset == "us-ascii" || charset == "ascii")
        return "windows-1252";
    if (charset == "utf8")
        return "utf-8";
    return charset;
}

} // namespace

QByteArray charsetOf(const QByteArray &contentType)
{
    const QList<QByteArray> parts = contentType.split(';');
    for (const QByteArray &part : parts.sliced(1)) {
        const qsizetype equals = part.indexOf('=');
        if (equals < 0 || part.first(equals).trimmed().toLower() != "charset")
            continue;
        QByteArray value = part.sliced(equals + 1).trimmed().toLower();
        if (value.startsWith('"') && value.endsWith('"') && value.size() >= 2)
            value = value.sliced(1, value.size() - 2);
        return value;
    }
    return {};
}

QByteArray bodyAsUtf8(const QByteArray &body, const QByteArray &contentType)
{
    if (body.startsWith("\xEF\xBB\xBF"))
        return bodyAsUtf8(body.sliced(3), QByteArray());
    if (const auto mark = QStringConverter::encodingForData(body); mark && *mark != QStringConverter::Utf8)
        return decoded(body, QStringDecoder(*mark));
    const QByteArray charset = browserName(charsetOf(contentType));
    if (!charset.isEmpty() && charset != "utf-8") {
        if (QStringDecoder decoder(charset.constData()); decoder.isValid())
            return decoded(body, std::move(decoder));
    }
    return body.isValidUtf8() ? body : decoded(body, QStringDecoder(QStringConverter::Utf8));
}

} // namespace muster
