// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/net/urlpolicy.h"

#include <algorithm>
#include <array>
#include <QByteArrayList>

namespace muster {

namespace {

struct Net4
{
    quint32 net;
    int bits;
    Reach reach;
};

constexpr quint32 ip4(int a, int b, int c, int d)
{
    return static_cast<quint32>((a << 24) | (b << 16) | (c << 8) | d);
}

// IANA IPv4 special-purpose registry. 169.254.169.254 and 100.100.100.200 (metadata) lie inside.
constexpr std::array<Net4, 15> nets4{{
    {ip4(0, 0, 0, 0), 8, Reach::Unspecified},
    {ip4(10, 0, 0, 0), 8, Reach::Private},
    {ip4(100, 64, 0, 0), 10, Reach::Private},
    {ip4(127, 0, 0, 0), 8, Reach::Loopback},
    {ip4(169, 254, 0, 0), 16, Reach::LinkLocal},
    {ip4(172, 16, 0, 0), 12, Reach::Private},
    {ip4(192, 0, 0, 0), 24, Reach::Reserved},
    {ip4(192, 0, 2, 0), 24, Reach::Reserved},
    {ip4(192, 88, 99, 0), 24, Reach::Reserved},
    {ip4(192, 168, 0, 0), 16, Reach::Private},
    {ip4(198, 18, 0, 0), 15, Reach::Private},
    {ip4(198, 51, 100, 0), 24, Reach::Reserved},
    {ip4(203, 0, 113, 0), 24, Reach::Reserved},
    {ip4(224, 0, 0, 0), 4, Reach::Multicast},
    {ip4(240, 0, 0, 0), 4, Reach::Reserved},
}};

Reach reachOf4(quint32 address)
{
    for (const Net4 &n : nets4)
        if ((address ^ n.net) >> (32 - n.bits) == 0)
            return n.reach;
    return Reach::Public;
}

quint32 embedded(const Q_IPV6ADDR &a, int at)
{
    return ip4(a[at], a[at + 1], a[at + 2], a[at + 3]);
}

bool startsWith(const Q_IPV6ADDR &a, std::initializer_list<quint8> head)
{
    int i = 0;
    return std::all_of(head.begin(), head.end(), [&](quint8 b) { return a[i++] == b; });
}

bool isZero(const Q_IPV6ADDR &a, int from, int to)
{
    for (int i = from; i < to; ++i)
        if (a[i] != 0)
            return false;
    return true;
}

Reach reachOf6(const Q_IPV6ADDR &a)
{
    if (isZero(a, 0, 16))
        return Reach::Unspecified;
    if (isZero(a, 0, 15) && a[15] == 1)
        return Reach::Loopback;
    const bool mapped = isZero(a, 0, 10) && a[10] == 0xff && a[11] == 0xff;
    const bool translated = isZero(a, 0, 8) && a[8] == 0xff && a[9] == 0xff && isZero(a, 10, 12); // RFC 2765
    const bool nat64 = startsWith(a, {0x00, 0x64, 0xff, 0x9b}) && isZero(a, 4, 12);
    if (mapped || translated || nat64 || isZero(a, 0, 12))
        return reachOf4(embedded(a, 12));
    if (startsWith(a, {0x00, 0x64, 0xff, 0x9b})) // local-use NAT64, RFC 8215
        return Reach::Private;
    if (startsWith(a, {0x20, 0x02})) // 6to4
        return reachOf4(embedded(a, 2));
    if ((a[0] & 0xfe) == 0xfc) // ULA; fd00:ec2::254 lies inside
        return Reach::Private;
    if (a[0] == 0xfe && (a[1] & 0xc0) == 0x80)
        return Reach::LinkLocal;
    if (a[0] == 0xfe && (a[1] & 0xc0) == 0xc0)
        return Reach::Private; // site-local, given up but routed
    if (a[0] == 0xff)
        return Reach::Multicast;
    const bool special = startsWith(a, {0x20, 0x01, 0x0d, 0xb8}) || startsWith(a, {0x20, 0x01, 0x00, 0x00}) ||
                         startsWith(a, {0x01, 0x00});
    return special || (a[0] & 0xe0) != 0x20 ? Reach::Reserved : Reach::Public;
}

std::optional<quint64> inetNumber(const QByteArray &part)
{
    bool ok = false;
    if (part.startsWith("0x") || part.startsWith("0X")) {
        if (part.size() == 2)
            return 0;
        const quint64 n = part.mid(2).toULongLong(&ok, 16);
        return ok && part[2] != '-' && part[2] != '+' ? std::optional(n) : std::nullopt;
    }
    if (part.isEmpty() || part[0] < '0' || part[0] > '9')
        return std::nullopt;
    const quint64 n = part.toULongLong(&ok, part.size() > 1 && part[0] == '0' ? 8 : 10);
    return ok ? std::optional(n) : std::nullopt;
}

// As inet_aton reads it: one to four parts, decimal, octal or hex, the last one fills what is left.
std::optional<quint32> inetAddress(const QByteArray &host)
{
    const QByteArrayList parts = host.split('.');
    if (parts.size() > 4)
        return std::nullopt;
    quint64 address = 0;
    for (qsizetype i = 0; i < parts.size(); ++i) {
        const auto n = inetNumber(parts[i]);
        const bool last = i + 1 == parts.size();
        const int bits = last ? static_cast<int>(8 * (4 - i)) : 8;
        if (!n || *n >> bits != 0)
            return std::nullopt;
        address = (address << bits) | *n;
    }
    return static_cast<quint32>(address);
}

// https://fetch.spec.whatwg.org/#port-blocking
constexpr std::array badPorts{
    0,    1,    7,    9,    11,   13,   15,   17,   19,   20,   21,   22,   23,   25,   37,   42,   43,
    53,   69,   77,   79,   87,   95,   101,  102,  103,  104,  109,  110,  111,  113,  115,  117,  119,
    123,  135,  137,  139,  143,  161,  179,  389,  427,  465,  512,  513,  514,  515,  526,  530,  531,
    532,  540,  548,  554,  556,  563,  587,  601,  636,  989,  990,  993,  995,  1719, 1720, 1723, 2049,
    3659, 4045, 4190, 5060, 5061, 6000, 6379, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080};

} // namespace

Reach reachOf(const QHostAddress &address)
{
    if (address.protocol() == QAbstractSocket::IPv4Protocol)
        return reachOf4(address.toIPv4Address());
    if (address.protocol() == QAbstractSocket::IPv6Protocol)
        return reachOf6(address.toIPv6Address());
    return Reach::Reserved;
}

bool isAllowedForReceived(const QHostAddress &address)
{
    return reachOf(address) == Reach::Public;
}

std::optional<QHostAddress> literalAddress(QByteArrayView host)
{
    QByteArray text = host.toByteArray().toLower();
    if (text.startsWith('[') && text.endsWith(']'))
        text = text.mid(1, text.size() - 2);
    while (text.endsWith('.'))
        text.chop(1);
    if (text == "localhost" || text.endsWith(".localhost"))
        return QHostAddress(QHostAddress::LocalHost);
    if (text.contains(':')) {
        const QHostAddress address(QString::fromLatin1(text));
        return address.isNull() ? std::nullopt : std::optional(address);
    }
    if (const auto address = inetAddress(text))
        return QHostAddress(*address);
    return std::nullopt;
}

bool isBadPort(int port)
{
    return std::find(badPorts.begin(), badPorts.end(), port) != badPorts.end();
}

} // namespace muster
