// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/net/retryafter.h"

#include <algorithm>
#include <array>
#include <QByteArrayList>
#include <QDate>
#include <QDateTime>
#include <QTime>
#include <QTimeZone>

namespace muster {

namespace {

constexpr Millis longest = std::chrono::hours(24 * 3650);
constexpr Millis shortest = std::chrono::seconds(1);
constexpr std::array<const char *, 12> months{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                              "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

bool isDigits(const QByteArray &text)
{
    return !text.isEmpty() &&
           std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

int number(const QByteArray &text)
{
    return isDigits(text) && text.size() <= 4 ? text.toInt() : -1;
}

int monthOf(const QByteArray &name)
{
    const auto it = std::find_if(months.begin(), months.end(), [&](const char *m) { return name == m; });
    return it == months.end() ? 0 : static_cast<int>(it - months.begin()) + 1;
}

bool isDayName(const QByteArray &text)
{
    static constexpr std::array<const char *, 7> days{"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"};
    return text.size() >= 3 &&
           std::any_of(days.begin(), days.end(), [&](const char *d) { return text.startsWith(d); });
}

std::optional<Utc> made(int year, int month, int day, const QByteArray &clock)
{
    const QByteArrayList parts = clock.split(':');
    if (parts.size() != 3)
        return std::nullopt;
    const QDate date(year, month, day);
    // A leap second is a legal :60.
    const QTime time(number(parts[0]), number(parts[1]), std::min(number(parts[2]), 59));
    if (!date.isValid() || !time.isValid())
        return std::nullopt;
    return utcFromMs(QDateTime(date, time, Qt::UTC).toMSecsSinceEpoch());
}

// The list's commas and those inside the dates: a piece that is a day name belongs to the next one.
QByteArrayList pieces(const QByteArray &values)
{
    QByteArrayList out;
    QByteArray held;
    for (const QByteArray &raw : values.split(',')) {
        const QByteArray piece = raw.trimmed();
        if (isDayName(piece) && !piece.contains(' ')) {
            held = piece;
            continue;
        }
        out.append(held.isEmpty() ? piece : held + ", " + piece);
        held.clear();
    }
    return out;
}

} // namespace

std::optional<Utc> parseHttpDate(const QByteArray &text, Utc now)
{
    const QByteArrayList words = text.simplified().split(' ');
    if (words.isEmpty() || !isDayName(words[0]))
        return std::nullopt;
    if (words.size() == 6 && words[0].endsWith(',') && words[5] == "GMT") // Sun, 06 Nov 1994 08:49:37 GMT
        return made(number(words[3]), monthOf(words[2]), number(words[1]), words[4]);
    if (words.size() == 5 && !words[0].endsWith(',')) // Sun Nov  6 08:49:37 1994
        return made(number(words[4]), monthOf(words[1]), number(words[2]), words[3]);
    if (words.size() != 4 || words[3] != "GMT") // Sunday, 06-Nov-94 08:49:37 GMT
        return std::nullopt;
    const QByteArrayList date = words[1].split('-');
    if (date.size() != 3 || date[2].size() != 2 || number(date[2]) < 0)
        return std::nullopt;
    const int thisYear = QDateTime::fromMSecsSinceEpoch(toMs(now), Qt::UTC).date().year();
    int year = thisYear / 100 * 100 + number(date[2]);
    if (year > thisYear + 50)
        year -= 100;
    return made(year, monthOf(date[1]), number(date[0]), words[2]);
}

std::optional<Millis> retryAfterDelay(const QByteArray &values, const QByteArray &date, Utc now)
{
    std::optional<Millis> delay;
    const auto take = [&delay](Millis d) {
        delay = std::max(delay.value_or(shortest), std::clamp(d, shortest, longest));
    };
    const Utc from = parseHttpDate(date, now).value_or(now);
    for (const QByteArray &piece : pieces(values)) {
        if (isDigits(piece)) {
            bool fits = false;
            const qint64 seconds = piece.toLongLong(&fits);
            const qint64 most = std::chrono::duration_cast<std::chrono::seconds>(longest).count();
            take(fits ? Millis(std::chrono::seconds(std::min(seconds, most))) : longest);
        } else if (const auto until = parseHttpDate(piece, now)) {
            take(*until - from);
        }
    }
    return delay;
}

} // namespace muster
