// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <deque>
#include <QHash>
#include <QScrollArea>
#include <QVector>

#include "core/job/snapshot.h"

class QLabel;
class QVBoxLayout;

namespace muster {

class LimiterGauge;

/// One gauge per limiter instance: binding, closed, spent, waiting, draining, free. The order changes at most
/// every 2 s so that the eye can rest; at most three full cards, then "and 4 more hosts". Keeps the levels of
/// the last seconds (draining) and the length of closings (hatched bar), nothing else. GUI thread.
class LimitersPanel final : public QScrollArea
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(LimitersPanel)

public:
    explicit LimitersPanel(QWidget *parent = nullptr);
    void apply(const Snapshot &snapshot);
    QVector<LimiterGauge *> cards() const { return m_order; } ///< shown ones, top to bottom

private:
    struct Level
    {
        Utc at{};
        double tokens = 0;
    };
    struct Entry
    {
        LimiterGauge *card = nullptr;
        std::deque<Level> levels; ///< of the last seconds, oldest first
        Utc closedUntil{};
        Millis closedFor{};
        bool seen = false;
    };

    void update(Entry &entry, const LimiterView &limiter, const Snapshot &snapshot);
    void dropUnseen();
    void arrange(Utc now);
    void rebuild(const QVector<LimiterGauge *> &order);

    QHash<QByteArray, Entry> m_entries; ///< by name and instance
    QVector<LimiterGauge *> m_order;
    QVBoxLayout *m_column = nullptr;
    QLabel *m_more = nullptr;
    QLabel *m_empty = nullptr;
    Utc m_arrangedAt{};
};

} // namespace muster
