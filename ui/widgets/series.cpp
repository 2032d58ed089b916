// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/series.h"

#include <algorithm>

namespace muster {

void Series::add(Utc at, double value)
{
    const auto secondOf = [](Utc t) { return toMs(t) / 1000; };
    if (!m_points.empty() && at < m_points.back().at)
        m_points.clear(); // the clock was set back: what was drawn has no place any more
    if (!m_points.empty() && secondOf(m_points.back().at) == secondOf(at))
        m_points.back() = {at, value};
    else
        m_points.push_back({at, value});
    while (at - m_points.front().at > kept)
        m_points.pop_front();
}

QVector<Series::Point> Series::since(Utc from, int most) const
{
    const auto begin = std::lower_bound(m_points.begin(), m_points.end(), from,
                                        [](const Point &p, Utc t) { return p.at < t; });
    const auto length = qsizetype(m_points.end() - begin);
    const qsizetype step = std::max<qsizetype>(1, (length + most - 1) / std::max(1, most));
    QVector<Point> points;
    points.reserve(length / step + 1);
    // Counted from the end, so that a scrolling plot does not flicker through different points.
    for (qsizetype i = (length - 1) % step; i < length; i += step)
        points.append(*(begin + i));
    return points;
}

} // namespace muster
