// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/view/rowline.h"

#include <QStringList>

namespace muster {

namespace {

// A row's text must never break a line or turn its neighbours around.
QString harmless(QString text)
{
    for (QChar &c : text) {
        const char16_t u = c.unicode();
        const bool turns = (u >= 0x202a && u <= 0x202e) || (u >= 0x2066 && u <= 0x2069);
        if (c.category() == QChar::Other_Control || u == 0x2028 || u == 0x2029 || turns)
            c = QChar(u'\ufffd');
    }
    return text;
}

QString decoded(QByteArray part, bool plusIsBlank)
{
    if (plusIsBlank)
        part.replace('+', ' ');
    return harmless(QString::fromUtf8(QByteArray::fromPercentEncoding(part)));
}

bool isSecret(const QByteArray &value)
{
    return value.contains("{secret:") || value.contains("%7Bsecret:");
}

QString queryText(const QByteArray &query)
{
    QStringList values;
    for (const QByteArray &pair : query.split('&')) {
        const qsizetype is = pair.indexOf('=');
        const QByteArray value = is < 0 ? pair : pair.mid(is + 1);
        if (!value.isEmpty() && !isSecret(value))
            values.append(decoded(value, true));
    }
    return values.join(QStringLiteral(", "));
}

} // namespace

QString requestText(const QByteArray &url)
{
    const qsizetype hash = url.indexOf('#');
    const QByteArray whole = hash < 0 ? url : url.left(hash);
    const qsizetype question = whole.indexOf('?');
    if (question >= 0)
        if (const QString text = queryText(whole.mid(question + 1)); !text.isEmpty())
            return text;
    const QByteArray bare = question < 0 ? whole : whole.left(question);
    const qsizetype scheme = bare.indexOf("://");
    const qsizetype slash = scheme < 0 ? -1 : bare.indexOf('/', scheme + 3);
    if (slash >= 0 && slash + 1 < bare.size())
        return decoded(bare.mid(slash), false);
    return decoded(scheme < 0 ? bare : bare.mid(scheme + 3), false);
}

} // namespace muster
