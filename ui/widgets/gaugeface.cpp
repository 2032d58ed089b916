// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/gaugeface.h"

#include <algorithm>
#include <QCoreApplication>

#include "ui/text/format.h"

namespace muster {

namespace {

constexpr int mostCells = 20;

class Gauge
{
    Q_DECLARE_TR_FUNCTIONS(muster::LimiterGauge)
public:
    explicit Gauge(const GaugeInput &in)
        : m_in(in)
        , m_l(in.limiter)
    {}

    GaugeFace face() const
    {
        GaugeFace f;
        f.state = state();
        f.binding = m_l.binding;
        f.name = QString::fromUtf8(m_l.name);
        f.instance = QString::fromUtf8(m_l.instance);
        f.until = until(f.state);
        f.sentence = sentence(f.state);
        if (isHostStopped(f.state))
            f.reason = hostReason();
        addRows(f);
        return f;
    }
    static QString lead() { return tr("Holds the crawl back."); }
    static QString leadForEars() { return tr("holds the crawl back"); }
    static QString tokensForEars(const QString &value) { return tr("%1 tokens").arg(value); }
    static QString outForEars(const QString &value) { return tr("%1 out").arg(value); }

private:
    static bool isHostStopped(GaugeState s)
    {
        return s == GaugeState::Closed || s == GaugeState::Held || s == GaugeState::Parked;
    }
    static QString ofWhole(const QString &part, const QString &whole)
    {
        return tr("%1 of %2", "part of a whole").arg(part, whole);
    }

    const QuotaView *spent() const
    {
        const auto it = std::find_if(m_l.quotas.begin(), m_l.quotas.end(),
                                     [](const QuotaView &q) { return q.limit > 0 && q.used >= q.limit; });
        return it == m_l.quotas.end() ? nullptr : &*it;
    }
    bool full() const { return m_l.atOnce && m_l.out >= *m_l.atOnce; }
    double fall() const { return m_in.tokensBefore && m_l.tokens ? *m_in.tokensBefore - *m_l.tokens : 0; }

    GaugeState state() const
    {
        if (m_in.host && m_in.host->state != HostState::Open)
            return m_in.host->state == HostState::Closed
                       ? GaugeState::Closed
                       : (m_in.host->state == HostState::Held ? GaugeState::Held : GaugeState::Parked);
        if (m_in.crawl == CrawlState::Paused)
            return GaugeState::Paused;
        if (spent())
            return GaugeState::QuotaSpent;
        if (m_l.waiting > 0)
            return GaugeState::Waiting;
        return fall() >= std::max(0.5, m_l.burst * 0.05) ? GaugeState::Draining : GaugeState::Free;
    }

    QString until(GaugeState s) const
    {
        if (isHostStopped(s))
            return m_in.host->until ? format::countdown(*m_in.host->until - m_in.asOf) : QString();
        if (s == GaugeState::QuotaSpent)
            return spent()->resetsAt ? format::countdown(*spent()->resetsAt - m_in.asOf) : QString();
        if (s == GaugeState::Waiting)
            return m_l.nextGrant ? format::countdown(*m_l.nextGrant - m_in.asOf) : QString();
        if (s == GaugeState::Draining) {
            const double seconds = *m_l.tokens * double(m_in.beforeAgo.count()) / 1000 / fall();
            return seconds < 600 ? format::number(std::max(1.0, seconds), 0) + QChar(QChar::Nbsp) + tr("s")
                                 : QString();
        }
        return {};
    }

    QString hostReason() const
    {
        if (!m_in.host->reason.isEmpty())
            return m_in.host->reason;
        switch (m_in.host->state) {
        case HostState::Held:
            return tr("The host is held.");
        case HostState::Parked:
            return tr("This run gives the host up; its jobs stay queued.");
        default:
            return tr("The host asked us to wait.");
        }
    }

    // "10 go out each second": what the rate means, in words.
    QString pace() const
    {
        if (!m_l.ratePerSecond || *m_l.ratePerSecond <= 0)
            return {};
        const double r = *m_l.ratePerSecond;
        if (r >= 2)
            return tr("%1 go out each second.").arg(format::level(r));
        return r == 1 ? tr("one goes out each second.")
                      : tr("one goes out every %1 s.").arg(format::level(1 / r));
    }

