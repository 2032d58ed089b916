// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <QString>
#include <QVector>

#include "core/job/snapshot.h"
#include "ui/text/words.h"

namespace muster {

/// All that one gauge is made from.
struct GaugeInput
{
    LimiterView limiter;
    std::optional<HostView> host; ///< of an instance that is a host, when that is not open
    CrawlState crawl = CrawlState::Idle;
    QString crawlReason;
    Utc asOf{};
    std::optional<double> tokensBefore; ///< the level some seconds ago
    Millis beforeAgo{5000};             ///< how long ago that was
    Millis closedFor{};                 ///< the whole closing, of which a part is left
    bool operator==(const GaugeInput &) const = default;
};

/// One row of the grid: label, bar, value.
struct GaugeRow
{
    enum class Bar : quint8 { Cells, Whole, Thin, Hatch };
    QString label;
    QString value;
    QString note; ///< caption under the row
    Bar bar = Bar::Thin;
    Role fill = Role::BlueFill;
    double share = 0;       ///< filled, 0 to 1
    double shareBefore = 0; ///< the paler part ends here
    int cells = 0;
    bool guilty = false; ///< what the crawl waits for
    bool operator==(const GaugeRow &) const = default;
};

/// What a gauge shows, in words and shares: a pure function of its input, so that every state can be tested
/// without a pixel. look.md 4.
struct GaugeFace
{
    GaugeState state = GaugeState::Free;
    bool binding = false;
    QString name;
    QString instance;
    QString until;    ///< beside the state word: when it lets go
    QString sentence; ///< plain; the lead of a binding one is painted before it
    QString reason;   ///< third line of a compact card; empty: none
    QVector<GaugeRow> rows;
    bool operator==(const GaugeFace &) const = default;

    QString lead() const; ///< "Holds the crawl back." or empty
    QString accessibleName() const;
    /// For the order of cards: binding, closed, spent, waiting, draining, free, paused.
    int rank() const;
};

GaugeFace faceOf(const GaugeInput &input);

} // namespace muster
