// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <QLocale>
#include <QString>

#include "core/job/moment.h"

namespace muster {

/// Numbers and times as people read them, in the person's locale. Only for the window: files never use it.
namespace format {

/// The default locale; the C locale groups no digits, so English stands in for it.
QLocale locale();
QString count(qint64 n);                ///< 40,000
QString shortCount(double n);           ///< 24k, 1.2M: plot axes
QString number(double n, int decimals); ///< 0.4
QString level(double n);                ///< one decimal, none where it is whole: 0.4, 10
QString rate(double perSecond);         ///< 9.9, 120, 0.05: three figures at most
QString percent(double share);          ///< 3.2 % of a share of 1
QString took(qint64 ms);                ///< 80 ms, 12.4 s, 3 min 5 s
QString waited(qint64 ms);              ///< 0.9 s
QString secondsLeft(Millis left);       ///< 8 s below 10 s, 0:42, 18 h 27 min: for rows
QString countdown(Millis left);         ///< 0.1 s below 10 s, 0:42 under an hour, 18 h 27 min above
QString bytesPerSecond(double bytes);   ///< 1.2 MB/s
QString clock(Utc at);                  ///< 14:32:10, local time
QString clockFrom(Utc at, Utc now);     ///< with the day where it is not today's: Wed 9 Dec, 09:01

} // namespace format

} // namespace muster
