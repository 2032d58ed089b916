// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/view/storerowsource.h"

#include <atomic>
#include <mutex>
#include <QSemaphore>
#include <QSignalSpy>
#include <QTest>

using namespace muster;

namespace {

/// What the readers of one test share: a table of row numbers and a record of what was asked on which thread.
struct Table
{
    std::mutex mutex;
    QVector<qint64> rows;
    QStringList asked;
    QSet<QThread *> threads;
    QSemaphore gate{0};
    std::atomic<bool> gated = false;
    std::atomic<bool> broken = false;
};

class FakeReader final : public PageReader
{
public:
    explicit FakeReader(Table &table)
        : m_table(table)
    {}
    tl::expected<Selector, QString> parse(const QString &selector) override
    {
        note(QStringLiteral("parse ") + selector);
        if (selector == QLatin1String("bad"))
            return tl::unexpected(QStringLiteral("bad: no such key"));
        Selector where;
        if (selector == QLatin1String("even"))
            where.terms.append(Selector::Term());
        return where;
    }
    StoreResult<qint64> count(const Selector &where) override
    {
        if (m_table.gated)
            m_table.gate.acquire();
        note(QStringLiteral("count"));
        if (m_table.broken)
            return tl::unexpected(StoreError{StoreError::Kind::Gone, QStringLiteral("The file is gone.")});
        return matching(where).size();
    }
    StoreResult<QVector<qint64>> anchors(const Selector &where, int stride) override
    {
        QVector<qint64> anchors;
        const auto rows = matching(where);
        for (qsizetype i = 0; i < rows.size(); i += stride)
            anchors.append(rows[i]);
        return anchors;
    }
    StoreResult<QVector<RowLine>> page(const Selector &where, qint64 after, int most) override
    {
        note(QStringLiteral("page after %1").arg(after));
        QVector<RowLine> lines;
        for (const qint64 row : matching(where))
            if (row > after && lines.size() < most) {
                lines.append(RowLine());
                lines.last().row = row;
            }
        return lines;
    }

private:
    void note(const QString &what)
    {
        const std::scoped_lock lock(m_table.mutex);
        m_table.asked.append(what);
        m_table.threads.insert(QThread::currentThread());
    }
    QVector<qint64> matching(const Selector &where)
    {
        const std::scoped_lock lock(m_table.mutex);
        QVector<qint64> rows;
        for (const qint64 row : m_table.rows)
            if (where.terms.isEmpty() || row % 2 == 0)
                rows.append(row);
        return rows;
    }
    Table &m_table;
};

PageReaderFactory readersOf(Table &table)
{
    return [&table]() -> StoreResult<std::unique_ptr<PageReader>> {
        return std::make_unique<FakeReader>(table);
    };
}

void fill(Table &table, qint64 rows)
{
    const std::scoped_lock lock(table.mutex);
    table.rows.clear();
    for (qint64 row = 1; row <= rows; ++row)
        table.rows.append(row * 3);
}

} // namespace

class TestStoreRowSource : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void readsOnItsOwnThread();
    void jumpsByAnchor();
    void recountsAreJoined();
    void badSelectorIsTold();
    void readerThatCannotOpenIsTold();
    void brokenStoreIsToldAndRecovers();
    void requestText_data();
    void requestText();
};

void TestStoreRowSource::readsOnItsOwnThread()
{
    Table table;
    fill(table, 300);
    StoreRowSource source(readersOf(table));
    QSignalSpy counted(&source, &RowSource::counted);
    QSignalSpy pages(&source, &RowSource::pageReady);
    source.setFilter({}, 7);
    QTRY_COMPARE(counted.size(), 1);
    QCOMPARE(counted[0][0].toULongLong(), 7ULL);
    QCOMPARE(counted[0][1].toLongLong(), 300);
    source.requestPage(0);
    QTRY_COMPARE(pages.size(), 1);
    const std::scoped_lock lock(table.mutex);
    QVERIFY(!table.threads.contains(QThread::currentThread()));
    QCOMPARE(table.threads.size(), 1);
}

