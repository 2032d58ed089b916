// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/practice/practicedata.h"

#include <algorithm>

namespace muster::practice {

const QVector<City> &cities()
{
    static const QVector<City> all{
        {"Köln", "DE", 50.9375, 6.9603},       {"Paris", "FR", 48.8566, 2.3522},
        {"İstanbul", "TR", 41.0082, 28.9784},  {"Wien", "AT", 48.2082, 16.3738},
        {"Milano", "IT", 45.4642, 9.19},       {"Madrid", "ES", 40.4168, -3.7038},
        {"Freiburg", "DE", 47.999, 7.8421},    {"Bremen", "DE", 53.0793, 8.8017},
        {"Rostock", "DE", 54.0924, 12.0991},   {"Düsseldorf", "DE", 51.2277, 6.7735},
        {"Nürnberg", "DE", 49.4521, 11.0767},  {"Berlin", "DE", 52.52, 13.405},
        {"Hamburg", "DE", 53.5511, 9.9937},    {"Ankara", "TR", 39.9334, 32.8597},
        {"Lyon", "FR", 45.764, 4.8357},        {"Porto", "PT", 41.1579, -8.6291},
        {"Lisboa", "PT", 38.7223, -9.1393},    {"Kraków", "PL", 50.0647, 19.945},
        {"Warszawa", "PL", 52.2297, 21.0122},  {"Praha", "CZ", 50.0755, 14.4378},
        {"Brno", "CZ", 49.1951, 16.6068},      {"København", "DK", 55.6761, 12.5683},
        {"Malmö", "SE", 55.605, 13.0038},      {"Oslo", "NO", 59.9139, 10.7522},
        {"Tromsø", "NO", 69.6492, 18.9553},    {"Helsinki", "FI", 60.1699, 24.9384},
        {"Tallinn", "EE", 59.437, 24.7536},    {"Rīga", "LV", 56.9496, 24.1052},
        {"Vilnius", "LT", 54.6872, 25.2797},   {"Dublin", "IE", 53.3498, -6.2603},
        {"Bruxelles", "BE", 50.8503, 4.3517},  {"Zürich", "CH", 47.3769, 8.5417},
        {"Genève", "CH", 46.2044, 6.1432},     {"Athína", "GR", 37.9838, 23.7275},
        {"Sofia", "BG", 42.6977, 23.3219},     {"București", "RO", 44.4268, 26.1025},
        {"Budapest", "HU", 47.4979, 19.0402},  {"Zagreb", "HR", 45.815, 15.9819},
        {"Ljubljana", "SI", 46.0569, 14.5058}, {"Reykjavík", "IS", 64.1466, -21.9426},
    };
    return all;
}

const QVector<Currency> &currencies()
{
    static const QVector<Currency> all{
        {"USD", 1.0843}, {"GBP", 0.8561}, {"CHF", 0.9612}, {"JPY", 162.15}, {"SEK", 11.247}, {"NOK", 11.481},
        {"DKK", 7.4588}, {"PLN", 4.3012}, {"CZK", 24.715}, {"HUF", 389.6},  {"RON", 4.9745}, {"BGN", 1.9558},
        {"TRY", 35.102}, {"ISK", 149.3},  {"CAD", 1.4721}, {"AUD", 1.6588}, {"NZD", 1.7853}, {"SGD", 1.4602},
        {"HKD", 8.4762}, {"CNY", 7.8015}, {"KRW", 1448.2}, {"INR", 90.12},  {"BRL", 5.4123}, {"MXN", 18.456},
        {"ZAR", 20.312}, {"ILS", 4.0231}, {"THB", 39.41},  {"PHP", 61.02},  {"MYR", 5.1243}, {"IDR", 17021.5},
    };
    return all;
}

std::optional<City> cityCalled(const QByteArray &name)
{
    const auto it =
        std::find_if(cities().begin(), cities().end(), [&](const City &c) { return name == c.name; });
    return it == cities().end() ? std::nullopt : std::optional(*it);
}

std::optional<Currency> currencyCalled(const QByteArray &code)
{
    const auto it = std::find_if(currencies().begin(), currencies().end(),
                                 [&](const Currency &c) { return code == c.code; });
    return it == currencies().end() ? std::nullopt : std::optional(*it);
}

} // namespace muster::practice
