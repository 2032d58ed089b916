// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/refine/jsonpathscanner.h"

namespace muster::jsonpath {

namespace {

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}
bool isLower(char c)
{
    return c >= 'a' && c <= 'z';
}
bool isNameFirst(char c)
{
    // Every byte of a character beyond ASCII counts: the RFC takes them all.
    return isLower(c) || (c >= 'A' && c <= 'Z') || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}
bool isBlank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

} // namespace

bool Scanner::take(QByteArrayView what)
{
    if (failed() || !looksAt(what))
        return false;
    m_at += what.size();
    return true;
}

void Scanner::skipBlank()
{
    while (!atEnd() && isBlank(peek()))
        ++m_at;
}

bool Scanner::startsName() const
{
    return !atEnd() && isNameFirst(peek());
}

std::optional<QByteArray> Scanner::name()
{
    if (!startsName()) {
        fail(QStringLiteral("a name is expected"));
        return std::nullopt;
    }
    const qsizetype from = m_at;
    while (!atEnd() && (isNameFirst(peek()) || isDigit(peek())))
        ++m_at;
    return m_text.sliced(from, m_at - from);
}

std::optional<QByteArray> Scanner::function()
{
    qsizetype length = 0;
    while (isLower(peek(length)) || (length > 0 && (peek(length) == '_' || isDigit(peek(length)))))
        ++length;
    if (length == 0 || peek(length) != '(')
        return std::nullopt;
    const QByteArray found = m_text.sliced(m_at, length);
    m_at += length;
    return found;
}

bool Scanner::skipDigits()
{
    const qsizetype from = m_at;
    while (isDigit(peek()))
        ++m_at;
    return m_at > from;
}

std::optional<qint64> Scanner::integer()
{
    const qsizetype from = m_at;
    take("-");
    const qsizetype digits = m_at;
    const bool any = skipDigits();
    const QByteArray text = m_text.sliced(from, m_at - from);
    const bool leadingZero = any && m_text[digits] == '0' && (m_at - digits > 1 || digits > from);
    bool ok = false;
    const qint64 value = text.toLongLong(&ok);
    // The range that I-JSON can carry exactly.
    constexpr qint64 most = 9007199254740991;
    if (any && !leadingZero && ok && value >= -most && value <= most)
        return value;
    m_at = from;
    fail(!any          ? QStringLiteral("a whole number is expected")
         : leadingZero ? QStringLiteral("a whole number has no leading zeros and zero has no sign")
                       : QStringLiteral("the number is beyond 9007199254740991"));
    return std::nullopt;
}

std::optional<QByteArray> Scanner::number()
{
    const qsizetype from = m_at;
    take("-");
    const qsizetype digits = m_at;
    bool good = skipDigits() && (m_text[digits] != '0' || m_at - digits == 1);
    if (good && take("."))
        good = skipDigits();
    if (good && (peek() == 'e' || peek() == 'E')) {
        ++m_at;
        if (peek() == '+' || peek() == '-')
            ++m_at;
        good = skipDigits();
    }
    if (good)
        return m_text.sliced(from, m_at - from);
    fail(QStringLiteral("this is not a number as JSON writes it"));
    return std::nullopt;
}

std::optional<int> Scanner::hexUnit()
{
    if (m_at + 4 > m_text.size())
        return std::nullopt;
    int unit = 0;
    for (int i = 0; i < 4; ++i) {
        const int digit =
            QByteArrayView("0123456789abcdef").indexOf(QChar(QLatin1Char(peek(i))).toLower().toLatin1());
        if (digit < 0)
            return std::nullopt;
        unit = unit * 16 + digit;
    }
    m_at += 4;
    return unit;
}

bool Scanner::appendEscape(QByteArray &out, char quote)
{
    const char c = peek();
    static constexpr char plain[] = "bfnrt/\\";
    static constexpr char meant[] = "\b\f\n\r\t/\\";
    if (const char *found = c ? std::strchr(plain, c) : nullptr) {
        out += meant[found - plain];
        ++m_at;
        return true;
    }
    if (c == quote) {
        out += c;
        ++m_at;
        return true;
    }
    if (!take("u"))
        return fail(QStringLiteral("there is no such escape"));
    const std::optional<int> unit = hexUnit();
    if (!unit)
        return fail(QStringLiteral("\\u needs four hexadecimal digits"));
    char32_t point = char32_t(*unit);
    if (QChar::isHighSurrogate(point)) {
        const std::optional<int> low = take("\\u") ? hexUnit() : std::nullopt;
        if (!low || !QChar::isLowSurrogate(char32_t(*low)))
            return fail(QStringLiteral("half of a surrogate pair"));
        point = QChar::surrogateToUcs4(char16_t(*unit), char16_t(*low));
    } else if (QChar::isLowSurrogate(point)) {
        return fail(QStringLiteral("half of a surrogate pair"));
    }
    out += QString::fromUcs4(&point, 1).toUtf8();
    return true;
}

std::optional<QByteArray> Scanner::stringLiteral()
{
    const char quote = peek();
    if (quote != '\'' && quote != '"') {
        fail(QStringLiteral("a quoted text is expected"));
        return std::nullopt;
    }
    const qsizetype from = m_at++;
    QByteArray out;
    while (!atEnd()) {
        const char c = peek();
        if (static_cast<unsigned char>(c) < 0x20) {
            fail(QStringLiteral("control characters are written as escapes"));
            return std::nullopt;
        }
        ++m_at;
        if (c == quote)
            return out;
        if (c != '\\')
            out += c;
        else if (!appendEscape(out, quote))
            return std::nullopt;
    }
    m_at = from;
    fail(QStringLiteral("the quoted text has no end"));
    return std::nullopt;
}

bool Scanner::fail(const QString &reason)
{
    if (!failed()) {
        m_reason = reason;
        m_failedAt = m_at;
    }
    return false;
}

qsizetype Scanner::failedCharacter() const
{
    return QString::fromUtf8(m_text.first(qMin(m_failedAt, m_text.size()))).size();
}

} // namespace muster::jsonpath
