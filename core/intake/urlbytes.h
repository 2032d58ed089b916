// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

namespace muster {

/// The letters, digits and marks that never need an escape (RFC 3986, 2.3).
constexpr bool isUnreserved(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '.' || c == '_' || c == '~';
}

/// 0 to 15, or -1.
constexpr int hexDigit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/// The byte that the percent escape at `i` stands for, or -1 where there is none.
constexpr int escapeAt(QByteArrayView text, qsizetype i)
{
    if (i + 2 >= text.size() || text[i] != '%')
        return -1;
    const int high = hexDigit(text[i + 1]);
    const int low = hexDigit(text[i + 2]);
    return high < 0 || low < 0 ? -1 : high * 16 + low;
}

inline void appendEscape(QByteArray &out, char c)
{
    constexpr char digits[] = "0123456789ABCDEF";
    const auto byte = static_cast<uchar>(c);
    out += '%';
    out += digits[byte >> 4];
    out += digits[byte & 15];
}

} // namespace muster
