// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <QByteArray>
#include <QVector>

namespace muster::practice {

/// What the practice service knows: a few dozen cities and currencies. Fixed, so that every run of the
/// practice crawl gives the same CSV.
struct City
{
    const char *name; ///< UTF-8
    const char *country;
    double lat, lng;
};
struct Currency
{
    const char *code;
    double perEuro; ///< invented, plausible
};

const QVector<City> &cities();
const QVector<Currency> &currencies();
std::optional<City> cityCalled(const QByteArray &name);
std::optional<Currency> currencyCalled(const QByteArray &code);

} // namespace muster::practice
