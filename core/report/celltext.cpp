// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/celltext.h"

#include <algorithm>
#include <QString>

namespace muster {

namespace {

constexpr char32_t replacement = 0xFFFD;

/// The next code point, or the replacement for a broken sequence; moves `at` on. One broken sequence counts
/// once for each byte that cannot begin or continue anything.
char32_t next(QByteArrayView text, qsizetype &at, bool &broken)
{
    const auto byte = [&text](qsizetype i) {
        return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u;
    };
    const unsigned first = byte(at);
    broken = false;
    if (first < 0x80) {
        ++at;
        return first;
    }
    const int more = first >= 0xF0 && first < 0xF5 ? 3 : first >= 0xE0 ? 2 : 1;
    char32_t point = first & (0x3Fu >> more);
    bool good = first >= 0xC2 && first < 0xF5;
    for (int i = 1; good && i <= more; ++i) {
        good = (byte(at + i) & 0xC0u) == 0x80u;
        point = (point << 6) | (byte(at + i) & 0x3Fu);
    }
    static constexpr char32_t least[] = {0, 0x80, 0x800, 0x10000};
    good = good && point >= least[more] && point <= 0x10FFFF;
    if (!good) {
        broken = true;
        ++at;
        return replacement;
    }
    at += more + 1;
    return point;
}

bool mayStand(char32_t point, bool controls)
{
    if (point >= 0xD800 && point <= 0xDFFF)
        return false;
    if ((point & 0xFFFE) == 0xFFFE)
        return false;
    if (!controls)
        return true;
    if (point < 0x20)
        return point == '\t' || point == '\r' || point == '\n';
    return point < 0x7F || point > 0x9F;
}

bool isBlank(char32_t point)
{
    return point == ' ' || point == 0xA0 || point == 0x3000;
}

QByteArrayView trimmedBlanks(QByteArrayView text)
{
    while (!text.isEmpty() && text.front() == ' ')
        text = text.sliced(1);
    while (!text.isEmpty() && text.back() == ' ')
        text.chop(1);
    return text;
}

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

qsizetype skipDigits(QByteArrayView text, qsizetype at)
{
    while (at < text.size() && isDigit(text[at]))
        ++at;
    return at;
}

} // namespace

bool isPlainNumber(QByteArrayView text)
{
    text = trimmedBlanks(text);
    qsizetype at = !text.isEmpty() && (text[0] == '+' || text[0] == '-') ? 1 : 0;
    const qsizetype begin = at;
    at = skipDigits(text, at);
    if (at == begin && (at >= text.size() || text[at] != '.'))
        return false;
    while (at < text.size() && (text[at] == '.' || text[at] == ',')) {
        const qsizetype end = skipDigits(text, at + 1);
        if (end == at + 1)
            return false;
        at = end;
    }
    if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
        ++at;
        if (at < text.size() && (text[at] == '+' || text[at] == '-'))
            ++at;
        const qsizetype end = skipDigits(text, at);
        if (end == at)
            return false;
        at = end;
    }
    return at == text.size();
}

bool looksLikeFormula(QByteArrayView text)
{
    if (text.isEmpty())
        return false;
    // Nearly every cell begins with a letter or a digit.
    const auto first = static_cast<unsigned char>(text[0]);
    if (first > '@' && first < 0x80)
        return false;
    bool broken = false;
    for (qsizetype at = 0; at < text.size();) {
        const char32_t point = next(text, at, broken);
        if (isBlank(point))
            continue;
        static constexpr char32_t starters[] = {'=',  '+',    '-',    '@',    '\t',  '\r',
                                                '\n', 0xFF1D, 0xFF0B, 0xFF0D, 0xFF20};
        return std::find(std::begin(starters), std::end(starters), point) != std::end(starters) &&
               !isPlainNumber(text);
    }
    return false;
}

qint64 cleanse(QByteArray &text, bool controls)
{
    const auto plain = [controls](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return byte < 0x7F && (byte >= 0x20 || !controls || c == '\t' || c == '\r' || c == '\n');
    };
    const auto odd = std::find_if_not(text.cbegin(), text.cend(), plain);
    if (odd == text.cend())
        return 0;
    const qsizetype begin = odd - text.cbegin();
    QByteArray out = text.first(begin);
    qint64 count = 0;
    bool broken = false;
    for (qsizetype at = begin; at < text.size();) {
        const qsizetype from = at;
        const char32_t point = next(text, at, broken);
        if (!broken && mayStand(point, controls)) {
            out.append(text.constData() + from, at - from);
            continue;
        }
        out += "\xEF\xBF\xBD";
        ++count;
    }
    if (count > 0)
        text = std::move(out);
    return count;
}

} // namespace muster
