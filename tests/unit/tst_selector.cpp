// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTemporaryDir>
#include <QTest>

#include "core/store/packing.h"
#include "core/store/project.h"
#include "core/store/schema.h"
#include "core/store/storereader.h"

using namespace muster;

class TestSelector final : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_dir;
    std::unique_ptr<Project> m_project;
    std::unique_ptr<StoreReader> m_reader;

private Q_SLOTS:
    void initTestCase();
    void selects_data();
    void selects();
    void countsAndAnchorsAgree();
    void namesMistakes_data();
    void namesMistakes();
    void globs_data();
    void globs();
    void packsAndUnpacks();
    void streamsTries();
    void findsDamage();
    void knowsNetworkFileSystems();
};

void TestSelector::initTestCase()
{
    const QString path = m_dir.filePath(QStringLiteral("s.muster"));
    m_project = Project::create(path, "{}").value();
    BatchInfo info;
    info.columns = {"id"};
    const qint64 batch = m_project->beginImport(info, utcFromMs(1)).value();
    QVector<IntakeRow> rows;
    for (int i = 1; i <= 6; ++i) {
        IntakeRow r;
        r.line = i;
        r.url = "http://h" + QByteArray::number(i % 2) + ".test/[" + QByteArray::number(i) + "]?q=it's";
        r.host = "h" + QByteArray::number(i % 2) + ".test";
        r.cells = {QByteArray::number(i)};
        r.identity = QByteArray::number(std::min(i, 5)).rightJustified(16, '0'); // 6 is 5 again
        rows.append(r);
    }
    QVERIFY(m_project->addRows(batch, rows));
    QVERIFY(m_project->finishImport(batch));
    DrawOrder order;
    order.room = order.perHost = 10;
    const auto jobs = m_project->draw(order).value().jobs;
    QCOMPARE(jobs.size(), 5);
    QVector<Retired> batchOut;
    for (const Job &j : jobs) {
        if (j.row == 4)
            continue; // stays queued
        QVERIFY(m_project->arm({{j.row, utcFromMs(2), false}}));
        Retired r;
        r.job = j;
        r.attempt = AttemptRecord();
        r.attempt->code = 200;
        r.attempt->proxy = j.row == 2 ? "eu-1" : "";
        r.move = Move::Finish;
        ResultRecord result;
        result.code = 200;
        result.refined.fields =
            "{\"city\":\"Paris " + QByteArray::number(j.row) + "\",\"a.b\":null,\"n\":1.50}";
        if (j.row == 3) {
            r.move = Move::Fail;
            r.failure = {FailureKind::Http5xx, {}, 503, QStringLiteral("unavailable")};
        } else {
            r.result = result;
        }
        batchOut.append(r);
    }
    QVERIFY(m_project->retire(batchOut));
    m_reader = StoreReader::open(path).value();
}

void TestSelector::selects_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QVector<qint64>>("rows");
    const auto row = [](const char *text, const QVector<qint64> &rows) {
        QTest::newRow(text) << QString::fromUtf8(text) << rows;
    };
    row("", {1, 2, 3, 4, 5, 6});
    row("state:done", {1, 2, 5});
    row("state=done", {1, 2, 5});
    row("state:done,failed", {1, 2, 3, 5});
    row("-state:done", {3, 4, 6});
    row("state:d*", {1, 2, 5, 6});
    row("kind:http_5xx", {3});
    row("kind:http_*,dns", {3});
    row("-kind:http_5xx row:1-3", {1, 2});
    row("code:5*", {3});
    row("code:200", {1, 2, 5, 6}); // a duplicate shows its first row's outcome
    row("code:500-599", {3});
    row("row:2-3,5,99", {2, 3, 5});
    row("host:h0.test", {2, 4, 6});
    row("-host:h0*", {1, 3, 5});
    row("proxy:eu-*", {2});
    row("batch:1", {1, 2, 3, 4, 5, 6});
    row("batch:2", {});
    row("run:1 row:1", {1});
    row("url:*[3]*", {3});
    row("url:\"*it's\" row:1", {1});
    row("url:*'--*", {});
    row("city:Paris*", {1, 2, 5, 6});
    row("city:\"Paris 2\"", {2});
    row("-city:Paris*", {3, 4});
    row("a.b:x", {});
    row("n:1.5*", {1, 2, 5, 6});
}

void TestSelector::selects()
{
    QFETCH(QString, text);
    QFETCH(QVector<qint64>, rows);
    const auto s = Selector::parse(text, {"city", "a.b", "n"});
    QVERIFY2(s, s ? "" : qPrintable(sentence(s.error())));
    const auto page = m_reader->page(*s, 0, 100);
    QVERIFY2(page, page ? "" : qPrintable(page.error().what));
    QVector<qint64> got;
    for (const RowView &v : *page)
        got.append(v.row);
    QCOMPARE(got, rows);
    QCOMPARE(m_reader->count(*s).value(), rows.size());
}

void TestSelector::countsAndAnchorsAgree()
{
    const Selector all;
    QCOMPARE(m_reader->anchors(all, 2).value(), QVector<qint64>({1, 3, 5}));
    QCOMPARE(m_reader->anchors(*Selector::parse(QStringLiteral("host:h0*"), {}), 2).value(),
             QVector<qint64>({2, 6}));
    QCOMPARE(m_reader->page(all, 2, 2).value().size(), 2);
    QCOMPARE(m_reader->page(all, 2, 2).value()[0].row, 3);
    QCOMPARE(m_reader->inputColumns().value(), QVector<QByteArray>({"id"}));
    QCOMPARE(m_reader->seq().value(), m_project->seq());
    int seen = 0;
    QVERIFY(m_reader->forEach(all, [&seen](const RowView &) { return ++seen < 4; }));
    QCOMPARE(seen, 4);
    QByteArray thousands = "row:1";
    for (int i = 2; i < 5000; ++i)
        thousands += "," + QByteArray::number(i);
    QCOMPARE(m_reader->count(*Selector::parse(QString::fromLatin1(thousands), {})).value(), 6);
}

