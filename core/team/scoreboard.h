// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <QHash>

#include "core/job/snapshot.h"
#include "core/store/jobstore.h"

namespace muster {

/// Events a second over the last five whole seconds.
class RateMeter final
{
public:
    void add(qint64 amount, Mono now);
    double perSecond(Mono now) const;

private:
    static constexpr int kept = 6;
    std::array<qint64, kept> m_amount{};
    std::array<qint64, kept> m_second{};
};

/// What a snapshot tells about the run so far: rates, failures by group, waits, rows that changed. Engine
/// thread, owned by Overwatch.
class Scoreboard final
{
public:
    void sent(int requests, Mono now) { m_requests.add(requests, now); }
    void received(qint64 bytes, Mono now) { m_bytes.add(bytes, now); }
    void retired(const Retired &retired);
    void fill(Snapshot &snapshot, Mono now) const;
    void clearChanged() { m_changed.clear(); }

private:
    using Group = std::pair<QByteArray, quint32>; ///< host; kind and code

    RateMeter m_requests;
    RateMeter m_bytes;
    QHash<Group, qint64> m_failures;
    QVector<qint64> m_changed;
    Waits m_waits;
};

} // namespace muster
