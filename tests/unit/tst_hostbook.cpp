// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest/QtTest>

#include "core/team/hostbook.h"

using namespace muster;
using namespace std::chrono_literals;

namespace {

const QByteArray host = "a.example";

} // namespace

class TestHostBook final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void closesAndReopensSlowly()
    {
        HostBook book;
        Mono now{1h};
        QVERIFY(book.mayFire(host, now));
        book.fired(host);
        QCOMPARE(book.inFlight(host), 1);
        book.landed(host);
        const auto closing = book.refused(host, {1, now - 1s, Millis(7000)}, 1, now);
        QVERIFY(closing.until == now + 7s && !closing.hopeless);
        QVERIFY(book.isClosed(host, now) && !book.mayFire(host, now));
        QCOMPARE(book.nextReopening(), now + 7s);
        QVERIFY(book.reopen(now + 6s).isEmpty());
        now += 7s;
        QCOMPARE(book.reopen(now), QVector<QByteArray>{host});
        QVERIFY(book.mayFire(host, now));
        book.fired(host);
        QVERIFY(!book.mayFire(host, now));   // one job
        book.answered(host, now - 8s, true); // an older answer does not count
        book.landed(host);
        book.fired(host);
        QVERIFY(!book.mayFire(host, now));
        book.answered(host, now, true);
        QVERIFY(book.mayFire(host, now)); // one more
        for (int i = 0; i < 1000; ++i)
            book.answered(host, now, true);
        for (int i = 0; i < 2000; ++i)
            book.fired(host);
        QVERIFY(book.mayFire(host, now)); // nobody counts any more
    }

    void pausesDouble()
    {
        HostBook book;
        Mono now{1h};
        Millis expected = 30s;
        for (int i = 0; i < 10; ++i) {
            const Mono until = book.refused(host, {i, now, {}}, 1, now + 1ms).until;
            QCOMPARE(until, now + 1ms + expected);
            now = until;
            expected = std::min<Millis>(1h, expected * 2);
        }
        book.answered(host, now, true); // sets the 30 s back
        QCOMPARE(book.refused(host, {1, now, {}}, 1, now + 1ms).until, now + 1ms + 30s);
    }

    /// From the fourth closing in a row a given time is at least 2, 4, 8 … s, to 5 min.
    void givenTimesGrow()
    {
        HostBook book;
        Mono now{1h};
        const Millis expected[] = {1s, 1s, 1s, 2s, 4s, 8s, 16s, 32s, 64s, 128s, 256s, 300s, 300s};
        for (const Millis pause : expected) {
            const Mono until = book.refused(host, {1, now, Millis(1000)}, 1, now + 1ms).until;
            QCOMPARE(until, now + 1ms + pause);
            now = until;
        }
    }

    /// A refusal of a request sent before the closing only lengthens it.
    void olderRefusalsLengthen()
    {
        HostBook book;
        const Mono now{1h};
        book.refused(host, {1, now - 2s, Millis(10'000)}, 1, now);
        QCOMPARE(book.refused(host, {2, now - 1s, Millis(5000)}, 1, now + 1s).until, now + 10s);
        QCOMPARE(book.refused(host, {3, now - 1s, {}}, 1, now + 1s).until, now + 10s);
        QCOMPARE(book.refused(host, {4, now - 1s, Millis(20'000)}, 1, now + 1s).until, now + 21s);
        QCOMPARE(book.closedHosts().size(), std::size_t(1));
        QCOMPARE(*book.closedUntil(host, now), now + 21s);
        // They were no closings of their own: the next one without a time still lasts 30 s.
        QCOMPARE(book.refused(host, {5, now + 21s, {}}, 1, now + 22s).until, now + 52s);
    }

    void restored()
    {
        HostBook book;
        const Mono now{1h};
        book.restore(host, now + 90s);
        QVERIFY(book.isClosed(host, now));
        QCOMPARE(book.reopen(now + 90s).size(), 1);
        book.fired(host);
        QVERIFY(!book.mayFire(host, now + 90s));
    }

    void hopelessJobs()
    {
        HostBook seldom;
        Mono now{1h};
        for (int i = 0; i < 100; ++i)
            seldom.answered(host, now, true);
        QVERIFY(!seldom.refused(host, {1, now, Millis(1)}, 9, now).hopeless);
        QVERIFY(seldom.refused(host, {1, now, Millis(1)}, 10, now).hopeless);

        HostBook often; // refuses everybody: nobody is failed for it
        for (int i = 0; i < 30; ++i) {
            const auto closing = often.refused(host, {i, now, Millis(1000)}, 20, now + 1ms);
            QVERIFY(!closing.hopeless);
            now = closing.until;
        }

        HostBook lone; // always the one to reopen a host that has answered
        lone.answered(host, now, true);
        bool hopeless = false;
        int refusals = 0;
        while (!hopeless && refusals < 20) {
            const auto closing = lone.refused(host, {1, now, Millis(1000)}, ++refusals, now + 1ms);
            hopeless = closing.hopeless;
            now = closing.until;
        }
        QCOMPARE(refusals, 11); // the first one came while the host was open
    }

    void budget()
    {
        HostBook book;
        const Mono now{1h};
        book.troubled(host);
        for (int i = 0; i < 50; ++i)
            book.firstTry(host, now);
        int given = 0;
        while (book.takeRetry(host, now, 0.2))
            ++given;
        QCOMPARE(given, 10 + 10 + 1);
        book.answered(host, now, false);
        QVERIFY(book.takeRetry(host, now, 0.2));
    }

    void forgetsTheQuiet()
    {
        HostBook book;
        const Mono now{1h};
        book.firstTry(host, now);
        book.firstTry("quiet.example", now);
        book.answered(host, now, true);
        book.forgetIdle(now + 1h);
        QCOMPARE(book.knownHosts(), 1);
    }
};

QTEST_GUILESS_MAIN(TestHostBook)
#include "tst_hostbook.moc"
