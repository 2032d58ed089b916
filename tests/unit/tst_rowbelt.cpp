// SPDX-License-Identifier: GPL-3.0-or-later
#include <memory>
#include <numeric>
#include <QThread>
#include <QtTest/QtTest>

#include "app/rowbelt.h"

using namespace muster;

namespace {
QVector<IntakeRow> batch(qint64 line)
{
    IntakeRow row;
    row.line = line;
    return {row};
}
} // namespace

class TestRowBelt final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everythingArrivesInOrder()
    {
        constexpr qint64 count = 2000;
        RowBelt belt;
        const std::unique_ptr<QThread> reader(QThread::create([&belt] {
            for (qint64 line = 1; line <= count; ++line)
                if (!belt.put(batch(line)))
                    return;
            belt.finish();
        }));
        reader->start();
        QVector<qint64> lines;
        while (const auto rows = belt.take())
            lines += rows->at(0).line;
        reader->wait(); // before anything is judged: a test that fails must not leave it at work
        QVector<qint64> expected(count);
        std::iota(expected.begin(), expected.end(), 1);
        QCOMPARE(lines, expected);
    }

    /// The reader stands at a full belt when the writer gives up: it must not wait for ever.
    void aStoppedBeltLetsTheReaderGo()
    {
        RowBelt belt;
        QVERIFY(belt.put(batch(1)) && belt.put(batch(2)));
        bool refused = false;
        const std::unique_ptr<QThread> reader(QThread::create([&] { refused = !belt.put(batch(3)); }));
        reader->start();
        belt.stop(); // and nobody takes what lies there
        reader->wait();
        QVERIFY(refused);
    }

    void nothingAtAll()
    {
        RowBelt belt;
        belt.finish();
        QVERIFY(!belt.take());
    }
};

QTEST_GUILESS_MAIN(TestRowBelt)

#include "tst_rowbelt.moc"
