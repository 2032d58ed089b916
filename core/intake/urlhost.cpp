// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/intake/urlhost.h"

#include <algorithm>
#include <arpa/inet.h>
#include <optional>
#include <QUrl>
#include <QVarLengthArray>

#include "core/intake/urlbytes.h"

namespace muster {

namespace {

using Result = tl::expected<QByteArray, QString>;

tl::unexpected<QString> refuse(const QString &why)
{
    return tl::unexpected<QString>(why);
}

bool isNameByte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
}

bool isDigits(QByteArrayView s)
{
    return !s.isEmpty() && std::all_of(s.begin(), s.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool isHexPrefixed(QByteArrayView s)
{
    return s.size() >= 2 && s[0] == '0' && (s[1] == 'x' || s[1] == 'X');
}

/// One part of an IPv4 address: decimal, octal (leading 0) or hexadecimal (leading 0x).
std::optional<quint64> ipv4Part(QByteArrayView part)
{
    int base = 10;
    if (isHexPrefixed(part)) {
        base = 16;
        part = part.sliced(2);
    } else if (part.size() > 1 && part[0] == '0') {
        base = 8;
        part = part.sliced(1);
    } else if (part.isEmpty()) {
        return std::nullopt;
    }
    quint64 value = 0;
    for (const char c : part) {
        const int digit = hexDigit(c);
        if (digit < 0 || digit >= base)
            return std::nullopt;
        value =
            std::min<quint64>(value * static_cast<quint64>(base) + static_cast<quint64>(digit), 1ULL << 40);
    }
    return value;
}

QVarLengthArray<QByteArrayView, 8> labelsOf(QByteArrayView name)
{
    QVarLengthArray<QByteArrayView, 8> labels;
    qsizetype begin = 0;
    for (qsizetype i = 0; i <= name.size(); ++i) {
        if (i < name.size() && name[i] != '.')
            continue;
        labels.append(name.sliced(begin, i - begin));
        begin = i + 1;
    }
    return labels;
}

/// The host is an address when its last label is a number; then it has to be a right one.
std::optional<Result> ipv4(QByteArrayView name)
{
    auto parts = labelsOf(name);
    if (parts.size() > 1 && parts.last().isEmpty())
        parts.removeLast();
    const QByteArrayView last = parts.last();
    if (!isDigits(last) && !(isHexPrefixed(last) && ipv4Part(last)))
        return std::nullopt;
    const QString wrong =
        QStringLiteral("the host looks like an IPv4 address and is none; write four numbers "
                       "from 0 to 255 with dots between them");
    if (parts.size() > 4)
        return refuse(wrong);
    quint64 address = 0;
    for (qsizetype i = 0; i < parts.size(); ++i) {
        const std::optional<quint64> value = ipv4Part(parts[i]);
        const bool isLast = i + 1 == parts.size();
        const quint64 limit = isLast ? 1ULL << (8 * (5 - parts.size())) : 256;
        if (!value || *value >= limit)
            return refuse(wrong);
        address = isLast ? address + *value : address + (*value << (8 * (3 - i)));
    }
    QByteArray out;
    for (int shift = 24; shift >= 0; shift -= 8)
        out += QByteArray::number((address >> shift) & 255) + (shift > 0 ? "." : "");
    return out;
}

Result ipv6(QByteArrayView host)
{
    const QString wrong =
        QStringLiteral("the address in brackets is not an IPv6 address; write it like [2001:db8::1]");
    if (host.size() < 2 || host.back() != ']')
        return refuse(wrong);
    const QByteArray inner = host.sliced(1, host.size() - 2).toByteArray();
    in6_addr address{};
    char text[INET6_ADDRSTRLEN] = {};
    if (inet_pton(AF_INET6, inner.constData(), &address) != 1 ||
        inner.size() != static_cast<qsizetype>(qstrlen(inner.constData())))
        return refuse(wrong);
    inet_ntop(AF_INET6, &address, text, sizeof text);
    return '[' + QByteArray(text) + ']';
}

Result decoded(QByteArrayView host)
{
    QByteArray out;
    for (qsizetype i = 0; i < host.size(); ++i) {
        if (host[i] != '%') {
            out += host[i];
            continue;
        }
        const int value = escapeAt(host, i);
        if (value < 0)
            return refuse(QStringLiteral("there is a % in the host name; take it out"));
        out += static_cast<char>(value);
        i += 2;
    }
    return out;
}

QString badCharacter(QChar c)
{
    const QString shown = c.unicode() > 32 && c.unicode() < 127
                              ? QString(c)
                              : QStringLiteral("U+%1").arg(c.unicode(), 4, 16, QLatin1Char('0')).toUpper();
    return QStringLiteral("the character %1 cannot stand in a host name; correct the host").arg(shown);
}

/// An international name in punycode. Full-width forms turn into ASCII on the way: what they turn into is
/// judged, so that no look-alike of / ? # @ : can split the host in two.
Result ace(QByteArrayView name)
{
    QString text = QString::fromUtf8(name).normalized(QString::NormalizationForm_KC);
    text.replace(QChar(0x3002), QLatin1Char('.'));
    for (const QChar c : std::as_const(text))
        if (c.unicode() < 128 && !isNameByte(c.toLower().toLatin1()))
            return refuse(badCharacter(c));
    const bool dot = text.endsWith(QLatin1Char('.'));
    if (dot)
        text.chop(1);
    const QByteArray bare = QUrl::toAce(text).toLower();
    const QByteArray out = dot ? bare + '.' : bare;
    // Qt reads some broken xn-- labels anew when it sends, and would go to another host than the one judged
    // here.
    const QUrl sent = QUrl::fromEncoded("http://" + out + '/');
    const bool same = !out.contains("xn--") || sent.host(QUrl::FullyEncoded).toLatin1() == out;
    if (bare.isEmpty() || !same)
        return refuse(QStringLiteral("the host is not a valid international name; correct the host"));
    return out;
}

Result checkedLabels(QByteArray name)
{
    for (const char c : std::as_const(name))
        if (!isNameByte(c))
            return refuse(badCharacter(QChar::fromLatin1(c)));
    auto labels = labelsOf(name);
    if (labels.size() > 1 && labels.last().isEmpty())
        labels.removeLast();
    if (std::any_of(labels.begin(), labels.end(), [](QByteArrayView l) { return l.isEmpty(); }))
        return refuse(QStringLiteral("a part of the host name between dots is empty; correct the host"));
    if (std::any_of(labels.begin(), labels.end(), [](QByteArrayView l) { return l.size() > 63; }))
        return refuse(
            QStringLiteral("a part of the host name is longer than 63 characters; correct the host"));
    if (name.size() > 254 || (name.size() == 254 && !name.endsWith('.')))
        return refuse(QStringLiteral("the host name is longer than 253 characters; correct the host"));
    return name;
}

} // namespace

Result canonicalHost(QByteArrayView host)
{
    if (host.isEmpty())
        return refuse(QStringLiteral("there is no host in it; write it like https://host/path"));
    if (host[0] == '[')
        return ipv6(host);
    Result name = decoded(host);
    if (!name)
        return name;
    if (!name->isValidUtf8())
        return refuse(QStringLiteral("the host name is not UTF-8; correct the host"));
    const bool ascii =
        std::all_of(name->begin(), name->end(), [](char c) { return static_cast<uchar>(c) < 128; });
    *name = ascii ? name->toLower() : *name;
    if (!ascii || name->contains("xn--")) {
        name = ace(*name);
        if (!name)
            return name;
        *name = name->toLower();
    }
    name = checkedLabels(*name);
    if (!name)
        return name;
    if (auto address = ipv4(*name))
        return *address;
    return name;
}

} // namespace muster