void TestSelector::namesMistakes_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("says");
    QTest::newRow("no key") << QStringLiteral("failed") << QStringLiteral("key:value");
    QTest::newRow("colon first") << QStringLiteral(":x") << QStringLiteral("key:value");
    QTest::newRow("unknown key") << QStringLiteral("sate:failed") << QStringLiteral("no key \"sate\"");
    QTest::newRow("unknown state") << QStringLiteral("state:broken") << QStringLiteral("one of queued");
    QTest::newRow("unknown kind") << QStringLiteral("kind:dsn") << QStringLiteral("one of dns");
    QTest::newRow("no number") << QStringLiteral("row:abc") << QStringLiteral("not a number");
    QTest::newRow("no value") << QStringLiteral("host:") << QStringLiteral("missing");
    QTest::newRow("open quote") << QStringLiteral("url:\"x") << QStringLiteral("quote");
}

void TestSelector::namesMistakes()
{
    QFETCH(QString, text);
    QFETCH(QString, says);
    const auto s = Selector::parse(text, {"city"});
    QVERIFY(!s);
    QVERIFY2(sentence(s.error()).contains(says), qPrintable(sentence(s.error())));
}

void TestSelector::globs_data()
{
    QTest::addColumn<QByteArray>("pattern");
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<bool>("fits");
    QTest::newRow("same") << QByteArray("abc") << QByteArray("abc") << true;
    QTest::newRow("shorter") << QByteArray("ab") << QByteArray("abc") << false;
    QTest::newRow("star") << QByteArray("a*c") << QByteArray("abbc") << true;
    QTest::newRow("stars") << QByteArray("*b*b*") << QByteArray("abcb") << true;
    QTest::newRow("one") << QByteArray("a?c") << QByteArray("abc") << true;
    QTest::newRow("one needs one") << QByteArray("a?") << QByteArray("a") << false;
    QTest::newRow("empty") << QByteArray("") << QByteArray("") << true;
    QTest::newRow("all") << QByteArray("**") << QByteArray("") << true;
    QTest::newRow("hostile") << QByteArray("a*").repeated(50) + 'b' << QByteArray(5000, 'a') << false;
}

void TestSelector::globs()
{
    QFETCH(QByteArray, pattern);
    QFETCH(QByteArray, text);
    QFETCH(bool, fits);
    QCOMPARE(globMatches(pattern, text), fits);
}

void TestSelector::packsAndUnpacks()
{
    const QVector<QByteArray> texts{"", "a", QByteArray(300, 'x'), QByteArray("\0\x80", 2), ""};
    QCOMPARE(packing::unpack(packing::pack(texts)), texts);
    QCOMPARE(packing::unpack(packing::pack(texts).left(20)), QVector<QByteArray>({"", "a"}));
    QCOMPARE(packing::unpack(QByteArray(12, '\xff')), QVector<QByteArray>());
    Waits w;
    QVERIFY(packing::packWaits(w).isEmpty());
    w[WaitReason::Bucket] = 1'000'000'007;
    w[WaitReason::Queue] = -5; // a clock that went back
    Waits back = packing::unpackWaits(packing::packWaits(w));
    QCOMPARE(back[WaitReason::Bucket], 1'000'000'007);
    QCOMPARE(back[WaitReason::Queue], 0);
}

void TestSelector::streamsTries()
{
    QVector<qint64> rows;
    QVERIFY(m_reader->forEachAttempt({}, [&rows](const RowView &v, const AttemptView &a) {
        rows.append(v.row);
        return a.number == 1;
    }));
    QCOMPARE(rows, QVector<qint64>({1, 2, 3, 5}));
    int n = 0;
    QVERIFY(m_reader->forEachAttempt({}, [&n](const RowView &, const AttemptView &) { return ++n < 0; }));
    QCOMPARE(n, 1);
}

void TestSelector::findsDamage()
{
    const QString copy = m_dir.filePath(QStringLiteral("damaged.muster"));
    QVERIFY(m_project->copyTo(copy, Project::What::All));
    QFile file(copy);
    QVERIFY(file.open(QIODevice::ReadWrite));
    QByteArray all = file.readAll();
    const qsizetype at = all.indexOf("Paris 2");
    QVERIFY(at > 0);
    file.seek(at);
    file.write("Qaris 2");
    file.close();
    auto reader = StoreReader::open(copy).value();
    const auto page = reader->page({}, 0, 100);
    QVERIFY(!page);
    QCOMPARE(page.error().kind, StoreError::Kind::Corrupt);
    QVERIFY(page.error().what.contains(QStringLiteral("row 2")));
}

void TestSelector::knowsNetworkFileSystems()
{
    QVERIFY(schema::isNetworkFileSystem(0x6969));
    QVERIFY(schema::isNetworkFileSystem(0xffffffffff534d42)); // as a signed f_type shows CIFS
    QVERIFY(!schema::isNetworkFileSystem(0xef53));
}

QTEST_GUILESS_MAIN(TestSelector)
#include "tst_selector.moc"
