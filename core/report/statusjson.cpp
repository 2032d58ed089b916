// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/statusjson.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLocale>

#include "core/report/fixedcolumns.h"

namespace muster {

namespace {

QJsonValue timeOrNull(const std::optional<Utc> &t)
{
    return t ? QJsonValue(isoTime(*t)) : QJsonValue();
}

QJsonValue orNull(const std::optional<double> &v)
{
    return v ? QJsonValue(*v) : QJsonValue();
}

QJsonObject writerObject(const WriterInfo &w)
{
    return {{QStringLiteral("program"), w.program},
            {QStringLiteral("pid"), w.pid},
            {QStringLiteral("host"), w.host},
            {QStringLiteral("since"), isoTime(w.since)}};
}

QJsonObject rowsObject(const Ledger &ledger)
{
    QJsonObject rows{{QStringLiteral("total"), ledger.takenIn()},
                     {QStringLiteral("waiting"), ledger.waiting}};
    for (const JobState s : allJobStates)
        rows.insert(QLatin1String(jobStateName(s)), ledger[s]);
    return rows;
}

QJsonObject limiterObject(const LimiterView &l)
{
    QJsonArray quotas;
    for (const QuotaView &q : l.quotas)
        quotas.append(QJsonObject{{QStringLiteral("limit"), q.limit},
                                  {QStringLiteral("per"), QString::fromUtf8(q.per)},
                                  {QStringLiteral("used"), q.used},
                                  {QStringLiteral("resets_at"), timeOrNull(q.resetsAt)}});
    return {{QStringLiteral("name"), QString::fromUtf8(l.name)},
            {QStringLiteral("instance"), QString::fromUtf8(l.instance)},
            {QStringLiteral("tokens"), orNull(l.tokens)},
            {QStringLiteral("burst"), l.tokens ? QJsonValue(l.burst) : QJsonValue()},
            {QStringLiteral("rate"), l.rate.isEmpty() ? QJsonValue() : QJsonValue(QString::fromUtf8(l.rate))},
            {QStringLiteral("out"), l.out},
            {QStringLiteral("at_once"), l.atOnce ? QJsonValue(*l.atOnce) : QJsonValue()},
            {QStringLiteral("quotas"), quotas},
            {QStringLiteral("waiting"), l.waiting},
            {QStringLiteral("binding"), l.binding}};
}

} // namespace

QString isoTime(Utc t)
{
    QByteArray out;
    appendTime(t, out);
    return QString::fromLatin1(out);
}

QByteArray statusJson(const Snapshot &s, const WriterInfo &writer)
{
    QJsonArray limiters;
    for (const LimiterView &l : s.limiters)
        limiters.append(limiterObject(l));
    QJsonArray hosts;
    for (const HostView &h : s.hosts)
        hosts.append(QJsonObject{{QStringLiteral("host"), QString::fromUtf8(h.host)},
                                 {QStringLiteral("state"), QLatin1String(hostStateName(h.state))},
                                 {QStringLiteral("until"), timeOrNull(h.until)}});
    QJsonArray failures;
    for (const FailureGroup &f : s.failures)
        failures.append(QJsonObject{{QStringLiteral("kind"), QLatin1String(failureKindName(f.kind))},
                                    {QStringLiteral("host"), QString::fromUtf8(f.host)},
                                    {QStringLiteral("code"), f.code > 0 ? QJsonValue(f.code) : QJsonValue()},
                                    {QStringLiteral("count"), f.count}});
    QJsonObject waits;
    for (std::size_t i = 0; i < waitReasonCount; ++i)
        if (const auto reason = static_cast<WaitReason>(i); s.waits[reason] > 0)
            waits.insert(QLatin1String(waitReasonName(reason)), s.waits[reason]);
    QJsonObject o{{QStringLiteral("version"), 1},
                  {QStringLiteral("state"), QLatin1String(crawlStateName(s.state))},
                  {QStringLiteral("as_of"), isoTime(s.asOf)},
                  {QStringLiteral("writer"),
                   writer.program.isEmpty() ? QJsonValue() : QJsonValue(writerObject(writer))},
                  {QStringLiteral("rows"), rowsObject(s.rows)},
                  {QStringLiteral("limiters"), limiters},
                  {QStringLiteral("hosts"), hosts},
                  {QStringLiteral("failures"), failures},
                  {QStringLiteral("waits_ms"), waits},
                  {QStringLiteral("proposals"), QJsonArray()},
                  {QStringLiteral("resumes_at"), timeOrNull(s.resumesAt)},
                  {QStringLiteral("seq"), s.seq}};
    if (s.rehearsal)
        o.insert(QStringLiteral("rehearsal"), true);
    return QJsonDocument(o).toJson(QJsonDocument::Compact);
}

QString statusText(const Snapshot &s, const WriterInfo &writer)
{
    const QLocale c = QLocale::c();
    QString out = QLatin1String(crawlStateName(s.state));
    out[0] = out[0].toUpper();
    if (!s.reason.isEmpty())
        out += QStringLiteral(": ") + s.reason;
    out += QStringLiteral("\n%1 rows =").arg(c.toString(s.rows.takenIn()));
    for (const JobState state : allJobStates)
        if (s.rows[state] > 0)
            out +=
                QStringLiteral(" %1 %2").arg(c.toString(s.rows[state]), QLatin1String(jobStateName(state)));
    if (s.rows.waiting > 0)
        out += QStringLiteral(" (%1 wait to retry)").arg(c.toString(s.rows.waiting));
    out += QLatin1Char('\n');
    for (const LimiterView &l : s.limiters) {
        out += QString::fromUtf8(l.name + (l.instance.isEmpty() ? QByteArray() : " " + l.instance));
        if (l.tokens)
            out += QStringLiteral(": %1 of %2 tokens, %3")
                       .arg(c.toString(*l.tokens, 'f', 1), c.toString(l.burst, 'g', 12),
                            QString::fromUtf8(l.rate));
        if (l.atOnce)
            out += QStringLiteral(", %1 of %2 out").arg(l.out).arg(*l.atOnce);
        if (l.waiting > 0)
            out += QStringLiteral(", %1 wait").arg(c.toString(l.waiting));
        out += l.binding ? QStringLiteral(", holds the crawl back\n") : QStringLiteral("\n");
    }
    for (const HostView &h : s.hosts)
        if (h.state != HostState::Open)
            out += QStringLiteral("%1 is %2%3\n")
                       .arg(QString::fromUtf8(h.host), QLatin1String(hostStateName(h.state)),
                            h.until ? QStringLiteral(" until ") + isoTime(*h.until) : QString());
    for (const FailureGroup &f : s.failures)
        out +=
            QStringLiteral("%1 failed: %2 %3%4\n")
                .arg(c.toString(f.count), QLatin1String(failureKindName(f.kind)), QString::fromUtf8(f.host),
                     f.code > 0 ? QStringLiteral(" (%1)").arg(f.code) : QString());
    if (!writer.program.isEmpty())
        out += QStringLiteral("Written by %1, process %2 on %3, since %4\n")
                   .arg(writer.program)
                   .arg(writer.pid)
                   .arg(writer.host, isoTime(writer.since));
    return out;
}

} // namespace muster
