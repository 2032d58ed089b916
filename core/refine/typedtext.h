// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <QByteArray>
#include <QLocale>
#include <QString>

namespace muster {

/// A text as a JSON number with its digits kept: "1.10" stays 1.10, with a German locale "1.234,56" is
/// 1234.56; a plus, leading zeros and blanks around are dropped. Nothing where it is no number.
std::optional<QByteArray> numberFromText(const QString &text, const std::optional<QLocale> &locale);

/// A text as ISO 8601 in UTC: ISO 8601 itself, HTTP and mail dates, with a locale its short and long dates. A
/// day without a time stays a day; a time without a zone is taken as UTC.
std::optional<QByteArray> dateFromText(const QString &text, const std::optional<QLocale> &locale);

/// A JSON number as a date: seconds since 1970, or milliseconds from 100,000,000,000 on.
std::optional<QByteArray> dateFromNumber(QByteArrayView digits);

} // namespace muster
