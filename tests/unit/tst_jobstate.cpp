// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest/QtTest>

#include "core/job/failure.h"
#include "core/job/jobstate.h"
#include "core/job/request.h"

using namespace muster;

class TestJobState final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void namesGoBothWays()
    {
        for (const JobState s : allJobStates)
            QCOMPARE(jobStateFromName(jobStateName(s)), std::optional(s));
        QVERIFY(!jobStateFromName("pending"));
    }

    void kindsGoBothWays()
    {
        for (std::size_t i = 1; i < failureKindCount; ++i) {
            const auto kind = static_cast<FailureKind>(i);
            QCOMPARE(failureKindFromName(failureKindName(kind)), std::optional(kind));
        }
    }

    void finalStatesLeaveOnlyByAPerson_data()
    {
        QTest::addColumn<int>("from");
        for (const JobState s : {JobState::Done, JobState::Skipped, JobState::Duplicate, JobState::Refused})
            QTest::newRow(jobStateName(s)) << static_cast<int>(s);
    }
    void finalStatesLeaveOnlyByAPerson()
    {
        QFETCH(int, from);
        const auto state = static_cast<JobState>(from);
        for (const Move m : {Move::Arm, Move::Finish, Move::Fail, Move::Requeue, Move::Skip, Move::Accept})
            QVERIFY(!moved(state, m));
        QCOMPARE(moved(state, Move::Again), std::optional(JobState::Queued));
    }

    void onlyAnArmedRowFinishes()
    {
        for (const JobState s : allJobStates)
            QCOMPARE(moved(s, Move::Finish).has_value(), s == JobState::InFlight);
    }

    void targets_data()
    {
        QTest::addColumn<QByteArray>("url");
        QTest::addColumn<QByteArray>("expected");
        QTest::newRow("plain") << QByteArray("http://a.example/x?y") << QByteArray("http a.example 80 /x");
        QTest::newRow("port") << QByteArray("https://A.example:8443") << QByteArray("https a.example 8443 /");
        QTest::newRow("dot") << QByteArray("http://a.example./") << QByteArray("http a.example 80 /");
        QTest::newRow("six") << QByteArray("http://[::1]:81/p") << QByteArray("http ::1 81 /p");
        QTest::newRow("other scheme") << QByteArray("ftp://a/") << QByteArray("  0 ");
        QTest::newRow("bad port") << QByteArray("http://a:99999/") << QByteArray("  0 ");
    }
    void targets()
    {
        QFETCH(QByteArray, url);
        QFETCH(QByteArray, expected);
        const Target t = targetOf(url);
        QCOMPARE(t.scheme + ' ' + t.host + ' ' + QByteArray::number(t.port) + ' ' + t.path, expected);
    }
};

QTEST_GUILESS_MAIN(TestJobState)
#include "tst_jobstate.moc"
