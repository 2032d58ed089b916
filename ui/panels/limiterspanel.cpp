// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/limiterspanel.h"

#include <algorithm>
#include <QLabel>
#include <QVBoxLayout>

#include "ui/style/type.h"
#include "ui/widgets/limitergauge.h"

namespace muster {

namespace {

constexpr Millis orderRest{2000};
constexpr Millis memory{5000};
constexpr int mostFull = 3;

QByteArray keyOf(const LimiterView &limiter)
{
    return limiter.name + '\n' + limiter.instance;
}

bool before(const LimiterGauge *a, const LimiterGauge *b)
{
    return a->face().rank() < b->face().rank();
}

} // namespace

LimitersPanel::LimitersPanel(QWidget *parent)
    : QScrollArea(parent)
    , m_more(new QLabel(this))
    , m_empty(new QLabel(this))
{
    setFrameShape(QFrame::NoFrame);
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::NoFocus); // the cards take it
    setAccessibleName(tr("Limiters"));
    auto *content = new QWidget(this);
    m_column = new QVBoxLayout(content);
    m_column->setContentsMargins(12, 2, 8, 8);
    m_column->setSpacing(5);
    m_more->setFont(type::small(font()));
    m_more->setForegroundRole(QPalette::PlaceholderText);
    m_more->hide();
    m_empty->setText(
        tr("No limit is set, or nothing has asked one yet. Gauges appear with the first request."));
    m_empty->setFont(type::small(font()));
    m_empty->setForegroundRole(QPalette::PlaceholderText);
    m_empty->setWordWrap(true);
    m_empty->setContentsMargins(4, 4, 4, 0);
    m_column->addWidget(m_empty);
    m_column->addWidget(m_more);
    m_column->addStretch(1);
    setWidget(content);
}

void LimitersPanel::apply(const Snapshot &snapshot)
{
    for (Entry &entry : m_entries)
        entry.seen = false;
    bool fresh = false;
    for (const LimiterView &limiter : snapshot.limiters) {
        Entry &entry = m_entries[keyOf(limiter)];
        fresh |= entry.card == nullptr;
        update(entry, limiter, snapshot);
    }
    const qsizetype known = m_entries.size();
    dropUnseen();
    fresh |= known != m_entries.size();
    if (fresh || snapshot.asOf - m_arrangedAt >= orderRest)
        arrange(snapshot.asOf);
    m_empty->setVisible(m_entries.isEmpty());
}

void LimitersPanel::update(Entry &entry, const LimiterView &limiter, const Snapshot &snapshot)
{
    entry.seen = true;
    if (!entry.card) {
        entry.card = new LimiterGauge(widget());
        entry.card->hide();
    }
    GaugeInput in;
    in.limiter = limiter;
    in.crawl = snapshot.state;
    in.crawlReason = snapshot.reason;
    in.asOf = snapshot.asOf;
    if (limiter.tokens) {
        if (!entry.levels.empty()) {
            in.tokensBefore = entry.levels.front().tokens;
            in.beforeAgo = std::max(Millis(250), Millis(snapshot.asOf - entry.levels.front().at));
        }
        entry.levels.push_back({snapshot.asOf, *limiter.tokens});
        while (snapshot.asOf - entry.levels.front().at > memory)
            entry.levels.pop_front();
    }
    const auto host = std::find_if(snapshot.hosts.begin(), snapshot.hosts.end(), [&](const HostView &h) {
        return h.host == limiter.instance && h.state != HostState::Open;
    });
    if (host != snapshot.hosts.end() && !limiter.instance.isEmpty()) {
        in.host = *host;
        if (host->until && *host->until != entry.closedUntil) {
            entry.closedUntil = *host->until;
            entry.closedFor = *host->until - snapshot.asOf;
        }
        in.closedFor = entry.closedFor;
    }
    entry.card->set(faceOf(in), entry.card->cardSize());
}

void LimitersPanel::dropUnseen()
{
    for (auto it = m_entries.begin(); it != m_entries.end();) {
        if (it->seen) {
            ++it;
            continue;
        }
        m_order.removeOne(it->card);
        it->card->deleteLater();
        it = m_entries.erase(it);
    }
}

void LimitersPanel::arrange(Utc now)
{
    m_arrangedAt = now;
    QVector<LimiterGauge *> order = m_order;
    for (const Entry &entry : std::as_const(m_entries))
        if (!order.contains(entry.card))
            order.append(entry.card);
    // Equal ranks keep their places; new ones come by name.
    std::stable_sort(order.begin() + m_order.size(), order.end(),
                     [](const LimiterGauge *a, const LimiterGauge *b) {
                         return std::pair(a->face().name, a->face().instance) <
                                std::pair(b->face().name, b->face().instance);
                     });
    std::stable_sort(order.begin(), order.end(), before);
    int binding = 0;
    for (LimiterGauge *card : std::as_const(order)) {
        binding += card->face().binding ? 1 : 0;
        card->set(card->face(),
                  card->face().binding ? LimiterGauge::Size::Full : LimiterGauge::Size::Compact);
        card->setVisible(!card->face().binding || binding <= mostFull);
    }
    const int more = binding - mostFull;
    m_more->setVisible(more > 0);
    if (more > 0)
        m_more->setText(more == 1 ? tr("and 1 more that holds the crawl back")
                                  : tr("and %1 more that hold the crawl back").arg(more));
    if (order != m_order)
        rebuild(order);
}

void LimitersPanel::rebuild(const QVector<LimiterGauge *> &order)
{
    for (LimiterGauge *card : std::as_const(m_order))
        m_column->removeWidget(card);
    m_column->removeWidget(m_more);
    int at = 1; // after the empty text
    int binding = 0;
    for (LimiterGauge *card : order) {
        m_column->insertWidget(at++, card);
        binding += card->face().binding ? 1 : 0;
    }
    m_column->insertWidget(1 + binding, m_more);
    m_order = order;
    for (qsizetype i = 1; i < order.size(); ++i)
        setTabOrder(order[i - 1], order[i]);
}

} // namespace muster
