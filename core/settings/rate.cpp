// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/settings/rate.h"

#include <array>
#include <limits>
#include <utility>

namespace muster {

namespace {

// 128 bits hold all products below: 15 digits, the 6 places of the other number, nanoseconds of a year.
__extension__ using Wide = __int128;

constexpr qint64 second = 1'000'000'000;
constexpr qint64 year = 365 * 86400 * second;
constexpr qint64 shortest = 1000; // nanoseconds for one grant, at 1,000,000 a second

struct Unit
{
    QStringView name;
    qint64 nanos;
};
constexpr std::array<Unit, 5> rateUnits{{{u"ms", second / 1000},
                                         {u"s", second},
                                         {u"min", 60 * second},
                                         {u"h", 3600 * second},
                                         {u"d", 86400 * second}}};

/// A decimal as digits x 10^-places, at most 9 digits before the point and 6 after.
struct Decimal
{
    Wide digits = 0;
    Wide scale = 1;
};

std::optional<Decimal> takeDecimal(QStringView &text)
{
    Decimal d;
    qsizetype at = 0;
    int before = 0;
    int after = 0;
    bool point = false;
    for (; at < text.size(); ++at) {
        const QChar c = text[at];
        if (c == u'.' && !point) {
            point = true;
            continue;
        }
        if (c < u'0' || c > u'9')
            break;
        if (++(point ? after : before) > (point ? 6 : 9))
            return std::nullopt;
        d.digits = 10 * d.digits + (c.unicode() - u'0');
        if (point)
            d.scale *= 10;
    }
    if (before == 0 || (point && after == 0))
        return std::nullopt;
    text = text.sliced(at).trimmed();
    return d;
}

Wide commonDivisor(Wide a, Wide b)
{
    while (b != 0)
        a = std::exchange(b, a % b);
    return a;
}

std::optional<Rate> refuse(QString *why, const QString &reason)
{
    if (why)
        *why = reason;
    return std::nullopt;
}

QString quoted(const QString &text)
{
    return QStringLiteral("\"%1\"").arg(text.size() > 40 ? text.left(40) + QStringLiteral("...") : text);
}

} // namespace

std::optional<Rate> parseRate(const QString &text, QString *why)
{
    if (why)
        why->clear();
    QStringView rest = QStringView(text).trimmed();
    if (rest == QLatin1String("unlimited"))
        return std::nullopt;
    const QString noRate = quoted(text) + QStringLiteral(" is no rate");
    if (rest.startsWith(u'-'))
        return refuse(why, quoted(text) + QStringLiteral(" is below 0"));
    const auto grants = takeDecimal(rest);
    if (!grants)
        return refuse(why, noRate);
    if (grants->digits == 0)
        return refuse(why, QStringLiteral("0 is not a rate"));
    if (!rest.startsWith(u'/'))
        return refuse(why, noRate + QStringLiteral(": a slash and a time must follow the number"));
    rest = rest.sliced(1).trimmed();
    std::optional<Decimal> span = Decimal{1, 1};
    if (!rest.isEmpty() && (rest[0].isDigit() || rest[0] == u'.' || rest[0] == u'-')) {
        span = takeDecimal(rest);
        if (!span)
            return refuse(why, noRate);
        if (span->digits == 0)
            return refuse(why, noRate + QStringLiteral(": its time is 0"));
    }
    for (const Unit &unit : rateUnits) {
        if (rest != unit.name)
            continue;
        const Wide over = grants->digits * span->scale;
        const Wide nanos = span->digits * unit.nanos * grants->scale;
        if (over * shortest > nanos)
            return refuse(why, quoted(text) + QStringLiteral(" is above 1000000 a second"));
        if (over * year < nanos)
            return refuse(why, quoted(text) + QStringLiteral(" is below 1 a year"));
        const Wide common = commonDivisor(over, nanos);
        if (nanos / common > std::numeric_limits<qint64>::max())
            return refuse(why, quoted(text) + QStringLiteral(" has more digits than can be kept exactly"));
        return Rate{static_cast<qint64>(over / common), static_cast<qint64>(nanos / common)};
    }
    return refuse(why, noRate + QStringLiteral(": ") + quoted(rest.toString()) +
                           QStringLiteral(" is no unit of time"));
}

std::optional<double> parseDuration(const QString &text)
{
    struct Span
    {
        QStringView name;
        double seconds;
    };
    static constexpr std::array<Span, 7> units{
        {{u"", 1}, {u"ms", 0.001}, {u"s", 1}, {u"min", 60}, {u"h", 3600}, {u"d", 86400}, {u"w", 604800}}};
    QStringView rest = QStringView(text).trimmed();
    const auto amount = takeDecimal(rest);
    if (!amount)
        return std::nullopt;
    for (const Span &unit : units) {
        if (rest == unit.name)
            return static_cast<double>(amount->digits) / static_cast<double>(amount->scale) * unit.seconds;
    }
    return std::nullopt;
}

} // namespace muster
