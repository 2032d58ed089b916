// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>
#include <QVector>
#include <tl/expected.hpp>

namespace muster {

/// The ranges in a line of a list (spec 2): `{1..500}`, `{001..500}` with leading zeros kept, `{a,b,c}`.
/// Several in one line make every combination, the last one turning fastest; one at a time is made, none are
/// kept. A brace that opens no range is text: so is `{"a":1,"b":2}`, as alternatives hold no quotes, colons,
/// blanks or braces. One thread.
class Ranges final
{
public:
    static constexpr qint64 maxRows = 10'000'000; ///< of one line

    /// Or "reason; mend".
    static tl::expected<Ranges, QString> parse(QByteArrayView line);

    qint64 count() const { return m_count; }
    /// The next line that it stands for; false after the last.
    bool next(QByteArray &line);

private:
    struct Part
    {
        QByteArray literal; ///< what stands before the range
        QVector<QByteArray> words;
        qint64 from = 0; ///< where there are no words
        qint64 size = 0; ///< 0: no range, the end of the line
        int width = 0;
    };
    static tl::expected<Part, QString> partOf(QByteArrayView inner);
    bool advance();

    QVector<Part> m_parts;
    QVector<qint64> m_index;
    qint64 m_count = 1;
    bool m_started = false;
};

} // namespace muster
