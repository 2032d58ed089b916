// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/text/format.h"

#include <algorithm>
#include <cmath>
#include <QCoreApplication>

namespace muster::format {

namespace {

QString text(const char *source)
{
    return QCoreApplication::translate("muster::format", source);
}

// A blank at which no line breaks, between a number and its unit.
QString withUnit(const QString &number, const QString &unit)
{
    return number + QChar(QChar::Nbsp) + unit;
}

QDateTime local(Utc at)
{
    return QDateTime::fromMSecsSinceEpoch(toMs(at));
}

} // namespace

QLocale locale()
{
    const QLocale own;
    return own.language() == QLocale::C ? QLocale(QLocale::English, QLocale::UnitedKingdom) : own;
}

QString count(qint64 n)
{
    return locale().toString(n);
}

QString shortCount(double n)
{
    if (n >= 9'999'500)
        return number(n / 1e6, 0) + text("M");
    if (n >= 999'500)
        return number(n / 1e6, 1) + text("M");
    if (n >= 9'950)
        return number(n / 1e3, 0) + text("k");
    if (n >= 1'000)
        return number(n / 1e3, std::fmod(n, 1000) == 0 ? 0 : 1) + text("k");
    return number(n, n < 10 && n != std::floor(n) ? 1 : 0);
}

QString number(double n, int decimals)
{
    return locale().toString(n, 'f', decimals);
}

QString level(double n)
{
    const double rounded = std::floor(n * 10 + 1e-6) / 10; // never shows a token that is not there
    return number(rounded, rounded == std::floor(rounded) ? 0 : 1);
}

QString rate(double perSecond)
{
    if (perSecond >= 99.95)
        return number(perSecond, 0);
    return number(perSecond, perSecond >= 0.095 || perSecond == 0 ? 1 : 3);
}

QString percent(double share)
{
    return withUnit(number(share * 100, 1), QStringLiteral("%"));
}

QString took(qint64 ms)
{
    if (ms < 10'000)
        return withUnit(count(ms), text("ms"));
    if (ms < 60'000)
        return withUnit(number(double(ms) / 1000, 1), text("s"));
    return waited(ms);
}

QString waited(qint64 ms)
{
    if (ms < 60'000)
        return withUnit(number(double(ms) / 1000, 1), text("s"));
    const qint64 seconds = ms / 1000;
    if (seconds < 3600)
        return withUnit(count(seconds / 60), text("min")) + u' ' + withUnit(count(seconds % 60), text("s"));
    return withUnit(count(seconds / 3600), text("h")) + u' ' +
           withUnit(count(seconds % 3600 / 60), text("min"));
}

QString secondsLeft(Millis left)
{
    const qint64 ms = std::max<qint64>(0, left.count());
    return ms < 9'001 ? withUnit(count((ms + 999) / 1000), text("s"))
                      : countdown(Millis(std::max<qint64>(ms, 9'950)));
}

QString countdown(Millis left)
{
    const qint64 ms = std::max<qint64>(0, left.count());
    if (ms < 9'950)
        return withUnit(number(double(ms) / 1000, 1), text("s"));
    const qint64 seconds = (ms + 999) / 1000;
    if (seconds < 3600)
        return QStringLiteral("%1:%2").arg(seconds / 60).arg(seconds % 60, 2, 10, QLatin1Char('0'));
    return waited(seconds * 1000);
}

QString bytesPerSecond(double bytes)
{
    return locale().formattedDataSize(qint64(bytes), 1, QLocale::DataSizeSIFormat) + text("/s");
}

QString clock(Utc at)
{
    return local(at).toString(QStringLiteral("HH:mm:ss"));
}

QString clockFrom(Utc at, Utc now)
{
    const QDateTime then = local(at);
    if (then.date() == local(now).date())
        return then.toString(QStringLiteral("HH:mm:ss"));
    return locale().toString(then, QStringLiteral("ddd d MMM, HH:mm"));
}

} // namespace muster::format
