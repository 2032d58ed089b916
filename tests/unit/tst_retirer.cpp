// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest/QtTest>

#include "core/net/retryafter.h"
#include "core/team/retirer.h"
#include "core/team/verdict.h"

using namespace muster;
using Kind = FailureKind;
using End = Landing::End;

namespace {

Landing landing(Kind kind, int tries = 0, int code = 0)
{
    Landing l;
    l.job.row = 7;
    l.job.tries = tries;
    l.failure = {kind, {}, code, {}};
    l.attempt = AttemptRecord();
    l.attempt->failure = l.failure;
    l.result = ResultRecord();
    return l;
}

const Utc now = utcFromMs(1'800'000'000'000);

} // namespace

class TestRetirer final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void branches_data()
    {
        QTest::addColumn<Landing>("in");
        QTest::addColumn<int>("mood"); // 1 dismissed, 2 stopping
        QTest::addColumn<int>("branch");
        QTest::addColumn<int>("move");
        QTest::addColumn<int>("tries");
        QTest::addColumn<QString>("line");
        const auto row = [](const char *name, const Landing &in, int mood, RetireBranch branch, Move move,
                            int tries, const char *line) {
            QTest::newRow(name) << in << mood << static_cast<int>(branch) << static_cast<int>(move) << tries
                                << QString::fromLatin1(line);
        };
        using enum RetireBranch;
        row("fine", landing(Kind::None), 0, Fine, Move::Finish, 1, "row 7 done");
        row("fine, dismissed", landing(Kind::None), 1, Fine, Move::Finish, 1, "row 7 done");
        row("failed and dismissed", landing(Kind::Stalled), 1, Dismissed, Move::Fail, 1,
            "row 7 failed: stalled; no retry, the team is dismissed");
        row("used up", landing(Kind::Stalled, 3), 0, UsedUp, Move::Fail, 4,
            "row 7 failed: stalled; tries: 4");
        row("never again", landing(Kind::Http4xx, 0, 404), 0, UsedUp, Move::Fail, 1,
            "row 7 failed: http_4xx (404); tries: 1");
        row("again", landing(Kind::Stalled, 2), 0, Again, Move::Requeue, 3,
            "row 7 queued again after stalled; tries: 3");
        row("stop", landing(Kind::Stalled, 2), 2, Returned, Move::Requeue, 2,
            "row 7 queued again, uncounted");
        row("stop, final", landing(Kind::Http4xx, 0, 404), 2, UsedUp, Move::Fail, 1,
            "row 7 failed: http_4xx (404); tries: 1");
        row("aborted", landing(Kind::Cancelled, 1), 2, Returned, Move::Requeue, 1,
            "row 7 queued again, uncounted");
        row("told to wait", landing(Kind::RateLimited, 3, 429), 0, Again, Move::Requeue, 3,
            "row 7 queued again after rate_limited (429); tries: 3");
        Landing hopeless = landing(Kind::RateLimited, 0, 429);
        hopeless.hopeless = true;
        row("refused ten times", hopeless, 0, UsedUp, Move::Fail, 0,
            "row 7 failed: rate_limited (429); tries: 0");
        Landing write = landing(Kind::Http5xx, 0, 500);
        write.isFinalWrite = true;
        row("answered write", write, 0, UsedUp, Move::Fail, 1, "row 7 failed: http_5xx (500); tries: 1");
        Landing detail = landing(Kind::Dns);
        detail.failure.detail = "nxdomain";
        row("detail", detail, 0, UsedUp, Move::Fail, 1, "row 7 failed: dns:nxdomain; tries: 1");
        Landing unsent = landing(Kind::None, 1);
        unsent.end = End::Unsent;
        row("unsent", unsent, 0, Returned, Move::Requeue, 1, "row 7 queued again, uncounted");
        Landing impossible = landing(Kind::None);
        impossible.end = End::Impossible;
        impossible.failure.note = QStringLiteral("no column q");
        row("impossible", impossible, 0, Refused, Move::Refuse, 0, "row 7 refused: no column q");
    }
    void branches()
    {
        QFETCH(Landing, in);
        QFETCH(int, mood);
        const RetryPolicy policy{Settings()};
        const Decision out = decide(in, policy, {mood == 1, mood == 2, now}, 0.5);
        QTEST(static_cast<int>(out.branch), "branch");
        QTEST(static_cast<int>(out.retired.move), "move");
        QTEST(out.retired.job.tries, "tries");
        QTEST(describeDecision(out), "line");
        const bool cleaned = out.retired.move == Move::Requeue;
        QVERIFY(!cleaned || !out.retired.result);
        if (out.retired.attempt && in.end == End::Tried)
            QCOMPARE(out.retired.attempt->counted, out.retired.job.tries > in.job.tries || !in.failure);
    }

    void delays()
    {
        const RetryPolicy policy{Settings()};
        const RetireMood mood{false, false, now};
        QCOMPARE(decide(landing(Kind::Stalled, 1), policy, mood, 0.5).retired.job.notBefore,
                 now + Millis(1000));
        Landing told = landing(Kind::Stalled, 1);
        told.notBefore = now + Millis(7000); // never before a Retry-After
        QCOMPARE(decide(told, policy, mood, 0.5).retired.job.notBefore, now + Millis(7000));
        told.notBefore = now + Millis(500);
        QCOMPARE(decide(told, policy, mood, 0.5).retired.job.notBefore, now + Millis(1000));
        QCOMPARE(decide(landing(Kind::Cancelled), policy, mood, 0.5).retired.job.notBefore, Utc{});
        Landing unsent = landing(Kind::None);
        unsent.end = End::Unsent;
        unsent.job.notBefore = now - Millis(5); // a retry given back stays before the new jobs
        QCOMPARE(decide(unsent, policy, mood, 0.5).retired.job.notBefore, now - Millis(5));
    }

    void verdicts_data()
    {
        QTest::addColumn<int>("status");
        QTest::addColumn<QByteArray>("retryAfter");
        QTest::addColumn<int>("kind");
        const auto row = [](const char *name, int status, const char *retryAfter, Kind kind) {
            QTest::newRow(name) << status << QByteArray(retryAfter) << static_cast<int>(kind);
        };
        row("200", 200, nullptr, Kind::None);
        row("204", 204, nullptr, Kind::None);
        row("304", 304, nullptr, Kind::UnexpectedStatus);
        row("F75", 404, nullptr, Kind::Http4xx);
        row("F79", 418, nullptr, Kind::Http4xx);
        row("F79 999", 999, nullptr, Kind::Http5xx);
        row("F72", 429, nullptr, Kind::RateLimited);
        row("503", 503, nullptr, Kind::Http5xx);
        row("503, told", 503, "3", Kind::RateLimited);
        row("503, unreadable", 503, "soon", Kind::Http5xx);
        row("500, told", 500, "3", Kind::Http5xx);
    }
    void verdicts()
    {
        QFETCH(int, status);
        QFETCH(QByteArray, retryAfter);
        FlightResult result;
        result.answer.status = status;
        result.retryAfter = retryAfter;
        result.retryAfterDelay = retryAfterDelay(retryAfter, {}, now);
        const Verdict verdict = judge(result, StatusMatcher({QStringLiteral("2xx")}));
        QTEST(static_cast<int>(verdict.failure.kind), "kind");
        QVERIFY(verdict.isWhole);
        QVERIFY(!verdict.failure || verdict.failure.code == status);
        result.failure = {Kind::Stalled, {}, 200, {}};
        QVERIFY(!judge(result, StatusMatcher()).isWhole);
        QCOMPARE(judge(result, StatusMatcher()).failure.kind, Kind::Stalled);
    }
};

Q_DECLARE_METATYPE(muster::Landing)
QTEST_GUILESS_MAIN(TestRetirer)
#include "tst_retirer.moc"
