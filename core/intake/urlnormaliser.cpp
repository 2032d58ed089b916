// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/intake/urlnormaliser.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "core/intake/numbertext.h"
#include "core/intake/urlbytes.h"
#include "core/intake/urlhost.h"

namespace muster {

namespace {

tl::unexpected<QString> refuse(const QString &why)
{
    return tl::unexpected<QString>(why);
}

using Table = std::array<bool, 256>;

constexpr Table tableOf(const char *marks)
{
    Table t{};
    for (int i = 0; i < 128; ++i)
        t[static_cast<std::size_t>(i)] = isUnreserved(static_cast<char>(i));
    for (; *marks != 0; ++marks)
        t[static_cast<std::size_t>(*marks)] = true;
    return t;
}

// RFC 3986 pchar, and the brackets that a[]=1 brings: browsers and Qt send them as they are. The query also
// takes / and ?.
constexpr Table pathBytes = tableOf("!$&'()*+,;=:@[]");
constexpr Table queryBytes = tableOf("!$&'()*+,;=:@/?[]");

constexpr bool has(const Table &t, char c)
{
    return t[static_cast<std::size_t>(static_cast<uchar>(c))];
}

/// Length of `scheme://host` where it is already normal and has no port, else 0. The common case, kept quick.
qsizetype normalOrigin(QByteArrayView u)
{
    const qsizetype begin = u.startsWith("https://") ? 8 : u.startsWith("http://") ? 7 : 0;
    if (begin == 0)
        return 0;
    qsizetype label = begin;
    qsizetype i = begin;
    for (; i < u.size() && u[i] != '/'; ++i) {
        const char c = u[i];
        if (c == '.') {
            if (i == label || i - label > 63)
                return 0;
            label = i + 1;
        } else if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || (c == '-' && u[i - 1] != '-'))) {
            return 0; // two hyphens may be punycode
        }
    }
    const bool name = i > label && i - label <= 63 && u[label] >= 'a' && u[label] <= 'z'; // else perhaps IPv4
    return i < u.size() && name && i - begin <= 253 ? i : 0;
}

bool isNormalEscape(QByteArrayView u, qsizetype i)
{
    const int value = escapeAt(u, i);
    const auto lower = [](char c) { return c >= 'a' && c <= 'f'; };
    return value >= 0 && !lower(u[i + 1]) && !lower(u[i + 2]) && !isUnreserved(static_cast<char>(value));
}

bool isNormal(QByteArrayView u)
{
    qsizetype i = normalOrigin(u);
    if (i == 0 || u.size() > UrlNormaliser::maxLength)
        return false;
    const Table *table = &pathBytes;
    for (; i < u.size(); ++i) {
        const char c = u[i];
        if (has(*table, c))
            continue;
        if (c == '/') {
            if (i + 1 < u.size() && u[i + 1] == '.')
                return false; // perhaps a dot segment
        } else if (c == '?') {
            table = &queryBytes;
        } else if (c == '%' && isNormalEscape(u, i)) {
            i += 2;
        } else {
            return false;
        }
    }
    return true;
}

/// A URL on its way from what was given to what is sent.
class Rewriter final
{
public:
    Rewriter(const MaskedText &in, const QByteArray &scheme)
        : m_in(in)
        , m_scheme(scheme)
        , m_text(in.text)
    {}

    tl::expected<MaskedText, QString> run();

private:
    QString checkBytes() const;
    QString takeScheme();
    QString takeAuthority();
    QString takeHostAndPort(QByteArrayView authority);
    QString takePath();
    void takeQuery();
    void endSegment(bool last);
    bool takeSlot();
    void takeByte(const Table &table);

    const MaskedText &m_in;
    const QByteArray &m_scheme;
    QByteArrayView m_text;
    qsizetype m_at = 0;   ///< next byte of the input
    qsizetype m_slot = 0; ///< next secret of the input
    MaskedText m_out;
    qsizetype m_path = 0;    ///< where the path begins in the output
    qsizetype m_segment = 0; ///< where its last segment begins
};

