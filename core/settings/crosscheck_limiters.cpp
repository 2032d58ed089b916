// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/settings/crosscheck.h"

#include <algorithm>

#include "core/settings/documentwalk.h"
#include "core/settings/rate.h"

namespace muster {

namespace {

struct Paced
{
    const LimiterSettings *limiter;
    QString place;
    double perSecond;
};

void checkLimiter(const LimiterSettings &l, const JsonNode &node, const QString &place, const Settings &s,
                  Findings &findings)
{
    const bool paced = l.rate && parseRate(*l.rate);
    const bool burst = node.find(QStringLiteral("burst")) != nullptr;
    if (l.costColumn.isEmpty() && l.cost > l.burst && (paced || burst))
        findings.error(
            place + QStringLiteral(".cost"),
            QStringLiteral("cost %1 is above burst %2, such a request could never run")
                .arg(l.cost)
                .arg(l.burst),
            QStringLiteral("set burst to at least %1, or cost to at most %2").arg(l.cost).arg(l.burst));
    if (l.match.trimmed().isEmpty())
        findings.error(place + QStringLiteral(".match"),
                       QStringLiteral("it is empty and would match nothing"),
                       QStringLiteral("write \"*\" for all, or leave it out"));
    if (l.match.contains(QLatin1Char('?')))
        findings.error(place + QStringLiteral(".match"),
                       QStringLiteral("the query is not compared, so this would match nothing"),
                       QStringLiteral("leave out what follows the question mark, for example \"%1*\"")
                           .arg(l.match.section(QLatin1Char('?'), 0, 0)));
    if (l.atOnce && *l.atOnce > s.team.memberCap)
        findings.warning(place + QStringLiteral(".atOnce"),
                         QStringLiteral("%1 is above team.memberCap %2, which holds first")
                             .arg(*l.atOnce)
                             .arg(s.team.memberCap),
                         QStringLiteral("raise team.memberCap, or lower it to %1").arg(s.team.memberCap));
    if (burst && l.burst > 1 && !paced)
        findings.warning(place + QStringLiteral(".burst"), QStringLiteral("without a rate it does nothing"),
                         QStringLiteral("add a rate, or leave it out"));
}

/// Several evenly paced buckets of near rates wait for each other's grid and lose some of the rate
/// (reliability TB2); a saved-up token makes up for it.
void checkStacked(const QVector<Paced> &paced, Findings &findings)
{
    constexpr double near = 1.25;
    for (qsizetype i = 1; i < paced.size(); ++i) {
        for (qsizetype j = 0; j < i; ++j) {
            const auto &[l, place, rate] = paced[i];
            const Paced &other = paced[j];
            const bool together = l->match == other.limiter->match || l->match == QLatin1String("*") ||
                                  other.limiter->match == QLatin1String("*");
            if (!together || rate > other.perSecond * near || other.perSecond > rate * near)
                continue;
            findings.warning(place + QStringLiteral(".burst"),
                             QStringLiteral("its rate is near that of %1, and two evenly paced limits on one "
                                            "request lose some of it")
                                 .arg(other.place),
                             QStringLiteral("write 2"));
            break;
        }
    }
}

} // namespace

void checkLimiters(const JsonNode &document, const Settings &settings, Findings &findings)
{
    static const JsonNode none = JsonNode::object();
    const JsonNode *list = document.find(QStringLiteral("limiters"));
    if (list && !list->isList())
        return;
    if (list && list->items.empty())
        findings.warning(QStringLiteral("limiters"), QStringLiteral("an empty list means no limit at all"),
                         QStringLiteral("leave it out for the two default limiters"));
    QVector<Paced> paced;
    for (qsizetype i = 0; i < settings.limiters.size(); ++i) {
        const LimiterSettings &l = settings.limiters[i];
        const auto at = static_cast<std::size_t>(i);
        const JsonNode &node = list ? list->items[at] : none;
        const QString place = QStringLiteral("limiters.") + (list ? itemName(*list, at, "name") : l.name);
        if (!findings.clean(place))
            continue;
        checkLimiter(l, node, place, settings, findings);
        const auto rate = l.rate ? parseRate(*l.rate) : std::nullopt;
        if (rate && l.enabled && l.burst == 1)
            paced.append({&l, place, rate->perSecond()});
    }
    checkStacked(paced, findings);
}

} // namespace muster
