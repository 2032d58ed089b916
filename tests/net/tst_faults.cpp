// SPDX-License-Identifier: GPL-3.0-or-later
#include <QNetworkAccessManager>
#include <QNetworkReply>
#include <QtTest/QtTest>

#include "core/net/qnamfetcher.h"
#include "tests/support/faultrows.h"

using namespace muster;

Q_DECLARE_METATYPE(muster::FaultRow)

/// Every row of the fault catalogue against the fetcher: kind, detail, sends = hits, and nobody else is hurt.
class TestFaults final : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<FaultServer> m_server;
    std::unique_ptr<QnamFetcher> m_fetcher;
    FlightId m_next = 1;

    FlightPlan plan(const QByteArray &path, const QByteArray &listener = "main")
    {
        FlightPlan p;
        p.id = m_next++;
        p.request.url.text = m_server->url(path, listener);
        return p;
    }
    std::optional<FlightResult> fly(FlightPlan p)
    {
        std::optional<FlightResult> out;
        m_fetcher->start(std::move(p), [&out](FlightResult r) { out = std::move(r); });
        if (!QTest::qWaitFor([&out] { return out.has_value(); }, 60'000))
            return std::nullopt;
        return out;
    }
    int hits(const FaultRow &row) const
    {
        return row.path.isEmpty()
                   ? m_server->hitsOn(row.listener)
                   : static_cast<int>(std::count_if(m_log.begin(), m_log.end(),
                                                    [&](const FaultHit &h) { return h.target == row.path; }));
    }
    QVector<FaultHit> m_log;

private Q_SLOTS:
    void init()
    {
        m_server = std::make_unique<FaultServer>();
        addFaultListeners(*m_server);
        QVERIFY(m_server->start());
        m_fetcher = std::make_unique<QnamFetcher>();
    }
    void cleanup()
    {
        m_fetcher.reset();
        m_server.reset();
    }

    void row_data()
    {
        QTest::addColumn<FaultRow>("row");
        for (const FaultRow &r : faultRows())
            QTest::newRow(r.id.constData()) << r;
    }
    void row()
    {
        QFETCH(FaultRow, row);
        std::optional<FlightResult> control;
        m_fetcher->start(plan("/ok?control", "other"),
                         [&control](FlightResult r) { control = std::move(r); });
        const auto result = fly(row.plan(*m_server, m_next++));
        QVERIFY(result);
        QTRY_VERIFY(control);
        QVERIFY2(!control->failure, "another host was hurt");
        QCOMPARE(m_fetcher->inFlight(), 0);

        if (row.isAnswer()) {
            QCOMPARE(failureKindName(result->failure.kind), "");
            QCOMPARE(result->answer.status, row.status);
            if (row.body)
                QCOMPARE(result->answer.body, *row.body);
        } else {
            QCOMPARE(failureKindName(result->failure.kind), failureKindName(row.kind));
            QCOMPARE(result->failure.detail, row.detail);
        }
        QCOMPARE(result->sends, row.sends);
        QCOMPARE(result->maySent, row.sends > 0);
        if (row.id.startsWith("F71"))
            QCOMPARE(result->retryAfterDelay,
                     row.retryAfterMs ? std::optional(Millis(*row.retryAfterMs)) : std::nullopt);

        // The host answers the next request as if nothing had been.
        if (row.listener == "main") {
            const auto after = fly(plan("/ok?after"));
            QVERIFY(after);
            QCOMPARE(failureKindName(after->failure.kind), "");
            QCOMPARE(after->answer.body, QByteArray("ok"));
        }
        m_log = m_server->log();
        QCOMPARE(hits(row), row.sends);

        if (!row.xfail.isEmpty()) {
            QEXPECT_FAIL("", row.xfail.constData(), Continue);
            QVERIFY(result->failure.kind == row.wishKind && result->failure.detail == row.wishDetail);
        }
    }

    void recovers_data() // ?times: the same fault for one try, then a good answer
    {
        QTest::addColumn<FaultRow>("row");
        for (const FaultRow &r : faultRows())
            if (r.listener == "main" &&
                (r.retry == FaultRow::Retry::Yes || r.retry == FaultRow::Retry::Once) && !r.isAnswer())
                QTest::newRow(r.id.constData()) << r;
    }
    void recovers()
    {
        QFETCH(FaultRow, row);
        row.path += (row.path.contains('?') ? "&times=" : "?times=") + QByteArray::number(row.sends);
        const auto first = fly(row.plan(*m_server, m_next++));
        QVERIFY(first);
        QCOMPARE(failureKindName(first->failure.kind), failureKindName(row.kind));
        const auto second = fly(row.plan(*m_server, m_next++));
        QVERIFY(second);
        QCOMPARE(failureKindName(second->failure.kind), "");
        QCOMPARE(second->answer.status, 200);
    }
};

QTEST_GUILESS_MAIN(TestFaults)
#include "tst_faults.moc"
