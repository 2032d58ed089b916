// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/view/storepagereader.h"

#include <memory>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "core/store/project.h"
#include "core/view/storerowsource.h"

using namespace muster;

namespace {

constexpr int rowCount = 1000;

IntakeRow rowOf(qint64 line)
{
    IntakeRow row;
    row.line = line;
    row.host = line % 2 == 0 ? "even.example" : "odd.example";
    row.url = "http://" + row.host + "/item/" + QByteArray::number(line);
    row.identity = QByteArray::number(line).rightJustified(16, '0');
    return row;
}

} // namespace

// The adapter over the real store, and the row source over the adapter.
class TestStorePageReader : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void pagesOfTheWholeList();
    void selectorNamesRows();
    void fieldNamesAreKeys();
    void wrongSelectorIsASentence();
    void missingFileIsTold();

private:
    QTemporaryDir m_dir;
    QString m_path;
};

void TestStorePageReader::initTestCase()
{
    m_path = m_dir.filePath(QStringLiteral("list.muster"));
    auto project = Project::create(m_path, R"({"fields":[{"name":"lat"}]})");
    QVERIFY2(project.has_value(), project ? "" : qPrintable(project.error().what));
    const auto batch = (*project)->beginImport({}, utcFromMs(1));
    QVERIFY(batch.has_value());
    QVector<IntakeRow> rows;
    for (qint64 line = 1; line <= rowCount; ++line)
        rows.append(rowOf(line));
    QVERIFY((*project)->addRows(*batch, rows).has_value());
    QVERIFY((*project)->finishImport(*batch).has_value());
}

void TestStorePageReader::pagesOfTheWholeList()
{
    StoreRowSource source(storePageReaders(m_path));
    QSignalSpy counted(&source, &RowSource::counted);
    QSignalSpy pages(&source, &RowSource::pageReady);
    QSignalSpy failed(&source, &RowSource::failed);
    source.setFilter({}, 1);
    for (int page = 0; page * RowSource::pageRows < rowCount; ++page)
        source.requestPage(page);
    QTRY_COMPARE(pages.size(), (rowCount + RowSource::pageRows - 1) / RowSource::pageRows);
    QCOMPARE(failed.size(), 0);
    QCOMPARE(counted[0][1].toLongLong(), rowCount);
    qint64 row = 0;
    for (const QVariantList &page : pages)
        for (const RowLine &line : page[2].value<QVector<RowLine>>()) {
            ++row;
            QCOMPARE(line.row, row);
            QCOMPARE(line.state, JobState::Queued);
            QVERIFY(!line.isWaitingToRetry());
            QCOMPARE(line.request, QStringLiteral("/item/%1").arg(row));
            QCOMPARE(line.tookMs, -1);
        }
    QCOMPARE(row, rowCount);
}

void TestStorePageReader::selectorNamesRows()
{
    StoreRowSource source(storePageReaders(m_path));
    QSignalSpy counted(&source, &RowSource::counted);
    QSignalSpy pages(&source, &RowSource::pageReady);
    source.setFilter(QStringLiteral("host:even.example state:queued"), 1);
    source.requestPage(3);
    QTRY_COMPARE(pages.size(), 1);
    QCOMPARE(counted[0][1].toLongLong(), rowCount / 2);
    const auto lines = pages[0][2].value<QVector<RowLine>>();
    QCOMPARE(lines.size(), rowCount / 2 - 3 * RowSource::pageRows);
    QCOMPARE(lines.first().row, (3 * RowSource::pageRows + 1) * 2);
}

void TestStorePageReader::fieldNamesAreKeys()
{
    StoreRowSource source(storePageReaders(m_path));
    QSignalSpy counted(&source, &RowSource::counted);
    QSignalSpy failed(&source, &RowSource::failed);
    source.setFilter(QStringLiteral("lat:5*"), 1);
    QTRY_COMPARE(counted.size(), 1);
    QCOMPARE(failed.size(), 0);
    QCOMPARE(counted[0][1].toLongLong(), 0); // nothing is fetched yet
}

void TestStorePageReader::wrongSelectorIsASentence()
{
    StoreRowSource source(storePageReaders(m_path));
    QSignalSpy failed(&source, &RowSource::failed);
    source.setFilter(QStringLiteral("stat:done"), 1);
    QTRY_COMPARE(failed.size(), 1);
    QVERIFY2(failed[0][1].toString().contains(QLatin1String("stat")), qPrintable(failed[0][1].toString()));
}

void TestStorePageReader::missingFileIsTold()
{
    StoreRowSource source(storePageReaders(m_dir.filePath(QStringLiteral("none.muster"))));
    QSignalSpy failed(&source, &RowSource::failed);
    source.setFilter({}, 1);
    QTRY_COMPARE(failed.size(), 1);
    QVERIFY(!failed[0][1].toString().isEmpty());
}

QTEST_GUILESS_MAIN(TestStorePageReader)
#include "tst_storepagereader.moc"
