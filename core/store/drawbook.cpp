// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/drawbook.h"

#include <algorithm>

namespace muster {

namespace {

// Every ready host gets one job even beyond `room`; a list with a million hosts must not fill the memory.
constexpr std::size_t mostHostsBeyondRoom = 50'000;

constexpr const char *jobColumns =
    "row, CAST(url AS BLOB), batch, line, parent, origin, page, depth, priority, received, input, tries, "
    "attempts, refusals, not_before, started_at, waits, host";

StoreError failed(Connection &c, const QSqlQuery &q)
{
    return Connection::error(q.lastError(), c.path());
}

} // namespace

void DrawBook::setOpenBatch(qint64 batch)
{
    m_openBatch = batch;
    if (batch == 0)
        invalidate();
}

StoreResult<void> DrawBook::load(Connection &c)
{
    m_shelves.clear();
    MUSTER_TAKE(fresh, c.statement("SELECT host, count(*), max(priority) FROM row WHERE state='queued' AND "
                                   "not_before=0 GROUP BY host ORDER BY host"));
    if (!fresh->exec())
        return tl::make_unexpected(failed(c, *fresh));
    while (fresh->next()) {
        Shelf s;
        s.host = fresh->value(0).toLongLong();
        s.fresh = fresh->value(1).toInt();
        s.topPriority = fresh->value(2).toLongLong();
        m_shelves.push_back(s);
    }
    fresh->finish();
    MUSTER_TAKE(retries, c.statement("SELECT host, count(*), min(not_before) FROM row WHERE state='queued' "
                                     "AND not_before>0 GROUP BY host"));
    if (!retries->exec())
        return tl::make_unexpected(failed(c, *retries));
    while (retries->next()) {
        Shelf &s = shelf(retries->value(0).toLongLong());
        s.retries = retries->value(1).toInt();
        s.nextRetry = retries->value(2).toLongLong();
    }
    retries->finish();
    if (m_openBatch > 0) {
        MUSTER_TAKE(open, c.statement("SELECT host, count(*) FROM row WHERE state='queued' AND not_before=0 "
                                      "AND batch=? GROUP BY host"));
        open->bindValue(0, m_openBatch);
        if (!open->exec())
            return tl::make_unexpected(failed(c, *open));
        while (open->next())
            shelf(open->value(0).toLongLong()).fresh -= open->value(1).toInt();
        open->finish();
    }
    for (const auto &[host, notBefore] : m_drawn)
        --(notBefore > 0 ? shelf(host).retries : shelf(host).fresh);
    m_loaded = true;
    return {};
}

DrawBook::Shelf &DrawBook::shelf(qint64 host)
{
    // New hosts have the highest numbers: almost always an append.
    auto it = std::lower_bound(m_shelves.begin(), m_shelves.end(), host,
                               [](const Shelf &s, qint64 h) { return s.host < h; });
    if (it == m_shelves.end() || it->host != host) {
        Shelf s;
        s.host = host;
        it = m_shelves.insert(it, s);
    }
    return *it;
}

void DrawBook::queued(qint64 row, qint64 host, qint64 notBefore)
{
    m_drawn.remove(row);
    if (!m_loaded)
        return;
    Shelf &s = shelf(host);
    if (notBefore > 0) {
        ++s.retries;
        s.nextRetry = std::min(s.nextRetry, notBefore);
    } else {
        ++s.fresh;
        s.cursorPriority = never; // it may lie before the cursor
        s.cursorRow = 0;
    }
}

void DrawBook::unqueued(qint64 row, qint64 host, qint64 notBefore)
{
    if (m_drawn.remove(row) > 0 || !m_loaded)
        return; // counted out when it was drawn
    Shelf &s = shelf(host);
    --(notBefore > 0 ? s.retries : s.fresh);
}

void DrawBook::giveBack(const QVector<qint64> &rows)
{
    for (const qint64 row : rows)
        if (const auto it = m_drawn.constFind(row); it != m_drawn.constEnd())
            queued(row, it->first, it->second);
}

std::vector<DrawBook::Pick> DrawBook::candidates(const QHash<qint64, int> &held,
                                                 const QHash<qint64, bool> &passed,
                                                 const DrawOrder &order) const
{
    std::vector<Pick> picks;
    const qint64 now = toMs(order.now);
    const std::size_t n = m_shelves.size();
    for (std::size_t k = 0; k < n; ++k) {
        const std::size_t i = (m_turn + k) % n;
        const Shelf &s = m_shelves[i];
        const qint64 ready = s.fresh + (s.nextRetry <= now ? s.retries : 0);
        if (ready <= 0 || passed.contains(s.host))
            continue;
        Pick p;
        p.shelf = i;
        p.held = held.value(s.host);
        p.cap = static_cast<int>(std::min<qint64>(ready, order.perHost - p.held));
        if (p.cap > 0)
            picks.push_back(std::move(p));
    }
    std::stable_sort(picks.begin(), picks.end(), [this](const Pick &a, const Pick &b) {
        return m_shelves[a.shelf].topPriority > m_shelves[b.shelf].topPriority;
    });
    return picks;
}

void DrawBook::share(std::vector<Pick> &picks, int room)
{
    const auto upTo = [&picks](int level) {
        qint64 sum = 0;
        for (const Pick &p : picks)
            sum += std::clamp(level - p.held, 0, p.cap);
        return sum;
    };
    int high = 1;
    for (const Pick &p : picks)
        high = std::max(high, p.held + p.cap);
    int low = 0; // the highest level that fits into the room
    while (low < high) {
        const int middle = low + (high - low + 1) / 2;
        if (upTo(middle) <= room)
            low = middle;
        else
            high = middle - 1;
    }
    qint64 left = room - upTo(low);
    std::size_t beyond = 0;
    for (Pick &p : picks) {
        p.take = std::clamp(low - p.held, 0, p.cap);
        if (left > 0 && p.take < p.cap && p.held + p.take == low) {
            ++p.take;
            --left;
        }
        if (p.take == 0 && p.held == 0 && beyond < mostHostsBeyondRoom) {
            p.take = 1;
            ++beyond;
        }
    }
}

StoreResult<InputColumns::Names> DrawBook::columns(Connection &c, qint64 batch)
{
    if (const auto it = m_columns.constFind(batch); it != m_columns.constEnd())
        return *it;
    MUSTER_TAKE(packed, c.value("SELECT columns FROM batch WHERE batch=?", {batch}));
    auto names = std::make_shared<const QVector<QByteArray>>(packing::unpack(packed.toByteArray()));
    if (m_columns.size() > 100)
        m_columns.clear();
    m_columns.insert(batch, names);
    return InputColumns::Names(names);
}

StoreResult<void> DrawBook::read(Connection &c, QSqlQuery &q, Pick &pick)
{
    Job j;
    j.row = q.value(0).toLongLong();
    j.url = q.value(1).toByteArray();
    j.batch = q.value(2).toLongLong();
    j.line = q.value(3).toLongLong();
    j.parent = q.value(4).toLongLong();
    j.origin = q.value(5).toLongLong();
    j.page = q.value(6).toInt();
    j.depth = q.value(7).toInt();
    j.priority = q.value(8).toInt();
    j.received = q.value(9).toInt() != 0;
    if (const QByteArray input = q.value(10).toByteArray(); !input.isEmpty()) {
        MUSTER_TAKE(names, columns(c, j.batch));
        j.input = InputColumns(names, packing::unpack(input));
    }
    j.tries = q.value(11).toInt();
    j.attempts = q.value(12).toInt();
    j.refusals = q.value(13).toInt();
    j.notBefore = utcFromMs(q.value(14).toLongLong());
    j.firstStartedAt = utcFromMs(q.value(15).toLongLong());
    j.waits = packing::unpackWaits(q.value(16).toByteArray());
    pick.jobs.append(std::move(j));
    return {};
}

StoreResult<void> DrawBook::takeRetries(Connection &c, Shelf &s, Pick &pick, qint64 now)
{
    static const QByteArray sql = QByteArray("SELECT ") + jobColumns +
                                  " FROM row WHERE state='queued' AND not_before>0 AND host=? "
                                  "ORDER BY not_before, row";
    MUSTER_TAKE(q, c.statement(sql.constData()));
    q->bindValue(0, s.host);
    if (!q->exec())
        return tl::make_unexpected(failed(c, *q));
    s.nextRetry = never;
    while (q->next()) {
        if (m_drawn.contains(q->value(0).toLongLong()))
            continue;
        const qint64 due = q->value(14).toLongLong();
        if (due > now || pick.jobs.size() >= pick.take) {
            s.nextRetry = due;
            break;
        }
        MUSTER_TRY(read(c, *q, pick));
    }
    q->finish();
    return {};
}

StoreResult<void> DrawBook::takeFresh(Connection &c, Shelf &s, Pick &pick)
{
    // Two walks along one index: the rest of the cursor's priority, then the lower ones.
    static const QByteArray same = QByteArray("SELECT ") + jobColumns +
                                   " FROM row WHERE state='queued' AND not_before=0 AND host=? AND "
                                   "priority=? AND row>? ORDER BY row";
    static const QByteArray lower = QByteArray("SELECT ") + jobColumns +
                                    " FROM row WHERE state='queued' AND not_before=0 AND host=? AND "
                                    "priority<? ORDER BY priority DESC, row";
    for (const bool first : {true, false}) {
        if (pick.jobs.size() >= pick.take || (first && s.cursorPriority == never))
            continue;
        MUSTER_TAKE(q, c.statement(first ? same.constData() : lower.constData()));
        q->bindValue(0, s.host);
        q->bindValue(1, s.cursorPriority);
        if (first)
            q->bindValue(2, s.cursorRow);
        if (!q->exec())
            return tl::make_unexpected(failed(c, *q));
        while (pick.jobs.size() < pick.take && q->next()) {
            s.cursorRow = q->value(0).toLongLong();
            s.cursorPriority = q->value(8).toLongLong();
            const bool open = m_openBatch > 0 && q->value(2).toLongLong() == m_openBatch;
            if (!open && !m_drawn.contains(s.cursorRow))
                MUSTER_TRY(read(c, *q, pick));
        }
        q->finish();
    }
    return {};
}

Drawn DrawBook::finish(std::vector<Pick> &picks, qint64 now) const
{
    Drawn drawn;
    for (qsizetype turn = 0, found = 1; found > 0; ++turn) {
        found = 0;
        for (Pick &p : picks)
            if (turn < p.jobs.size()) {
                drawn.jobs.append(std::move(p.jobs[turn]));
                ++found;
            }
    }
    qint64 nextDue = never;
    for (const Shelf &s : m_shelves) {
        drawn.queuedLeft += s.fresh + s.retries;
        drawn.more = drawn.more || s.fresh > 0 || (s.retries > 0 && s.nextRetry <= now);
        if (s.retries > 0 && s.nextRetry > now)
            nextDue = std::min(nextDue, s.nextRetry);
    }
    if (nextDue != never)
        drawn.nextDue = utcFromMs(nextDue);
    return drawn;
}

StoreResult<Drawn> DrawBook::draw(Connection &c, HostTable &hosts, const DrawOrder &order)
{
    if (!m_loaded)
        MUSTER_TRY(load(c));
    const auto number = [&](const QByteArray &name) { return hosts.find(c, name); };
    QHash<qint64, int> held;
    for (auto it = order.holding.cbegin(); it != order.holding.cend(); ++it) {
        MUSTER_TAKE(id, number(it.key()));
        if (id)
            held.insert(*id, it.value());
    }
    QHash<qint64, bool> passed;
    for (const QByteArray &name : order.passOver) {
        MUSTER_TAKE(id, number(name));
        if (id)
            passed.insert(*id, true);
    }
    const qint64 now = toMs(order.now);
    std::vector<Pick> picks = candidates(held, passed, order);
    share(picks, std::max(0, order.room));
    for (Pick &p : picks) {
        if (p.take == 0)
            continue;
        Shelf &s = m_shelves[p.shelf];
        StoreResult<void> done;
        if (s.retries > 0 && s.nextRetry <= now)
            done = takeRetries(c, s, p, now);
        const qsizetype retried = p.jobs.size();
        if (done && s.fresh > 0)
            done = takeFresh(c, s, p);
        if (done && !p.jobs.isEmpty()) {
            StoreResult<QVariant> name =
                c.value("SELECT CAST(name AS BLOB) FROM host WHERE host=?", {s.host});
            if (name)
                p.name = name->toByteArray();
            else
                done = tl::make_unexpected(name.error());
        }
        if (!done) { // nothing was handed out: all of it can be drawn again
            invalidate();
            return tl::make_unexpected(done.error());
        }
        s.retries -= static_cast<qint32>(retried);
        // Short of what it asked for: the walk came to its end, nothing is left there.
        s.fresh = p.jobs.size() < p.take ? 0 : s.fresh - static_cast<qint32>(p.jobs.size() - retried);
    }
    for (Pick &p : picks) {
        const qint64 host = m_shelves[p.shelf].host;
        for (Job &j : p.jobs) {
            j.host = p.name;
            m_drawn.insert(j.row, {host, toMs(j.notBefore)});
        }
        if (p.take > 0)
            m_turn = p.shelf + 1;
    }
    return finish(picks, now);
}

} // namespace muster
