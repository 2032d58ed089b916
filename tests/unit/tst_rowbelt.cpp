// SPDX-License-Identifier: GPL-3.0-or-later
#include <memory>
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
        qint64 expected = 0;
        while (const auto rows = belt.take())
            QCOMPARE(rows->at(0).line, ++expected);
        QCOMPARE(expected, count);
        reader->wait();
    }

    /// The reader stands at a full belt when the writer gives up: it must not wait for ever.
    void aStoppedBeltLetsTheReaderGo()
    {
        RowBelt belt;
        bool refused = false;
        const std::unique_ptr<QThread> reader(QThread::create([&] {
            qint64 line = 0;
            while (belt.put(batch(++line))) {
            }
            refused = true;
            belt.finish();
        }));
        reader->start();
        QVERIFY(belt.take());
        belt.stop();
        while (belt.take()) {
        }
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
