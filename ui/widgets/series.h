// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <deque>
#include <QVector>

#include "core/job/moment.h"

namespace muster {

/// Values over the last hour, at most one point a second (the last of each second counts). A value of one
/// panel.
class Series final
{
public:
    struct Point
    {
        Utc at{};
        double value = 0;
    };
    static constexpr Millis kept{3'600'000};

    void add(Utc at, double value);
    void clear() { m_points.clear(); }
    qsizetype size() const { return qsizetype(m_points.size()); }
    /// Points since `from`, thinned to at most `most`, the newest always among them.
    QVector<Point> since(Utc from, int most) const;

private:
    std::deque<Point> m_points;
};

} // namespace muster
