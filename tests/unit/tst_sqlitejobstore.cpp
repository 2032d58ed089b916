// SPDX-License-Identifier: GPL-3.0-or-later
#include <QSignalSpy>
#include <QSqlDatabase>
#include <QSqlQuery>
#include <QTemporaryDir>
#include <QTest>

#include "core/store/sqlitejobstore.h"

using namespace muster;

namespace {

void fill(const QString &path, int rows)
{
    auto p = Project::create(path, "{}");
    QVERIFY(p);
    const qint64 batch = (*p)->beginImport({}, utcFromMs(1)).value();
    QVector<IntakeRow> all;
    for (int i = 1; i <= rows; ++i) {
        IntakeRow r;
        r.line = i;
        r.url = "http://a.test/" + QByteArray::number(i);
        r.host = "a.test";
        r.identity = QByteArray::number(i).rightJustified(16, '0');
        all.append(r);
    }
    QVERIFY((*p)->addRows(batch, all));
    QVERIFY((*p)->finishImport(batch));
}

DrawOrder order(int room)
{
    DrawOrder o;
    o.room = room;
    o.perHost = room;
    o.now = utcFromMs(1000);
    return o;
}

Retired requeue(const Job &job)
{
    Retired r;
    r.job = job;
    r.job.notBefore = Utc();
    r.move = Move::Requeue;
    return r;
}

/// Another program that holds the write lock of the file.
class Intruder
{
public:
    explicit Intruder(const QString &path)
        : m_db(QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), QStringLiteral("intruder")))
    {
        m_db.setDatabaseName(path);
        m_db.open();
        run("BEGIN IMMEDIATE");
    }
    ~Intruder()
    {
        m_db.close();
        m_db = QSqlDatabase();
        QSqlDatabase::removeDatabase(QStringLiteral("intruder"));
    }
    Q_DISABLE_COPY_MOVE(Intruder)
    void run(const char *sql) { QSqlQuery(m_db).exec(QLatin1String(sql)); }

private:
    QSqlDatabase m_db;
};

} // namespace

class TestSqliteJobStore final : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_dir;
    int m_files = 0;
    QString made(int rows)
    {
        const QString path = m_dir.filePath(QStringLiteral("%1.muster").arg(++m_files));
        fill(path, rows);
        return path;
    }

private Q_SLOTS:
    void repliesInOrderOnItsOwnThread();
    void mergesArmsIntoOneCommit();
    void oneBadArmingFailsAlone();
    void repeatsWhatALockHeldUp();
    void refusesWhatIsNoProject();
    void finishesWritesWhenItGoes();
    void answersForHosts();
};

void TestSqliteJobStore::repliesInOrderOnItsOwnThread()
{
    SqliteJobStore store;
    QVERIFY(store.open(made(5)));
    QVERIFY(store.openingNotes().isEmpty());
    QStringList seen;
    Drawn drawn;
    store.draw(order(5), [&](const StoreResult<Drawn> &r) {
        QVERIFY(r);
        QCOMPARE(QThread::currentThread(), thread());
        drawn = *r;
        seen << QStringLiteral("draw");
    });
    store.post([](Project &p) { QCOMPARE(p.ledger()[JobState::Queued], 5); },
               [&] { seen << QStringLiteral("post"); });
    store.closedHosts([&](const auto &r) {
        QVERIFY(r);
        seen << QStringLiteral("closed");
    });
    QTRY_COMPARE(seen.size(), 3);
    QCOMPARE(seen, QStringList({QStringLiteral("draw"), QStringLiteral("post"), QStringLiteral("closed")}));
    QCOMPARE(drawn.jobs.size(), 5);
    bool again = false;
    store.giveBack({drawn.jobs[0].row});
    store.draw(order(5), [&](const StoreResult<Drawn> &r) {
        QCOMPARE(r->jobs.size(), 1);
        again = true;
    });
    QTRY_VERIFY(again);
}

