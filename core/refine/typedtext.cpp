// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/refine/typedtext.h"

#include <cmath>
#include <QDateTime>
#include <QRegularExpression>

namespace muster {

namespace {

/// Local digits, group and decimal signs as JSON writes them.
QString delocalised(const QString &text, const QLocale &locale)
{
    static constexpr char16_t blanks[] = {u' ', u'\u00A0', u'\u202F', u'\u2009'};
    const QString group = locale.groupSeparator();
    const QString decimal = locale.decimalPoint();
    const auto isBlank = [](QChar c) {
        return std::find(std::begin(blanks), std::end(blanks), c) != std::end(blanks);
    };
    // Languages that group by a narrow no-break space are typed with any blank.
    const bool blankGroups = group.size() == 1 && isBlank(group[0]);
    const qsizetype fraction = text.indexOf(decimal);
    QString out;
    for (qsizetype i = 0; i < text.size(); ++i) {
        const QChar c = text[i];
        const bool grouping = QString(c) == group || (blankGroups && isBlank(c));
        const bool between = i > 0 && text[i - 1].isDigit() && i + 3 < text.size() && text[i + 1].isDigit();
        if (grouping && between && (fraction < 0 || i < fraction))
            continue;
        if (i == fraction)
            out += QLatin1Char('.');
        else if (c == QLatin1Char('.'))
            return {}; // the decimal sign of another language
        else if (c.digitValue() >= 0)
            out += QLatin1Char(char('0' + c.digitValue()));
        else
            out += c == QChar(0x2212) ? QLatin1Char('-') : c;
    }
    return out;
}

QByteArray iso(const QDateTime &time)
{
    const QDateTime utc = time.toUTC();
    return utc.toString(utc.time().msec() ? Qt::ISODateWithMs : Qt::ISODate).toLatin1();
}

std::optional<QByteArray> isoDay(const QDate &day)
{
    return day.isValid() ? std::optional(day.toString(Qt::ISODate).toLatin1()) : std::nullopt;
}

std::optional<QByteArray> localDate(const QString &text, const QLocale &locale)
{
    // The short form as people type it: no leading zeros needed, the year with four digits.
    QString brief = locale.dateFormat(QLocale::ShortFormat);
    brief.replace(QLatin1String("dd"), QLatin1String("d")).replace(QLatin1String("MM"), QLatin1String("M"));
    if (!brief.contains(QLatin1String("yyyy")))
        brief.replace(QLatin1String("yy"), QLatin1String("yyyy"));
    for (const QString &format :
         {brief, locale.dateFormat(QLocale::LongFormat), QStringLiteral("d MMMM yyyy")})
        if (const auto day = isoDay(locale.toDate(text, format)))
            return day;
    return std::nullopt;
}

} // namespace

std::optional<QByteArray> numberFromText(const QString &text, const std::optional<QLocale> &locale)
{
    const QString plain = locale ? delocalised(text.trimmed(), *locale) : text.trimmed();
    static const QRegularExpression form(
        QStringLiteral("\\A([+-]?)([0-9]*)(?:\\.([0-9]*))?([eE][+-]?[0-9]+)?\\z"));
    const QRegularExpressionMatch match = form.match(plain);
    if (!match.hasMatch() || (match.capturedLength(2) == 0 && match.capturedLength(3) <= 0))
        return std::nullopt;
    QByteArray whole = match.captured(2).toLatin1();
    while (whole.size() > 1 && whole.startsWith('0'))
        whole.remove(0, 1);
    QByteArray out = match.captured(1) == QLatin1String("-") ? "-" : "";
    out += whole.isEmpty() ? QByteArray("0") : whole;
    if (match.capturedLength(3) > 0)
        out += '.' + match.captured(3).toLatin1();
    return out + match.captured(4).toLatin1();
}

std::optional<QByteArray> dateFromText(const QString &text, const std::optional<QLocale> &locale)
{
    QString plain = text.trimmed();
    if (plain.size() == 10)
        if (const auto day = isoDay(QDate::fromString(plain, Qt::ISODate)))
            return day;
    if (locale)
        if (const auto day = localDate(plain, *locale))
            return day;
    if (QDateTime time = QDateTime::fromString(plain, Qt::ISODateWithMs); time.isValid()) {
        if (time.timeSpec() == Qt::LocalTime)
            time.setTimeSpec(Qt::UTC);
        return iso(time);
    }
    for (const QLatin1String zone : {QLatin1String(" GMT"), QLatin1String(" UTC"), QLatin1String(" Z")})
        if (plain.endsWith(zone))
            plain = plain.chopped(zone.size()) % QStringLiteral(" +0000");
    const QDateTime time = QDateTime::fromString(plain, Qt::RFC2822Date);
    return time.isValid() ? std::optional(iso(time)) : std::nullopt;
}

std::optional<QByteArray> dateFromNumber(QByteArrayView digits)
{
    const double value = digits.toByteArray().toDouble();
    const double ms = std::abs(value) >= 1e11 ? value : value * 1000;
    // The years that ISO 8601 writes with four digits.
    if (!(ms > -62'135'596'800'000.0 && ms < 253'402'300'800'000.0))
        return std::nullopt;
    return iso(QDateTime::fromMSecsSinceEpoch(qint64(std::llround(ms)), Qt::UTC));
}

} // namespace muster
