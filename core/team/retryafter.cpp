// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/team/retryafter.h"

#include <algorithm>
#include <array>
#include <QRegularExpression>

namespace muster {

namespace {

constexpr Millis longest{10LL * 365 * 86'400'000};

int monthOf(QStringView name)
{
    static constexpr std::array<QLatin1String, 12> names{
        QLatin1String("Jan"), QLatin1String("Feb"), QLatin1String("Mar"), QLatin1String("Apr"),
        QLatin1String("May"), QLatin1String("Jun"), QLatin1String("Jul"), QLatin1String("Aug"),
        QLatin1String("Sep"), QLatin1String("Oct"), QLatin1String("Nov"), QLatin1String("Dec")};
    const auto it = std::find(names.begin(), names.end(), name);
    return it == names.end() ? 0 : static_cast<int>(it - names.begin()) + 1;
}

/// RFC 9110: two digits that seem more than 50 years ahead mean the century before.
int fullYear(int year, qsizetype digits, Utc now)
{
    if (digits != 2)
        return year;
    const int thisYear = QDateTime::fromMSecsSinceEpoch(toMs(now), Qt::UTC).date().year();
    const int guess = thisYear / 100 * 100 + year;
    return guess > thisYear + 50 ? guess - 100 : guess;
}

/// Digits only. Values beyond any calendar are cut, so nothing overflows further on.
std::optional<Millis> parseSeconds(const QByteArray &text)
{
    if (text.isEmpty() || !std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; }))
        return std::nullopt;
    bool ok = false;
    const qlonglong seconds = text.toLongLong(&ok);
    const qlonglong most = std::chrono::duration_cast<std::chrono::seconds>(longest).count();
    return Millis((ok ? std::min(seconds, most) : most) * 1000);
}

/// The dates of one header hold a comma after the weekday, so splitting at ", " needs a second look.
QVector<QByteArray> valuesOf(const QByteArray &joined)
{
    QVector<QByteArray> out;
    for (const QByteArray &part : joined.split(',')) {
        const QByteArray text = part.trimmed();
        const bool dayName = !out.isEmpty() && out.last().size() >= 3 && out.last().size() <= 9 &&
                             std::all_of(out.last().begin(), out.last().end(),
                                         [](char c) { return (c | 0x20) >= 'a' && (c | 0x20) <= 'z'; });
        if (dayName)
            out.last() += ", " + text;
        else
            out.append(text);
    }
    return out;
}

} // namespace

std::optional<Utc> parseHttpDate(QByteArrayView text, Utc now)
{
    static const QRegularExpression imfOr850(
        QStringLiteral("^[A-Za-z]{3,9}, (\\d\\d)[ -]([A-Z][a-z]{2})[ -](\\d{4}|\\d\\d) "
                       "(\\d\\d):(\\d\\d):(\\d\\d) GMT$"));
    static const QRegularExpression asctime(
        QStringLiteral("^[A-Z][a-z]{2} ([A-Z][a-z]{2}) ([ \\d]\\d) (\\d\\d):(\\d\\d):(\\d\\d) (\\d{4})$"));
    const QString line = QString::fromLatin1(text.data(), text.size());
    QDate date;
    QTime time;
    if (const auto m = imfOr850.match(line); m.hasMatch()) {
        date = QDate(fullYear(m.captured(3).toInt(), m.capturedLength(3), now), monthOf(m.capturedView(2)),
                     m.captured(1).toInt());
        time = QTime(m.captured(4).toInt(), m.captured(5).toInt(), m.captured(6).toInt());
    } else if (const auto a = asctime.match(line); a.hasMatch()) {
        date = QDate(a.captured(6).toInt(), monthOf(a.capturedView(1)), a.capturedView(2).trimmed().toInt());
        time = QTime(a.captured(3).toInt(), a.captured(4).toInt(), a.captured(5).toInt());
    }
    if (!date.isValid() || !time.isValid())
        return std::nullopt;
    return utcFromMs(QDateTime(date, time, Qt::UTC).toMSecsSinceEpoch());
}

std::optional<Millis> parseRetryAfter(const QByteArray &values, const QByteArray &serverDate, Utc now)
{
    std::optional<Millis> wait;
    for (const QByteArray &value : valuesOf(values)) {
        std::optional<Millis> one = parseSeconds(value);
        if (!one)
            if (const std::optional<Utc> date = parseHttpDate(value, now))
                one = *date - parseHttpDate(serverDate, now).value_or(now);
        if (one)
            wait = std::max(wait.value_or(Millis(0)), std::clamp(*one, Millis(1000), longest));
    }
    return wait;
}

} // namespace muster