void TestStoreRowSource::jumpsByAnchor()
{
    Table table;
    fill(table, 1000);
    StoreRowSource source(readersOf(table));
    QSignalSpy pages(&source, &RowSource::pageReady);
    source.setFilter(QStringLiteral("even"), 1);
    source.requestPage(3);
    source.requestPage(99); // past the end: empty, not silence
    QTRY_COMPARE(pages.size(), 2);
    const auto lines = pages[0][2].value<QVector<RowLine>>();
    QCOMPARE(lines.size(), 500 - 3 * 128);
    QCOMPARE(lines.first().row, (3 * 128 + 1) * 6);
    QVERIFY(pages[1][2].value<QVector<RowLine>>().isEmpty());
}

void TestStoreRowSource::recountsAreJoined()
{
    Table table;
    fill(table, 10);
    table.gated = true;
    StoreRowSource source(readersOf(table));
    QSignalSpy counted(&source, &RowSource::counted);
    source.setFilter({}, 1);
    for (int i = 0; i < 50; ++i)
        source.recount();
    fill(table, 20);
    table.gate.release(2);
    QTRY_COMPARE(counted.size(), 2);
    QCOMPARE(counted[1][1].toLongLong(), 20);
    table.gated = false;
    const std::scoped_lock lock(table.mutex);
    QCOMPARE(table.asked.count(QStringLiteral("count")), 2);
}

void TestStoreRowSource::badSelectorIsTold()
{
    Table table;
    fill(table, 10);
    StoreRowSource source(readersOf(table));
    QSignalSpy failed(&source, &RowSource::failed);
    QSignalSpy counted(&source, &RowSource::counted);
    source.setFilter(QStringLiteral("bad"), 3);
    QTRY_COMPARE(failed.size(), 1);
    QCOMPARE(failed[0][1].toString(), QStringLiteral("bad: no such key"));
    source.recount();
    QTRY_COMPARE(counted.size(), 1);
    QCOMPARE(counted[0][1].toLongLong(), 0); // a selector that cannot be read shows nothing
    source.setFilter({}, 4);
    QTRY_COMPARE(counted.size(), 2);
    QCOMPARE(counted[1][1].toLongLong(), 10);
}

void TestStoreRowSource::readerThatCannotOpenIsTold()
{
    StoreRowSource source([]() -> StoreResult<std::unique_ptr<PageReader>> {
        return tl::unexpected(StoreError{StoreError::Kind::Gone, QStringLiteral("No such file.")});
    });
    QSignalSpy failed(&source, &RowSource::failed);
    source.setFilter({}, 1);
    QTRY_COMPARE(failed.size(), 1);
    QCOMPARE(failed[0][1].toString(), QStringLiteral("No such file."));
}

void TestStoreRowSource::brokenStoreIsToldAndRecovers()
{
    Table table;
    fill(table, 10);
    table.broken = true;
    StoreRowSource source(readersOf(table));
    QSignalSpy failed(&source, &RowSource::failed);
    QSignalSpy counted(&source, &RowSource::counted);
    source.setFilter({}, 1);
    QTRY_COMPARE(failed.size(), 1);
    table.broken = false;
    source.recount();
    QTRY_COMPARE(counted.size(), 1);
}

void TestStoreRowSource::requestText_data()
{
    QTest::addColumn<QByteArray>("url");
    QTest::addColumn<QString>("text");
    const auto row = [](const char *name, const char *url, const char *text) {
        QTest::newRow(name) << QByteArray(url) << QString::fromUtf8(text);
    };
    row("query", "https://m.example/g?address=Ba%C4%9Fdat+Cad.+212", "Bağdat Cad. 212");
    row("two values", "https://m.example/g?a=1&b=2", "1, 2");
    row("secret stays out", "https://m.example/g?a=1&key={secret:maps}", "1");
    row("only a secret", "https://m.example/g?key={secret:maps}", "/g");
    row("path", "https://m.example/item/1%20a#top", "/item/1 a");
    row("host alone", "https://m.example/", "m.example/");
    row("no scheme", "call us", "call us");
    row("empty", "", "");
    row("line break", "http://a/x%0Ay", "/x\xef\xbf\xbdy");
    row("turned around", "http://a/x%E2%80%AEy", "/x\xef\xbf\xbdy");
    row("bad utf-8", "http://a/%FF", "/\xef\xbf\xbd");
}

void TestStoreRowSource::requestText()
{
    QFETCH(QByteArray, url);
    QTEST(muster::requestText(url), "text");
}

QTEST_GUILESS_MAIN(TestStoreRowSource)
#include "tst_storerowsource.moc"
