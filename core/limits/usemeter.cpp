// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/limits/usemeter.h"

#include <algorithm>

namespace muster {

namespace {
std::size_t binOf(qint64 second, qint64 bins)
{
    return static_cast<std::size_t>((second % bins + bins) % bins);
}
} // namespace

void UseMeter::add(Mono now)
{
    const qint64 second = std::max(secondOf(now), m_second);
    if (second - m_second >= bins)
        m_counts.fill(0);
    for (qint64 s = std::max(m_second, second - bins) + 1; s <= second; ++s)
        m_counts[binOf(s, bins)] = 0;
    m_second = second;
    ++m_counts[binOf(second, bins)];
}

double UseMeter::perSecond(Mono now) const
{
    const qint64 second = std::max(secondOf(now), m_second);
    double sum = 0;
    for (qint64 s = second - bins + 1; s <= m_second; ++s)
        sum += m_counts[binOf(s, bins)];
    const Mono opened(std::chrono::seconds(second - bins + 1));
    const std::chrono::duration<double> span = now - std::max(opened, m_since);
    return sum / std::max(1.0, span.count());
}

bool UseMeter::isQuiet(Mono now) const
{
    return perSecond(now) == 0;
}

} // namespace muster