void TestSqliteJobStore::mergesArmsIntoOneCommit()
{
    SqliteJobStore store;
    QVERIFY(store.open(made(10)));
    QVector<Job> jobs;
    store.draw(order(10), [&](const StoreResult<Drawn> &r) { jobs = r->jobs; });
    QTRY_COMPARE(jobs.size(), 10);
    QVector<qint64> seqs;
    // The writer is busy until all of them have come.
    QSemaphore busy;
    store.post([&busy](Project &) { busy.acquire(); });
    for (const Job &j : jobs)
        store.arm({{j.row, utcFromMs(5), false}},
                  [&](const StoreResult<qint64> &r) { seqs.append(r.value()); });
    busy.release();
    QTRY_COMPARE(seqs.size(), 10);
    QCOMPARE(QSet<qint64>(seqs.begin(), seqs.end()).size(), 1);
    RetireReceipt receipt;
    QVector<Retired> batch;
    for (const Job &j : jobs)
        batch.append(requeue(j));
    store.retire(batch, [&](const StoreResult<RetireReceipt> &r) { receipt = r.value(); });
    QTRY_COMPARE(receipt.ledger[JobState::Queued], 10);
    QCOMPARE(receipt.seq, seqs[0] + 1);
}

void TestSqliteJobStore::oneBadArmingFailsAlone()
{
    SqliteJobStore store;
    QVERIFY(store.open(made(2)));
    QVector<bool> went;
    QSemaphore busy;
    store.post([&busy](Project &) { busy.acquire(); });
    for (const qint64 row : {1, 77, 2})
        store.arm({{row, utcFromMs(5), false}},
                  [&](const StoreResult<qint64> &r) { went.append(r.has_value()); });
    busy.release();
    QTRY_COMPARE(went.size(), 3);
    QCOMPARE(went, QVector<bool>({true, false, true}));
}

void TestSqliteJobStore::repeatsWhatALockHeldUp()
{
    const QString path = made(1);
    SqliteJobStore store;
    QVERIFY(store.open(path));
    store.post([](Project &p) { p.setBusyTimeout(10); });
    QSignalSpy troubled(&store, &SqliteJobStore::troubled);
    int replies = 0;
    auto intruder = std::make_unique<Intruder>(path);
    store.arm({{1, utcFromMs(5), false}}, [&](const StoreResult<qint64> &r) {
        QVERIFY(r);
        ++replies;
    });
    QTRY_COMPARE(troubled.size(), 1);
    QVERIFY(troubled[0][0].toString().contains(QStringLiteral("locked")));
    QCOMPARE(replies, 0);
    intruder.reset();
    QTRY_COMPARE(troubled.size(), 2);
    QVERIFY(troubled[1][0].toString().isEmpty());
    QTRY_COMPARE(replies, 1);
}

void TestSqliteJobStore::refusesWhatIsNoProject()
{
    SqliteJobStore store;
    const auto r = store.open(m_dir.filePath(QStringLiteral("nothing.muster")));
    QVERIFY(!r);
    QCOMPARE(r.error().kind, StoreError::Kind::Gone);
    // What is asked without a project is not answered, and nothing hangs at the end.
    store.closedHosts([](const auto &) { QFAIL("there is no project"); });
}

void TestSqliteJobStore::finishesWritesWhenItGoes()
{
    const QString path = made(3);
    {
        SqliteJobStore store;
        QVERIFY(store.open(path));
        store.arm({{1, utcFromMs(5), true}}, [](const auto &) {});
    }
    auto p = Project::open(path);
    QVERIFY(p);
    QCOMPARE((*p)->ledger()[JobState::Failed], 1); // armed as a write, and nobody knows how it ended
}

void TestSqliteJobStore::answersForHosts()
{
    SqliteJobStore store;
    QVERIFY(store.open(made(1)));
    QVector<bool> listed;
    for (const char *host : {"a.test", "b.test"})
        store.isListedHost(host, [&](const StoreResult<bool> &r) { listed.append(r.value()); });
    QTRY_COMPARE(listed, QVector<bool>({true, false}));
}

QTEST_GUILESS_MAIN(TestSqliteJobStore)
#include "tst_sqlitejobstore.moc"