    QString waitingSentence() const
    {
        const int n = int(std::min<qint64>(m_l.waiting, 2'000'000'000));
        const QString jobs = n == 1 ? tr("1 job waits") : tr("%1 jobs wait").arg(format::count(n));
        if (full() && (!m_l.tokens || *m_l.tokens >= 1))
            return tr("%1 until one of its %2 places is free.").arg(jobs, format::count(*m_l.atOnce));
        const QString paced = pace();
        return paced.isEmpty() ? tr("%1 for it.").arg(jobs) : tr("%1 for its tokens; %2").arg(jobs, paced);
    }

    QString sentence(GaugeState s) const
    {
        switch (s) {
        case GaugeState::Free:
            if (m_l.tokens)
                return *m_l.tokens >= 1
                           ? tr("Nobody waits. %1 tokens are ready.").arg(format::level(*m_l.tokens))
                           : tr("Nobody waits.");
            return m_l.atOnce ? tr("Nobody waits. %1 places are free.")
                                    .arg(format::count(std::max<qint64>(0, *m_l.atOnce - m_l.out)))
                              : tr("Nobody waits.");
        case GaugeState::Draining:
            return tr("More goes out than comes in; nobody waits yet.");
        case GaugeState::Waiting:
            return waitingSentence();
        case GaugeState::Closed:
            return m_in.host->waiting > 0 ? tr("%1 %2 jobs wait; it reopens with one.")
                                                .arg(hostReason(), format::count(m_in.host->waiting))
                                          : hostReason();
        case GaugeState::Held:
        case GaugeState::Parked:
            return hostReason();
        case GaugeState::QuotaSpent:
            return tr("All %1 are used. %2 jobs wait; it goes on by itself.")
                .arg(format::count(spent()->limit), format::count(m_l.waiting));
        case GaugeState::Paused:
            return m_in.crawlReason.isEmpty()
                       ? tr("The crawl is paused. Nothing is sent; the level stays as it is.")
                       : tr("%1 Nothing is sent; the level stays as it is.").arg(m_in.crawlReason);
        }
        Q_UNREACHABLE();
    }

    void addRows(GaugeFace &f) const
    {
        const bool idle =
            f.state == GaugeState::Paused || f.state == GaugeState::Held || f.state == GaugeState::Parked;
        const bool waits = f.state == GaugeState::Waiting;
        const bool placesGuilty = waits && full() && (!m_l.tokens || *m_l.tokens >= 1);
        const Role plain = idle ? Role::GreyFill : Role::BlueFill;
        if (f.state == GaugeState::Closed)
            f.rows.append(closedRow());
        else if (m_l.tokens)
            f.rows.append(tokenRow(f.state, idle, waits && !placesGuilty));
        if (m_l.ratePerSecond)
            f.rows.append(rateRow(waits && !placesGuilty ? Role::WaitFill : plain));
        if (m_l.atOnce) {
            GaugeRow row;
            row.label = tr("Out");
            row.share = *m_l.atOnce > 0 ? double(m_l.out) / double(*m_l.atOnce) : 0;
            row.value = ofWhole(format::count(m_l.out), format::count(*m_l.atOnce));
            row.fill = placesGuilty ? Role::WaitFill : plain;
            row.guilty = placesGuilty;
            f.rows.append(row);
        }
        for (const QuotaView &q : m_l.quotas)
            f.rows.append(quotaRow(q, plain));
    }

    GaugeRow closedRow() const
    {
        GaugeRow row;
        row.label = tr("Closed");
        row.bar = GaugeRow::Bar::Hatch;
        row.fill = Role::BadFill;
        row.guilty = true;
        if (m_in.host->until) {
            const double left = double((*m_in.host->until - m_in.asOf).count());
            const double whole = std::max(double(m_in.closedFor.count()), left);
            row.share = whole > 0 ? std::clamp(left / whole, 0.0, 1.0) : 1;
            row.value = tr("opens %1").arg(format::clockFrom(*m_in.host->until, m_in.asOf));
        } else {
            row.share = 1;
        }
        return row;
    }

    GaugeRow tokenRow(GaugeState s, bool idle, bool guilty) const
    {
        GaugeRow row;
        const double burst = std::max(1.0, m_l.burst);
        row.label = tr("Tokens");
        row.bar = burst <= mostCells ? GaugeRow::Bar::Cells : GaugeRow::Bar::Whole;
        row.cells = burst <= mostCells ? int(burst) : 0;
        row.share = std::clamp(*m_l.tokens / burst, 0.0, 1.0);
        row.shareBefore =
            s == GaugeState::Draining ? std::clamp(*m_in.tokensBefore / burst, 0.0, 1.0) : row.share;
        row.value = ofWhole(format::level(*m_l.tokens), format::level(burst));
        const bool grey = idle || s == GaugeState::QuotaSpent;
        row.fill = grey ? Role::GreyFill : (guilty ? Role::WaitFill : Role::BlueFill);
        row.guilty = guilty;
        return row;
    }

    GaugeRow rateRow(Role fill) const
    {
        GaugeRow row;
        const double share = *m_l.ratePerSecond > 0 ? m_l.usedPerSecond / *m_l.ratePerSecond : 0;
        // Used, in the unit in which the rate was written: "27 of 30/min".
        const double written = m_l.rate.left(m_l.rate.indexOf('/')).toDouble();
        const double used = written > 0 ? share * written : m_l.usedPerSecond;
        row.label = tr("Rate");
        row.share = std::clamp(share, 0.0, 1.0);
        row.value = ofWhole(format::rate(used), QString::fromUtf8(m_l.rate));
        row.fill = fill;
        return row;
    }

    GaugeRow quotaRow(const QuotaView &q, Role plain) const
    {
        GaugeRow row;
        const bool used = q.limit > 0 && q.used >= q.limit;
        row.label = q.per == "1d" ? tr("Day") : (q.per == "1h" ? tr("Hour") : QString::fromUtf8(q.per));
        row.share = q.limit > 0 ? std::clamp(double(q.used) / double(q.limit), 0.0, 1.0) : 0;
        row.value = ofWhole(format::count(q.used), format::count(q.limit));
        row.fill = used ? Role::WaitFill : plain;
        row.guilty = used;
        if (q.resetsAt)
            row.note = tr("resets %1").arg(format::clockFrom(*q.resetsAt, m_in.asOf));
        return row;
    }

    const GaugeInput &m_in;
    const LimiterView &m_l;
};

} // namespace

GaugeFace faceOf(const GaugeInput &input)
{
    return Gauge(input).face();
}

QString GaugeFace::lead() const
{
    return binding ? Gauge::lead() : QString();
}

QString GaugeFace::accessibleName() const
{
    QStringList parts{instance.isEmpty() ? name : name + u' ' + instance};
    const QString word = words::of(state).word.toLower();
    parts.append(until.isEmpty() ? word : word + u' ' + until);
    if (!rows.isEmpty()) {
        const GaugeRow &row = rows.first();
        const bool tokens = row.bar == GaugeRow::Bar::Cells || row.bar == GaugeRow::Bar::Whole;
        if (tokens)
            parts.append(Gauge::tokensForEars(row.value));
        else if (row.bar == GaugeRow::Bar::Hatch)
            parts.append(row.value);
        else
            parts.append(Gauge::outForEars(row.value));
    }
    if (binding)
        parts.append(Gauge::leadForEars());
    return parts.join(QStringLiteral(", "));
}

int GaugeFace::rank() const
{
    if (binding)
        return 0;
    switch (state) {
    case GaugeState::Closed:
    case GaugeState::Held:
    case GaugeState::Parked:
        return 1;
    case GaugeState::QuotaSpent:
        return 2;
    case GaugeState::Waiting:
        return 3;
    case GaugeState::Draining:
        return 4;
    case GaugeState::Free:
    case GaugeState::Paused:
        return 5;
    }
    Q_UNREACHABLE();
}

} // namespace muster
