// SPDX-License-Identifier: GPL-3.0-or-later
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest/QtTest>

#include "core/report/statusjson.h"

using namespace muster;

namespace {

constexpr qint64 noon = 1'796'040'000'000; // 2026-11-30T12:00:00Z

WriterInfo writer()
{
    WriterInfo w;
    w.program = QStringLiteral("muster-cli");
    w.pid = 4711;
    w.host = QStringLiteral("desk");
    w.since = utcFromMs(noon - 1500);
    return w;
}

Snapshot busy()
{
    Snapshot s;
    s.asOf = utcFromMs(noon);
    s.state = CrawlState::Running;
    s.rows.imported = 12'345;
    s.rows[JobState::Queued] = 12'000;
    s.rows[JobState::Done] = 300;
    s.rows[JobState::Failed] = 45;
    s.rows.waiting = 7;
    LimiterView api;
    api.name = "api";
    api.instance = "a.example";
    api.tokens = 2.25;
    api.burst = 10;
    api.rate = "7/10s";
    api.out = 3;
    api.atOnce = 4;
    api.quotas = {{1000, "1d", 17, utcFromMs(noon + 1000)}};
    api.waiting = 1200;
    api.binding = true;
    LimiterView bare;
    bare.name = "bare";
    s.limiters = {api, bare};
    s.hosts = {{"a.example", HostState::Closed, utcFromMs(noon + 30'000), {}, 5, 0},
               {"b.example", HostState::Held, {}, {}, 0, 0},
               {"c.example", HostState::Open, {}, {}, 0, 1}};
    s.failures = {{FailureKind::Http4xx, "a.example", 404, 40}, {FailureKind::Dns, "b.example", 0, 5}};
    s.waits[WaitReason::Bucket] = 900;
    s.seq = 21;
    s.resumesAt = utcFromMs(noon + 60'000);
    return s;
}

QJsonObject parsed(const QByteArray &json)
{
    return QJsonDocument::fromJson(json).object();
}

QJsonValue at(const QJsonObject &object, const char *name)
{
    return object.value(QLatin1String(name));
}

} // namespace

class TestStatusJson final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void times()
    {
        QCOMPARE(isoTime(utcFromMs(noon + 7)), QStringLiteral("2026-11-30T12:00:00.007Z"));
        QCOMPARE(isoTime(Utc{}), QString());
    }

    void everyMemberOfABusyCrawl()
    {
        const QByteArray line = statusJson(busy(), writer());
        QVERIFY(!line.contains('\n'));
        const QJsonObject o = parsed(line);
        QCOMPARE(o.keys(),
                 QStringList({QStringLiteral("as_of"), QStringLiteral("failures"), QStringLiteral("hosts"),
                              QStringLiteral("limiters"), QStringLiteral("proposals"),
                              QStringLiteral("resumes_at"), QStringLiteral("rows"), QStringLiteral("seq"),
                              QStringLiteral("state"), QStringLiteral("version"), QStringLiteral("waits_ms"),
                              QStringLiteral("writer")}));
        QCOMPARE(at(o, "version").toInt(), 1);
        QCOMPARE(at(o, "state").toString(), QStringLiteral("running"));
        QCOMPARE(at(o, "as_of").toString(), QStringLiteral("2026-11-30T12:00:00.000Z"));
        QCOMPARE(at(o, "resumes_at").toString(), QStringLiteral("2026-11-30T12:01:00.000Z"));
        QCOMPARE(at(o, "seq").toInt(), 21);
        QCOMPARE(at(o, "waits_ms").toObject(), QJsonObject({{QStringLiteral("bucket"), 900}}));
        const QJsonObject holder = at(o, "writer").toObject();
        QCOMPARE(at(holder, "program").toString(), QStringLiteral("muster-cli"));
        QCOMPARE(at(holder, "pid").toInt(), 4711);
        QCOMPARE(at(holder, "host").toString(), QStringLiteral("desk"));
        QCOMPARE(at(holder, "since").toString(), QStringLiteral("2026-11-30T11:59:58.500Z"));
    }

    void rowsAddUp()
    {
        const QJsonObject rows = at(parsed(statusJson(busy(), writer())), "rows").toObject();
        QCOMPARE(at(rows, "total").toInt(), 12'345);
        QCOMPARE(at(rows, "waiting").toInt(), 7);
        int sum = 0;
        for (const JobState state : allJobStates) {
            QVERIFY2(rows.contains(QLatin1String(jobStateName(state))), jobStateName(state));
            sum += at(rows, jobStateName(state)).toInt();
        }
        QCOMPARE(sum, 12'345);
    }

    void limitersHostsAndFailures()
    {
        const QJsonObject o = parsed(statusJson(busy(), writer()));
        const QJsonArray limiters = at(o, "limiters").toArray();
        const QJsonObject api = limiters[0].toObject();
        QCOMPARE(at(api, "tokens").toDouble(), 2.25);
        QCOMPARE(at(api, "burst").toDouble(), 10.0);
        QCOMPARE(at(api, "rate").toString(), QStringLiteral("7/10s"));
        QCOMPARE(at(api, "at_once").toInt(), 4);
        QCOMPARE(at(api, "waiting").toInt(), 1200);
        QCOMPARE(at(api, "binding").toBool(), true);
        const QJsonObject quota = at(api, "quotas").toArray()[0].toObject();
        QCOMPARE(at(quota, "limit").toInt(), 1000);
        QCOMPARE(at(quota, "per").toString(), QStringLiteral("1d"));
        QCOMPARE(at(quota, "used").toInt(), 17);
        QCOMPARE(at(quota, "resets_at").toString(), QStringLiteral("2026-11-30T12:00:01.000Z"));
        const QJsonObject bare = limiters[1].toObject();
        for (const char *absent : {"tokens", "burst", "rate", "at_once"})
            QVERIFY2(at(bare, absent).isNull(), absent);
        const QJsonArray hosts = at(o, "hosts").toArray();
        QCOMPARE(at(hosts[0].toObject(), "state").toString(), QStringLiteral("closed"));
        QCOMPARE(at(hosts[0].toObject(), "until").toString(), QStringLiteral("2026-11-30T12:00:30.000Z"));
        QVERIFY(at(hosts[2].toObject(), "until").isNull());
        const QJsonArray failures = at(o, "failures").toArray();
        QCOMPARE(at(failures[0].toObject(), "code").toInt(), 404);
        QCOMPARE(at(failures[0].toObject(), "count").toInt(), 40);
        QVERIFY(at(failures[1].toObject(), "code").isNull());
    }

    void nobodyWritesAndNothingHappened()
    {
        const QJsonObject o = parsed(statusJson(Snapshot(), WriterInfo()));
        QVERIFY(at(o, "writer").isNull());
        QVERIFY(at(o, "resumes_at").isNull());
        QCOMPARE(at(o, "state").toString(), QStringLiteral("idle"));
        QVERIFY(at(o, "waits_ms").toObject().isEmpty());
        QVERIFY(!o.contains(QLatin1String("rehearsal")));
        QCOMPARE(statusText(Snapshot(), WriterInfo()), QStringLiteral("Idle\n0 rows =\n"));
    }

    void aRehearsalSaysSo()
    {
        Snapshot s;
        s.rehearsal = true;
        QVERIFY(at(parsed(statusJson(s, {})), "rehearsal").toBool());
    }

    void forPeople()
    {
        Snapshot s = busy();
        s.reason = QStringLiteral("waits for tokens");
        const QString expected = QStringLiteral(
            "Running: waits for tokens\n"
            "12345 rows = 12000 queued 300 done 45 failed (7 wait to retry)\n"
            "api a.example: 2.3 of 10 tokens, 7/10s, 3 of 4 out, 1200 wait, holds the crawl back\n"
            "bare\n"
            "a.example is closed until 2026-11-30T12:00:30.000Z\n"
            "b.example is held\n"
            "40 failed: http_4xx a.example (404)\n"
            "5 failed: dns b.example\n"
            "Written by muster-cli, process 4711 on desk, since 2026-11-30T11:59:58.500Z\n");
        QCOMPARE(statusText(s, writer()), expected);
    }
};

QTEST_GUILESS_MAIN(TestStatusJson)
#include "tst_statusjson.moc"
