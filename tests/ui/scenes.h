// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>
#include <QVector>

#include "core/job/snapshot.h"
#include "core/view/rowsource.h"

namespace muster::scenes {

inline constexpr qint64 now = 1'764'510'688'000; ///< a Sunday afternoon

inline Snapshot empty()
{
    Snapshot s;
    s.asOf = utcFromMs(now);
    return s;
}

inline LimiterView limiter(const char *name, const char *instance, double tokens, double burst,
                           const char *rate, double perSecond, double used)
{
    LimiterView l;
    l.name = name;
    l.instance = instance;
    l.tokens = tokens;
    l.burst = burst;
    l.rate = rate;
    l.ratePerSecond = perSecond;
    l.usedPerSecond = used;
    return l;
}

inline LimiterView maps(double tokens)
{
    LimiterView l = limiter("maps", "", tokens, 10, "10/s", 10, 9.9);
    l.out = 7;
    l.atOnce = 8;
    l.quotas.append({2500, "1d", 1120, utcFromMs(now + 18LL * 3'600'000)});
    return l;
}

inline HostView closedHost()
{
    HostView h;
    h.host = "geo.example.org";
    h.state = HostState::Closed;
    h.until = utcFromMs(now + 42'000);
    h.reason = QStringLiteral("It answered 429 and asked us to wait 60 s.");
    h.waiting = 3116;
    return h;
}

/// Like the pictures: 40,000 rows of two hosts, one limiter binds.
inline Snapshot running()
{
    Snapshot s = empty();
    s.state = CrawlState::Running;
    s.rows[JobState::Done] = 14'702;
    s.rows[JobState::Failed] = 486;
    s.rows[JobState::Duplicate] = 251;
    s.rows[JobState::Refused] = 31;
    s.rows[JobState::InFlight] = 7;
    s.rows[JobState::Queued] = 24'523;
    s.rows.waiting = 96;
    s.rows.imported = 40'000;
    s.members = 1988;
    s.inFlight = 7;
    s.requestsPerSecond = 9.9;
    s.bytesPerSecond = 212'000;
    LimiterView binding = maps(0.4);
    binding.waiting = 1988;
    binding.nextGrant = utcFromMs(now + 60);
    binding.binding = true;
    s.limiters = {binding, limiter("each-host", "geo.example.org", 20, 20, "20/s", 20, 0),
                  limiter("each-host", "maps.example.com", 14, 20, "20/s", 20, 9.9)};
    LimiterView everything;
    everything.name = "everything";
    everything.out = 7;
    everything.atOnce = 64;
    s.limiters.append(everything);
    HostView open;
    open.host = "maps.example.com";
    open.waiting = 1988;
    open.inFlight = 7;
    s.hosts = {closedHost(), open};
    s.failures = {{FailureKind::ErrorRule, "maps.example.com", 200, 212},
                  {FailureKind::Http5xx, "geo.example.org", 503, 118},
                  {FailureKind::FirstByteTimeout, "maps.example.com", 0, 74},
                  {FailureKind::Refine, "maps.example.com", 200, 41},
                  {FailureKind::Http4xx, "maps.example.com", 400, 22},
                  {FailureKind::ConnectTimeout, "geo.example.org", 0, 11},
                  {FailureKind::Tls, "geo.example.org", 0, 5},
                  {FailureKind::Dns, "geo.example.org", 0, 3}};
    return s;
}

inline RowLine line(qint64 row)
{
    static const char *const places[] = {
        "Lindenstr. 14, Köln",        "Rue de Rivoli 88, Paris",  "Bağdat Cad. 212, İstanbul",
        "Kärntner Str. 7, Wien",      "Via Torino 45, Milano",    "Gran Vía 31, Madrid",
        "Hauptstr. 3, Freiburg",      "Am Markt 9, Bremen",       "Lange Str. 60, Rostock",
        "Königsallee 27, Düsseldorf", "Mönckebergstr. 5, Hamburg"};
    RowLine l;
    l.row = row;
    l.host = "maps.example.com";
    l.request = QString::fromUtf8(places[row % 11]);
    l.url = "https://maps.example.com/geocode/json?address=" + l.request.toUtf8().toPercentEncoding();
    l.state = JobState::Done;
    l.code = 200;
    l.attempts = 1;
    l.tookMs = 80 + row * 37 % 60;
    l.waitedMs = 900 + row * 131 % 1000;
    if (row % 11 == 4) {
        l.state = JobState::Failed;
        l.kind = FailureKind::ErrorRule;
    } else if (row % 11 == 8) {
        l.state = JobState::Queued;
        l.notBefore = utcFromMs(now + 8'000);
        l.code = 503;
        l.tookMs = 398;
    } else if (row % 11 == 10) {
        l.state = JobState::InFlight;
        l.code = 0;
        l.tookMs = -1;
    }
    return l;
}

/// Rows made on demand; answers come from the event loop, as a store's do. Counts what it is asked.
class Rows final : public RowSource
{
public:
    explicit Rows(qint64 rows, QObject *parent = nullptr)
        : RowSource(parent)
        , m_rows(rows)
    {}

    void setFilter(const QString &selector, quint64 generation) override
    {
        filters.append(selector);
        m_generation = generation;
        if (selector.contains(QLatin1String("wrong")))
            later([this, generation] {
                Q_EMIT failed(generation, QStringLiteral("wrong: is no key of a selector"));
            });
        else
            recount();
    }
    void recount() override
    {
        ++counts;
        later([this, g = m_generation] { Q_EMIT counted(g, m_rows); });
    }
    void requestPage(qint64 page) override
    {
        pages.append(page);
        later([this, page, g = m_generation] {
            QVector<RowLine> lines;
            for (qint64 i = page * pageRows; i < std::min(m_rows, (page + 1) * pageRows); ++i)
                lines.append(line(first + i));
            for (RowLine &l : lines)
                if (l.row == changedRow)
                    l.state = JobState::Skipped;
            Q_EMIT pageReady(g, page, lines);
        });
    }
    void setRows(qint64 rows) { m_rows = rows; }

    QStringList filters;
    QVector<qint64> pages;
    int counts = 0;
    qint64 first = 1; ///< number of the first row
    qint64 changedRow = 0;

private:
    template <typename F>
    void later(F f)
    {
        QTimer::singleShot(0, this, f);
    }

    qint64 m_rows;
    quint64 m_generation = 0;
};

} // namespace muster::scenes