tl::expected<MaskedText, QString> Rewriter::run()
{
    m_out.text.reserve(m_text.size() + 16);
    for (const auto step : {&Rewriter::takeScheme, &Rewriter::takeAuthority, &Rewriter::takePath})
        if (QString why = (this->*step)(); !why.isEmpty())
            return refuse(why);
    takeQuery();
    if (m_out.text.size() > UrlNormaliser::maxLength)
        return refuse(QStringLiteral("the URL is %1 bytes long, at most %2 are sent; shorten it")
                          .arg(grouped(m_out.text.size()), grouped(UrlNormaliser::maxLength)));
    return std::move(m_out);
}

QString Rewriter::checkBytes() const
{
    if (m_text.isEmpty())
        return QStringLiteral("the URL is empty; write it like https://host/path");
    for (const char c : m_text)
        if (static_cast<uchar>(c) < 0x20 || c == 0x7f)
            return QStringLiteral("there is a control character (U+%1) in the URL; take it out")
                .arg(static_cast<uchar>(c), 4, 16, QLatin1Char('0'));
    if (m_text[0] == ' ')
        return QStringLiteral("the URL begins with a blank; take it out, or set input.trim");
    return {};
}

/// Digits up to the path: then what stands before the colon is a host, not a scheme.
bool isPort(QByteArrayView s)
{
    qsizetype i = 0;
    while (i < s.size() && s[i] >= '0' && s[i] <= '9')
        ++i;
    return i > 0 && (i == s.size() || s[i] == '/' || s[i] == '?' || s[i] == '#');
}

QString Rewriter::takeScheme()
{
    if (QString why = checkBytes(); !why.isEmpty())
        return why;
    qsizetype i = 0;
    const auto inScheme = [](char c) { return isUnreserved(c) ? c != '_' && c != '~' : c == '+'; };
    while (i < m_text.size() && inScheme(m_text[i]))
        ++i;
    const QByteArrayView rest = m_text.sliced(i);
    QByteArray scheme = m_scheme;
    if (m_text.startsWith("//")) {
        m_at = 2;
    } else if (rest.startsWith(":") && i > 0 && !isPort(rest.sliced(1))) {
        scheme = m_text.first(i).toByteArray().toLower();
        if (scheme != "http" && scheme != "https") {
            if (rest.contains('@'))
                return QStringLiteral("there is a login in the URL; use auth");
            return QStringLiteral("only http and https are fetched; give an address of these");
        }
        if (!rest.startsWith("://"))
            return QStringLiteral(
                "the two slashes after the scheme are missing; write it like https://host/path");
        m_at = i + 3;
    } else if (m_text[0] == '/' || m_text[0] == '?' || m_text[0] == '#') {
        return QStringLiteral("there is no host in it; write it like https://host/path");
    }
    m_out.text = scheme + "://";
    return {};
}

QString Rewriter::takeAuthority()
{
    qsizetype end = m_at;
    while (end < m_text.size() && m_text[end] != '/' && m_text[end] != '?' && m_text[end] != '#')
        ++end;
    if (!m_in.secretSlots.isEmpty() && m_in.secretSlots.first().at < end)
        return QStringLiteral("a secret stands before the path; it may stand in path and query only");
    const QByteArrayView authority = m_text.sliced(m_at, end - m_at);
    m_at = end;
    if (authority.contains('\\'))
        return QStringLiteral("there is a backslash before the path, so the host could be read in two ways; "
                              "write slashes");
    if (authority.contains('@'))
        return QStringLiteral("there is a login in the URL; use auth");
    return takeHostAndPort(authority);
}

