// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/intake/ranges.h"

#include <algorithm>

#include "core/intake/numbertext.h"

namespace muster {

namespace {

bool isDigits(QByteArrayView s)
{
    return !s.isEmpty() && std::all_of(s.begin(), s.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool isAlternatives(QByteArrayView s)
{
    return s.contains(',') && std::none_of(s.begin(), s.end(), [](char c) {
               return static_cast<uchar>(c) <= ' ' || QByteArrayView("\"':").contains(c);
           });
}

QString tooMany(const QString &what)
{
    return QStringLiteral("the ranges of the line make %1 rows, at most %2 are made; split the line")
        .arg(what, grouped(Ranges::maxRows));
}

} // namespace

/// What stands between two braces, as a range; of size 0 where it is none.
tl::expected<Ranges::Part, QString> Ranges::partOf(QByteArrayView inner)
{
    Part part;
    if (isAlternatives(inner)) {
        for (const QByteArray &word : inner.toByteArray().split(','))
            part.words.append(word);
        part.size = part.words.size();
        return part;
    }
    const qsizetype dots = inner.indexOf("..");
    if (dots < 0)
        return part;
    const QByteArrayView first = inner.first(dots);
    const QByteArrayView last = inner.sliced(dots + 2);
    if (!isDigits(first) || !isDigits(last))
        return part;
    if (first.size() > 18 || last.size() > 18)
        return tl::unexpected<QString>(
            QStringLiteral("a range has numbers of more than 18 digits; write smaller ones"));
    part.from = first.toLongLong();
    part.size = last.toLongLong() - part.from + 1;
    if (part.size < 1)
        return tl::unexpected<QString>(
            QStringLiteral("the range {%1} goes down; write the smaller number first")
                .arg(QString::fromUtf8(inner)));
    part.width = first[0] == '0' && first.size() > 1 ? static_cast<int>(first.size()) : 0;
    return part;
}

tl::expected<Ranges, QString> Ranges::parse(QByteArrayView line)
{
    Ranges out;
    QByteArray literal;
    qsizetype at = 0;
    while (at < line.size()) {
        const qsizetype open = line.indexOf('{', at);
        const qsizetype close = open < 0 ? -1 : line.indexOf('}', open);
        if (close < 0)
            break;
        const QByteArrayView inner = line.sliced(open + 1, close - open - 1);
        if (inner.contains('{')) { // text; what it holds may be a range
            literal += line.sliced(at, open + 1 - at);
            at = open + 1;
            continue;
        }
        auto part = partOf(inner);
        if (!part)
            return tl::unexpected<QString>(std::move(part.error()));
        literal += line.sliced(at, (part->size > 0 ? open : close + 1) - at);
        at = close + 1;
        if (part->size == 0)
            continue;
        if (part->size > maxRows / out.m_count)
            return tl::unexpected<QString>(tooMany(part->size > maxRows
                                                       ? QStringLiteral("more than %1").arg(grouped(maxRows))
                                                       : grouped(part->size * out.m_count)));
        out.m_count *= part->size;
        part->literal = std::exchange(literal, {});
        out.m_parts.append(std::move(*part));
    }
    Part end;
    end.literal = literal + line.sliced(at);
    out.m_parts.append(end);
    out.m_index.resize(out.m_parts.size());
    return out;
}

bool Ranges::advance()
{
    for (qsizetype i = m_parts.size(); i-- > 0;) {
        if (m_parts[i].size == 0)
            continue;
        if (++m_index[i] < m_parts[i].size)
            return true;
        m_index[i] = 0;
    }
    return false;
}

bool Ranges::next(QByteArray &line)
{
    if (std::exchange(m_started, true) && !advance())
        return false;
    line.clear();
    for (qsizetype i = 0; i < m_parts.size(); ++i) {
        const Part &part = m_parts[i];
        line += part.literal;
        if (!part.words.isEmpty())
            line += part.words[m_index[i]];
        else if (part.size > 0)
            line += QByteArray::number(part.from + m_index[i]).rightJustified(part.width, '0');
    }
    return true;
}

} // namespace muster
