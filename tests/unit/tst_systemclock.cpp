// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest/QtTest>

#include "core/team/systemclock.h"

using namespace muster;

class TestSystemClock final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void tellsBothTimes()
    {
        const SystemClock clock;
        const Moment first = clock.now();
        const Moment second = clock.now();
        QVERIFY(second.mono >= first.mono);
        QVERIFY(std::abs(toMs(second.utc) - QDateTime::currentMSecsSinceEpoch()) < 60'000);
    }

    void neverCallsEarly_data()
    {
        QTest::addColumn<int>("longestSleep");
        QTest::newRow("at once") << 3'600'000;
        QTest::newRow("in parts") << 1;
    }
    void neverCallsEarly()
    {
        QFETCH(int, longestSleep);
        SystemClock clock(nullptr, Millis(longestSleep));
        for (int i = 0; i < 3; ++i) {
            const Mono when = clock.now().mono + std::chrono::microseconds(20'300);
            std::optional<Mono> called;
            clock.wakeAt(when, [&] { called = clock.now().mono; });
            QTRY_VERIFY(called.has_value());
            QVERIFY(*called >= when);
        }
    }

    void aLaterRequestReplaces()
    {
        SystemClock clock;
        int first = 0, second = 0;
        clock.wakeAt(clock.now().mono + Millis(1), [&] { ++first; });
        clock.wakeAt(clock.now().mono - Millis(1), [&] { ++second; }); // the past: as soon as may be
        QTRY_COMPARE(second, 1);
        clock.wakeAt(clock.now().mono + Millis(1), [&] { ++first; });
        clock.wakeAt(monoNever, [] {});
        int later = 0;
        QTimer::singleShot(5, &clock, [&] { ++later; });
        QTRY_COMPARE(later, 1);
        QCOMPARE(first, 0);
    }
};

QTEST_GUILESS_MAIN(TestSystemClock)
#include "tst_systemclock.moc"