QString Rewriter::takeHostAndPort(QByteArrayView authority)
{
    const qsizetype colon = authority.lastIndexOf(':');
    const bool hasPort = colon >= 0 && colon > authority.lastIndexOf(']');
    const auto host = canonicalHost(hasPort ? authority.first(colon) : authority);
    if (!host)
        return host.error();
    const bool https = m_out.text.startsWith("https");
    m_out.text += *host;
    const QByteArrayView digits = hasPort ? authority.sliced(colon + 1) : QByteArrayView();
    if (digits.isEmpty())
        return {};
    int port = 0;
    for (const char c : digits)
        port = c >= '0' && c <= '9' && port >= 0 && port <= 65535 ? port * 10 + (c - '0') : -1;
    if (port < 1 || port > 65535)
        return QStringLiteral("the port is not a number from 1 to 65535; correct it or leave it out");
    if (port != (https ? 443 : 80))
        m_out.text += ':' + QByteArray::number(port);
    return {};
}

bool Rewriter::takeSlot()
{
    if (m_slot >= m_in.secretSlots.size() || m_in.secretSlots[m_slot].at != m_at)
        return false;
    MaskedText::Slot slot = m_in.secretSlots[m_slot++];
    m_at += slot.length;
    slot.at = static_cast<int>(m_out.text.size());
    m_out.text += m_text.sliced(m_at - slot.length, slot.length);
    m_out.secretSlots.append(slot);
    return true;
}

void Rewriter::takeByte(const Table &table)
{
    const char c = m_text[m_at];
    if (const int value = c == '%' ? escapeAt(m_text, m_at) : -1; value >= 0) {
        if (isUnreserved(static_cast<char>(value)))
            m_out.text += static_cast<char>(value);
        else
            appendEscape(m_out.text, static_cast<char>(value));
        m_at += 3;
        return;
    }
    if (has(table, c))
        m_out.text += c;
    else
        appendEscape(m_out.text, c);
    ++m_at;
}

/// Dot segments go as RFC 3986, 5.2.4, says.
void Rewriter::endSegment(bool last)
{
    QByteArray &out = m_out.text;
    const QByteArrayView segment = QByteArrayView(out).sliced(m_segment);
    if (segment == "." || segment == "..") {
        const bool up = segment.size() == 2 && m_segment - 1 > m_path;
        out.truncate(up ? out.lastIndexOf('/', m_segment - 2) + 1 : m_segment);
        while (!m_out.secretSlots.isEmpty() && m_out.secretSlots.last().at >= out.size())
            m_out.secretSlots.removeLast();
    } else if (!last) {
        out += '/';
    }
    m_segment = out.size();
}

QString Rewriter::takePath()
{
    m_path = m_out.text.size();
    m_out.text += '/';
    m_segment = m_out.text.size();
    if (m_at < m_text.size() && m_text[m_at] == '/')
        ++m_at;
    while (m_at < m_text.size() && m_text[m_at] != '?' && m_text[m_at] != '#') {
        if (takeSlot())
            continue;
        if (m_text[m_at] == '\\')
            return QStringLiteral(
                "there is a backslash in the path, which some servers read as a slash; write a "
                "slash or %5C");
        if (m_text[m_at] == '/') {
            endSegment(false);
            ++m_at;
        } else {
            takeByte(pathBytes);
        }
    }
    endSegment(true);
    return {};
}

void Rewriter::takeQuery()
{
    if (m_at >= m_text.size() || m_text[m_at] != '?')
        return;
    m_out.text += '?';
    ++m_at;
    while (m_at < m_text.size() && m_text[m_at] != '#')
        if (!takeSlot())
            takeByte(queryBytes);
}

} // namespace

UrlNormaliser::UrlNormaliser(QByteArray scheme)
    : m_scheme(std::move(scheme))
{}

tl::expected<QByteArray, QString> UrlNormaliser::normalised(const QByteArray &url) const
{
    if (isNormal(url))
        return url;
    const MaskedText in{url, {}};
    auto out = Rewriter(in, m_scheme).run();
    if (!out)
        return tl::unexpected<QString>(std::move(out.error()));
    return std::move(out->text);
}

tl::expected<MaskedText, QString> UrlNormaliser::normalised(MaskedText url) const
{
    if (!url.hasSecrets() && isNormal(url.text))
        return url;
    return Rewriter(url, m_scheme).run();
}

} // namespace muster
