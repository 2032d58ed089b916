// SPDX-License-Identifier: GPL-3.0-or-later
#include <csignal>
#include <QCryptographicHash>
#include <QRandomGenerator>
#include <QSqlDatabase>
#include <QSqlError>
#include <QSqlQuery>
#include <QTemporaryDir>
#include <QTest>
#include <sys/wait.h>
#include <unistd.h>

#include "core/store/project.h"
#include "core/store/storereader.h"

using namespace muster;

namespace {

QByteArray identity(const QByteArray &url)
{
    return QCryptographicHash::hash(url, QCryptographicHash::Md5);
}

IntakeRow line(qint64 n, const QByteArray &url, const QByteArray &host, const QVector<QByteArray> &cells = {})
{
    return {n, url, cells, host, identity(url), {}};
}

Utc at(qint64 ms)
{
    return utcFromMs(1'700'000'000'000 + ms);
}

DrawOrder order(int room, int perHost = 1000)
{
    DrawOrder o;
    o.room = room;
    o.perHost = perHost;
    o.now = at(0);
    return o;
}

Retired done(Job job, const QByteArray &fields = "{}")
{
    Retired r;
    ++job.tries;
    ++job.attempts;
    job.firstStartedAt = at(5);
    job.waits[WaitReason::Bucket] += 40;
    r.job = job;
    r.move = Move::Finish;
    AttemptRecord a;
    a.code = 200;
    a.url = job.url;
    a.timings = {at(5), 1, 2, 3, 6};
    a.waits[WaitReason::Bucket] = 40;
    a.bytes = 10;
    a.sends = 1;
    r.attempt = a;
    ResultRecord result;
    result.code = result.firstCode = 200;
    result.finalUrl = job.url;
    result.contentType = "text/plain";
    result.bytes = 10;
    result.bodyHash = QByteArray(20, 'h');
    result.refined.fields = fields;
    r.result = result;
    return r;
}

Retired failed(Job job, FailureKind kind, int code = 0)
{
    Retired r = done(job);
    r.result.reset();
    r.move = Move::Fail;
    r.failure = {kind, {}, code, {}};
    r.attempt->failure = r.failure;
    r.attempt->code = code;
    return r;
}

} // namespace

class TestProject final : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_dir;
    QString path(const char *name) const { return m_dir.filePath(QLatin1String(name)); }
    static std::unique_ptr<Project> make(const QString &path, const QVector<IntakeRow> &rows,
                                         const QByteArray &settings = "{}");

private Q_SLOTS:
    void carriesARowFromImportToResult();
    void DD01_mergesByIdentityAlone();
    void PE02_knowsWhatIsThere();
    void fetchesDuplicatesWhenAsked();
    void dropsAnUnfinishedImport();
    void oneImportAtATime();
    void comparesTheSecondHalfOfAnIdentity();
    void drawsHostByHostInTurns();
    void aSlowHostDoesNotFillTheTeam();
    void dueRetriesComeFirst();
    void drawsWhatIsGivenBack();
    void doesNotDrawFromAnOpenImport();
    void firstGoesFirst();
    void refusesAnIllegalMove();
    void keepsWhatAnAnswerBrings();
    void retriesSkipsAndAccepts();
    void rendersAnew();
    void copies();
    void putsFlightsBackAfterACrash();
    void survivesKills();
    void mendsItsCounters();
    void leavesStrangersAlone_data();
    void leavesStrangersAlone();
    void leavesANewerProjectAlone();
    void keepsSettingsAndHistory();
    void followsARandomStory();

private:
    void checkInvariants(const QString &path, qint64 takenIn, int maxTries = 4);
};

std::unique_ptr<Project> TestProject::make(const QString &path, const QVector<IntakeRow> &rows,
                                           const QByteArray &settings)
{
    auto p = Project::create(path, settings);
    if (!p)
        qFatal("%s", qPrintable(p.error().what));
    if (!rows.isEmpty()) {
        BatchInfo info;
        info.columns = {"a", "b"};
        const qint64 batch = (*p)->beginImport(info, at(0)).value();
        if (!(*p)->addRows(batch, rows) || !(*p)->finishImport(batch))
            qFatal("import failed");
    }
    return std::move(*p);
}

void TestProject::carriesARowFromImportToResult()
{
    const QString file = path("whole.muster");
    auto p = make(file, {line(1, "http://a.test/1", "a.test", {"x", "y"}),
                         line(2, "http://a.test/1", "a.test"),
                         line(3, "http://b.test/2", "b.test"),
                         {4, "::", {}, {}, {}, QStringLiteral("no URL")}});
    QCOMPARE(p->ledger()[JobState::Queued], 2);
    QCOMPARE(p->ledger()[JobState::Duplicate], 1);
    QCOMPARE(p->ledger()[JobState::Refused], 1);
    QVERIFY(p->ledger().balanced());
    Drawn d = p->draw(order(10)).value();
    QCOMPARE(d.jobs.size(), 2);
    QCOMPARE(d.jobs[0].row, 1);
    QCOMPARE(d.jobs[0].input.cell("b"), QByteArray("y"));
    QVERIFY(!d.more);
    QCOMPARE(p->draw(order(10)).value().jobs.size(), 0);
    QVERIFY(p->arm({{1, at(3), false}, {3, at(3), false}}));
    QCOMPARE(p->ledger()[JobState::InFlight], 2);
    const RetireReceipt r =
        p->retire({done(d.jobs[0], "{\"x\":1}"), failed(d.jobs[1], FailureKind::Dns)}).value();
    QCOMPARE(r.ledger[JobState::Done], 1);
    QCOMPARE(r.ledger[JobState::Failed], 1);
    QVERIFY(r.ledger.balanced());

    auto reader = StoreReader::open(file).value();
    QCOMPARE(reader->ledger().value(), r.ledger);
    const QVector<RowView> rows = reader->page({}, 0, 100).value();
    QCOMPARE(rows.size(), 4);
    QCOMPARE(rows[0].fields, QByteArray("{\"x\":1}"));
    QCOMPARE(rows[1].state, JobState::Duplicate);
    QCOMPARE(rows[1].fields, rows[0].fields);
    QCOMPARE(rows[2].failure.kind, FailureKind::Dns);
    QCOMPARE(rows[3].failure.note, QStringLiteral("no URL"));
    QCOMPARE(reader->failures(10).value().size(), 1);
}

void TestProject::checkInvariants(const QString &path, qint64 takenIn, int maxTries)
{
    const QString name = QStringLiteral("check");
    {
        QSqlDatabase db = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), name);
        db.setConnectOptions(QStringLiteral("QSQLITE_OPEN_READONLY"));
        db.setDatabaseName(path);
        QVERIFY(db.open());
        const auto rows = [&db](const char *sql) {
            QSqlQuery q(db);
            if (!q.exec(QLatin1String(sql)))
                return q.lastError().text();
            QStringList all;
            while (q.next())
                all << q.value(0).toString();
            return all.join(QLatin1Char(' '));
        };
        const QString zero = QStringLiteral("0");
        QCOMPARE(rows("PRAGMA integrity_check"), QStringLiteral("ok")); // I1
        QCOMPARE(rows("PRAGMA foreign_key_check"), QString());
        QCOMPARE(rows("SELECT count(*) FROM row"), QString::number(takenIn)); // I2
        QCOMPARE(
            rows("SELECT count(*) FROM row WHERE state NOT IN('queued','in_flight','done','failed','skipped',"
                 "'duplicate','refused')"),
            zero); // I3
        QCOMPARE(rows("SELECT c.state FROM counter c JOIN (SELECT state,count(*) n FROM row GROUP BY 1) j "
                      "USING(state) WHERE c.n<>j.n"),
                 QString());
        QCOMPARE(rows("SELECT count(*) FROM row j LEFT JOIN result r ON r.row=j.row AND r.run=j.run WHERE "
                      "(j.state='done') <> (r.row IS NOT NULL)"),
                 zero);                                                                              // I4
        QCOMPARE(rows("SELECT count(*) FROM row WHERE state='in_flight' AND run<>1"), zero);         // I5
        QCOMPARE(rows("SELECT count(*) FROM row WHERE state='queued' AND not_before > 1e14"), zero); // I7
        QCOMPARE(rows(qPrintable(QStringLiteral("SELECT count(*) FROM row WHERE tries > %1").arg(maxTries))),
                 zero);
        QCOMPARE(
            rows("SELECT f.kind FROM failure f LEFT JOIN (SELECT kind, host, code, count(*) n FROM row WHERE "
                 "state='failed' GROUP BY 1,2,3) r USING(kind, host, code) WHERE f.n IS NOT r.n"),
            QString());
        db.close();
    }
    QSqlDatabase::removeDatabase(name);
}

void TestProject::DD01_mergesByIdentityAlone()
{
    // What the normaliser makes equal is equal here, and nothing else.
    const QString file = path("DD-01.muster");
    auto p =
        make(file, {line(1, "http://ok.test", "ok.test"), line(2, "/Product/ABC", "ok.test"),
                    line(3, "/product/abc", "ok.test"), line(4, "/c", "ok.test"), line(5, "/c/", "ok.test")});
    QCOMPARE(p->ledger()[JobState::Queued], 5);
    const qint64 batch = p->beginImport({}, at(1)).value();
    IntakeRow slash = line(1, "http://new.test/", "new.test");
    slash.identity = identity("http://new.test");
    IntakeRow known = line(3, "http://ok.test/", "ok.test");
    known.identity = identity("http://ok.test");
    QVERIFY(p->addRows(batch, {line(2, "http://new.test", "new.test"), slash, known}));
    const ImportCounts counts = p->finishImport(batch).value();
    QCOMPARE(counts, (ImportCounts{3, 2, 1, 0, 1}));
    const auto rows = StoreReader::open(file).value()->page({}, 5, 10).value();
    QCOMPARE(rows.size(), 2);
    QCOMPARE(rows[1].duplicateOf, rows[0].row);
    QCOMPARE(rows[1].url, QByteArray("http://new.test/"));
}

void TestProject::PE02_knowsWhatIsThere()
{
    const QString file = path("PE-02.muster");
    QVector<IntakeRow> list;
    for (int i = 1; i <= 10; ++i)
        list.append(line(i, "http://a.test/" + QByteArray::number(i), "a.test"));
    {
        auto p = make(file, list);
        const Drawn d = p->draw(order(4)).value();
        QCOMPARE(d.jobs.size(), 4);
        for (const Job &j : d.jobs) {
            QVERIFY(p->arm({{j.row, at(1), false}}));
            QVERIFY(p->retire({done(j)}));
        }
    }
    auto p = Project::open(file).value();
    QVERIFY(p->openingNotes().isEmpty());
    QCOMPARE(p->draw(order(100)).value().jobs.size(), 6);
    const qint64 batch = p->beginImport({}, at(9)).value();
    QVERIFY(p->addRows(batch, list));
    QCOMPARE(p->finishImport(batch).value(), (ImportCounts{10, 0, 0, 0, 10}));
    QCOMPARE(p->ledger().total(), 10);
    checkInvariants(file, 10);
}

void TestProject::fetchesDuplicatesWhenAsked()
{
    auto p = make(path("fetch.muster"), {line(1, "u", "a.test"), line(2, "u", "a.test")},
                  R"({"request":{"duplicates":"fetch"}})");
    QCOMPARE(p->ledger()[JobState::Queued], 2);
}

void TestProject::dropsAnUnfinishedImport()
{
    const QString file = path("unfinished.muster");
    {
        auto p = make(file, {line(1, "u", "a.test")});
        const qint64 batch = p->beginImport({}, at(1)).value();
        QVERIFY(p->addRows(batch, {line(1, "v", "b.test"), line(2, "v", "b.test")}));
        QCOMPARE(p->ledger().total(), 3);
        QVERIFY(p->isListedHost("b.test").value());
    }
    auto p = Project::open(file).value();
    QCOMPARE(p->openingNotes().size(), 1);
    QCOMPARE(p->ledger().total(), 1);
    QVERIFY(p->ledger().balanced());
    QVERIFY(!p->isListedHost("b.test").value());
    QVERIFY(p->isListedHost("a.test").value());
    const qint64 batch = p->beginImport({}, at(1)).value();
    QVERIFY(p->addRows(batch, {line(1, "w", "a.test")}));
    QVERIFY(p->dropImport(batch));
    checkInvariants(file, 1);
}

void TestProject::oneImportAtATime()
{
    auto p = make(path("one.muster"), {});
    const qint64 batch = p->beginImport({}, at(1)).value();
    QCOMPARE(p->beginImport({}, at(1)).error().kind, StoreError::Kind::Busy);
    QVERIFY(!p->addRows(batch + 1, {}));
    QVERIFY(!p->finishImport(batch + 1));
    QVERIFY(!p->dropImport(0));
    QCOMPARE(p->setSettings("{}", {}, {}, {}, at(1), [](const Job &) { return IntakeRow(); }).error().kind,
             StoreError::Kind::Busy);
}

void TestProject::comparesTheSecondHalfOfAnIdentity()
{
    QVector<IntakeRow> rows;
    for (const char *second : {"aaaaaaaa", "bbbbbbbb", "cccccccc", "bbbbbbbb"}) {
        IntakeRow r = line(rows.size() + 1, second, "a.test");
        r.identity = QByteArray("8 bytes.") + second;
        rows.append(r);
    }
    auto p = make(path("collide.muster"), rows);
    QCOMPARE(p->ledger()[JobState::Queued], 3);
    QCOMPARE(p->ledger()[JobState::Duplicate], 1);
}

void TestProject::drawsHostByHostInTurns()
{
    QVector<IntakeRow> rows;
    for (int i = 0; i < 30; ++i)
        rows.append(line(i, QByteArray::number(i), i < 20 ? "a.test" : i < 28 ? "b.test" : "c.test"));
    auto p = make(path("turns.muster"), rows);
    const Drawn d = p->draw(order(9)).value();
    QCOMPARE(d.jobs.size(), 9);
    QMap<QByteArray, int> per;
    for (const Job &j : d.jobs)
        ++per[j.host];
    QCOMPARE(per.value("c.test"), 2);
    QVERIFY(per.value("a.test") >= 3 && per.value("b.test") >= 3);
    QVERIFY(d.more);
    QCOMPARE(d.queuedLeft, 21);
    QSet<QByteArray> first;
    for (int i = 0; i < 3; ++i)
        first << d.jobs[i].host;
    QCOMPARE(first.size(), 3);
}

void TestProject::aSlowHostDoesNotFillTheTeam()
{
    QVector<IntakeRow> rows;
    for (int i = 0; i < 50; ++i)
        rows.append(line(i, "s" + QByteArray::number(i), "slow.test"));
    for (int i = 0; i < 50; ++i)
        rows.append(line(50 + i, "q" + QByteArray::number(i), "quick.test"));
    auto p = make(path("slow.muster"), rows);
    DrawOrder o = order(10, 5);
    QCOMPARE(p->draw(o).value().jobs.size(), 10);
    o.holding = {{"slow.test", 5}, {"quick.test", 1}, {"unknown.test", 3}};
    o.room = 4;
    const Drawn more = p->draw(o).value();
    for (const Job &j : more.jobs)
        QCOMPARE(j.host, QByteArray("quick.test"));
    // Without room a host that holds nothing still gets one; one that is passed over does not.
    o.holding = {{"slow.test", 5}};
    o.room = 0;
    QCOMPARE(p->draw(o).value().jobs.size(), 1);
    o.passOver = {"quick.test"};
    const Drawn none = p->draw(o).value();
    QCOMPARE(none.jobs.size(), 0);
    QVERIFY(none.more);
}

void TestProject::dueRetriesComeFirst()
{
    auto p = make(path("retries.muster"),
                  {line(1, "a", "a.test"), line(2, "b", "a.test"), line(3, "c", "a.test")});
    Drawn d = p->draw(order(2)).value();
    for (Job &j : d.jobs) {
        Retired r = done(j);
        r.result.reset();
        r.move = Move::Requeue;
        r.job.notBefore = at(j.row * 100);
        QVERIFY(p->arm({{j.row, at(1), false}}));
        QVERIFY(p->retire({r}));
    }
    QCOMPARE(p->ledger().waiting, 2);
    DrawOrder o = order(1);
    o.now = at(50);
    QCOMPARE(p->draw(o).value().jobs[0].row, 3);
    Drawn later = p->draw(o).value();
    QCOMPARE(later.jobs.size(), 0);
    QVERIFY(!later.more);
    QCOMPARE(later.nextDue, std::optional<Utc>(at(100)));
    p->giveBack({3});
    o.now = at(150);
    later = p->draw(o).value();
    QCOMPARE(later.jobs[0].row, 1);
    QCOMPARE(later.jobs[0].tries, 1);
    QCOMPARE(later.jobs[0].waits[WaitReason::Bucket], 40);
    QCOMPARE(later.jobs[0].firstStartedAt, at(5));
    QCOMPARE(later.nextDue, std::optional<Utc>(at(200)));
    o.room = 5;
    o.now = at(250);
    const Drawn rest = p->draw(o).value();
    QCOMPARE(rest.jobs.size(), 2);
    QCOMPARE(rest.jobs[0].row, 2);
    QCOMPARE(rest.jobs[1].row, 3);
}

void TestProject::drawsWhatIsGivenBack()
{
    auto p = make(path("back.muster"), {line(1, "a", "a.test"), line(2, "b", "a.test")});
    QCOMPARE(p->draw(order(5)).value().jobs.size(), 2);
    p->giveBack({1, 99});
    const Drawn d = p->draw(order(5)).value();
    QCOMPARE(d.jobs.size(), 1);
    QCOMPARE(d.jobs[0].row, 1);
}

void TestProject::doesNotDrawFromAnOpenImport()
{
    auto p = make(path("open.muster"), {line(1, "a", "a.test")});
    const qint64 batch = p->beginImport({}, at(1)).value();
    QVERIFY(p->addRows(batch, {line(1, "b", "a.test"), line(2, "c", "b.test")}));
    QCOMPARE(p->draw(order(5)).value().jobs.size(), 1);
    QVERIFY(p->addRows(batch, {line(3, "d", "a.test")}));
    QCOMPARE(p->draw(order(5)).value().jobs.size(), 0);
    QVERIFY(p->finishImport(batch));
    QCOMPARE(p->draw(order(5)).value().jobs.size(), 3);
}

void TestProject::firstGoesFirst()
{
    auto p =
        make(path("first.muster"), {line(1, "a", "a.test"), line(2, "b", "a.test"), line(3, "c", "b.test")});
    const auto c =
        p->apply(Project::Verb::First, *Selector::parse(QStringLiteral("row:2-3"), {}), at(1)).value();
    QCOMPARE(c.changed, 2);
    QVERIFY(p->apply(Project::Verb::First, *Selector::parse(QStringLiteral("row:3"), {}), at(1)));
    const Drawn d = p->draw(order(3)).value();
    QCOMPARE(d.jobs[0].row, 3);
    QCOMPARE(d.jobs[1].row, 2);
    QCOMPARE(d.jobs[0].priority, 2);
}

void TestProject::refusesAnIllegalMove()
{
    const QString file = path("illegal.muster");
    auto p = make(file, {line(1, "a", "a.test"), line(2, "b", "a.test")});
    const Drawn d = p->draw(order(2)).value();
    const qint64 seq = p->seq();
    const Ledger before = p->ledger();
    // A queued row cannot be done; the good one of the same batch is not written either.
    QVERIFY(p->arm({{1, at(1), false}}));
    QCOMPARE(p->retire({done(d.jobs[0]), done(d.jobs[1])}).error().kind, StoreError::Kind::Internal);
    QVERIFY(!p->arm({{1, at(1), false}}));
    QVERIFY(!p->arm({{7, at(1), false}}));
    Retired empty = done(d.jobs[0]);
    empty.result.reset();
    QVERIFY(p->retire({empty}).error().what.contains(QStringLiteral("without a result")));
    QCOMPARE(p->seq(), seq + 1);
    QCOMPARE(p->ledger()[JobState::Done], before[JobState::Done]);
    QVERIFY(p->retire({done(d.jobs[0])}));
    checkInvariants(file, 2);
}

void TestProject::keepsWhatAnAnswerBrings()
{
    const QString file = path("brings.muster");
    auto p = make(file, {line(1, "http://a.test/", "a.test", {"x", "y"})});
    Retired r = done(p->draw(order(1)).value().jobs[0]);
    r.result->refined.records = {"{\"n\":1}", "{\"n\":2}"};
    r.hostClosedUntil = at(5000);
    r.attempt->url = "http://cdn.test/x";
    r.attempt->hops = {{302, "http://cdn.test/x"}};
    NewRow next{"http://a.test/?page=2", "a.test", identity("p2"), true, 1, 1, 1};
    NewRow link{"http://b.test/", "b.test", identity("b"), false, 0, 0, 1};
    r.newRows = {next, link, link};
    QVERIFY(p->arm({{1, at(1), false}}));
    const Ledger l = p->retire({r}).value().ledger;
    QCOMPARE(l.nextPages, 1);
    QCOMPARE(l.found, 1);
    QVERIFY(l.balanced());
    QCOMPARE(p->closedHosts().value(), (QHash<QByteArray, Utc>{{"cdn.test", at(5000)}}));
    QVERIFY(!p->isListedHost("b.test").value());
    const Drawn d = p->draw(order(5)).value();
    QCOMPARE(d.jobs.size(), 2);
    for (const Job &j : d.jobs) {
        QVERIFY(j.received);
        QCOMPARE(j.parent, 1);
        QCOMPARE(j.input.cell("a").value_or("none"), j.page > 0 ? QByteArray("x") : QByteArray("none"));
    }
    auto reader = StoreReader::open(file).value();
    const auto rows = reader->page({}, 0, 9).value();
    QCOMPARE(rows[0].records, r.result->refined.records);
    QCOMPARE(rows[1].foundOn, 1);
    const auto tries = reader->attempts(1).value();
    QCOMPARE(tries.size(), 1);
    QCOMPARE(tries[0].record.hops, r.attempt->hops);
    QCOMPARE(tries[0].record.waits, r.attempt->waits);
    QCOMPARE(reader->waits().value()[WaitReason::Bucket], 40);
    const auto hosts = reader->hosts(10, at(1)).value();
    QCOMPARE(hosts.size(), 3);
    QCOMPARE(hosts[0].state, HostState::Closed);
    QCOMPARE(hosts[1].waiting, 1);
    checkInvariants(file, 3);
}

void TestProject::retriesSkipsAndAccepts()
{
    const QString file = path("verbs.muster");
    auto p = make(file, {line(1, "a", "a.test"), line(2, "b", "a.test"), line(3, "c", "a.test"),
                         line(4, "d", "a.test"), line(5, "d", "a.test")});
    const Drawn d = p->draw(order(3)).value();
    QVERIFY(p->arm({{1, at(1), false}, {2, at(1), false}, {3, at(1), false}}));
    Retired withAnswer = failed(d.jobs[0], FailureKind::Http4xx, 404);
    withAnswer.result = done(d.jobs[0]).result;
    withAnswer.result->code = 404;
    QVERIFY(p->retire({withAnswer, failed(d.jobs[1], FailureKind::Dns), done(d.jobs[2])}));
    auto reader = StoreReader::open(file).value();
    QCOMPARE(reader->page(*Selector::parse(QStringLiteral("kind:http_4xx code:4*"), {}), 0, 9).value().size(),
             1);
    checkInvariants(file, 5);
    const Selector all;
    auto c = p->apply(Project::Verb::Accept, all, at(1)).value();
    QCOMPARE(c.changed, 1);
    QCOMPARE(c.left, 4);
    QCOMPARE(p->ledger()[JobState::Done], 2);
    checkInvariants(file, 5);
    c = p->apply(Project::Verb::Skip, *Selector::parse(QStringLiteral("state:queued,failed"), {}), at(1))
            .value();
    QCOMPARE(c.changed, 2); // row 2, row 4
    QCOMPARE(reader->page(*Selector::parse(QStringLiteral("row:5"), {}), 0, 9).value()[0].failure.note,
             QStringLiteral("skipped by a person"));
    c = p->apply(Project::Verb::Retry, all, at(1)).value();
    QCOMPARE(c.changed, 2);
    checkInvariants(file, 5);
    QCOMPARE(reader->failures(5).value().size(), 0);
    const Drawn again = p->draw(order(9)).value();
    QCOMPARE(again.jobs.size(), 2);
    QCOMPARE(again.jobs[0].tries, 0);
    QCOMPARE(again.jobs[0].attempts, 1);
    // What the team holds is about to be sent: skip leaves it.
    QCOMPARE(p->apply(Project::Verb::Skip, all, at(1)).value().changed, 0);
}

void TestProject::rendersAnew()
{
    const QString file = path("rerender.muster");
    auto p = make(file, {line(1, "a", "a.test", {"1", "x"}),
                         line(2, "b", "a.test", {"2", "x"}),
                         line(3, "b", "a.test", {"3", "y"}),
                         {4, "d", {"4", ""}, {}, {}, QStringLiteral("bad")},
                         line(5, "e", "a.test", {"5", "x"})});
    const Job sent = p->draw(order(1)).value().jobs[0];
    QVERIFY(p->arm({{1, at(1), false}}));
    QVERIFY(p->retire({done(sent)}));
    const auto c = p->setSettings(p->settings(), {}, {}, {}, at(1), [](const Job &j) {
                        IntakeRow r = line(j.line, j.url, "b.test");
                        const QByteArray key = j.input.cell("b").value();
                        r.identity = identity(key);
                        if (key == "y")
                            r.refused = QStringLiteral("no y");
                        return r;
                    }).value();
    QCOMPARE(c.changed, 4); // all that were not sent; 3: refused, 4: queued, 5: duplicate of 2
    const auto rows = StoreReader::open(file).value()->page({}, 0, 9).value();
    QCOMPARE(rows[0].state, JobState::Done);
    QCOMPARE(rows[1].state, JobState::Queued);
    QCOMPARE(rows[2].state, JobState::Refused);
    QCOMPARE(rows[2].failure.note, QStringLiteral("no y"));
    QCOMPARE(rows[3].state, JobState::Queued);
    QCOMPARE(rows[4].duplicateOf, 2);
    QCOMPARE(p->draw(order(9)).value().jobs.size(), 2);
    checkInvariants(file, 5);
}

void TestProject::copies()
{
    const QString file = path("copy.muster");
    auto p =
        make(file,
             {line(1, "a", "a.test"), line(2, "a", "a.test"), line(3, "b", "b.test"), line(4, "c", "b.test")},
             "{\"name\":\"x\"}");
    const Drawn d = p->draw(order(2)).value();
    QVERIFY(p->arm({{1, at(1), false}, {3, at(1), false}}));
    QVERIFY(p->retire({done(d.jobs[0]), failed(d.jobs[1], FailureKind::Dns)}));
    QVERIFY(p->copyTo(path("c-all.muster"), Project::What::All));
    QVERIFY(p->copyTo(path("c-settings.muster"), Project::What::Settings));
    QVERIFY(p->copyTo(path("c-todo.muster"), Project::What::Todo));
    QVERIFY(p->copyTo(file, Project::What::All).error().what.contains(QStringLiteral("there already")));
    QVERIFY(!p->copyTo(path("no/such/folder.muster"), Project::What::Settings));
    auto all = Project::open(path("c-all.muster")).value();
    QCOMPARE(all->ledger(), p->ledger());
    QCOMPARE(all->settings(), QByteArray("{\"name\":\"x\"}"));
    QCOMPARE(Project::open(path("c-settings.muster")).value()->ledger().total(), 0);
    auto todo = Project::open(path("c-todo.muster")).value();
    QVERIFY(todo->openingNotes().isEmpty());
    QCOMPARE(todo->ledger().total(), 2);
    QCOMPARE(todo->draw(order(9)).value().jobs[0].row, 4);
    checkInvariants(path("c-todo.muster"), 2);
    QCOMPARE(QFile(path("c-all.muster")).permissions() & QFile::ReadGroup, QFile::Permissions());
    QCOMPARE(QFile(file).permissions() & (QFile::ReadGroup | QFile::ReadOther), QFile::Permissions());
    QVERIFY(QDir(m_dir.path()).entryList({QStringLiteral(".*")}, QDir::Files | QDir::Hidden).isEmpty());
}

void TestProject::putsFlightsBackAfterACrash()
{
    const QString file = path("crash.muster");
    const QString left = path("left.muster");
    {
        auto p = make(file, {line(1, "a", "a.test"), line(2, "b", "a.test"), line(3, "c", "a.test")});
        QCOMPARE(p->draw(order(3)).value().jobs.size(), 3);
        QVERIFY(p->arm({{1, at(7), false}, {2, at(8), true}}));
        QVERIFY(QFile::copy(file, left)); // as a kill leaves it: file and log
        QVERIFY(QFile::copy(file + QStringLiteral("-wal"), left + QStringLiteral("-wal")));
    }
    auto p = Project::open(left).value();
    QCOMPARE(p->openingNotes().size(), 2);
    QCOMPARE(p->ledger()[JobState::Queued], 2);
    QCOMPARE(p->ledger()[JobState::Failed], 1);
    auto reader = StoreReader::open(left).value();
    const auto rows = reader->page({}, 0, 9).value();
    QCOMPARE(rows[0].attempts, 0);
    QCOMPARE(rows[1].failure, (Failure{FailureKind::ClosedEarly, "send_uncertain", 0,
                                       QStringLiteral("in flight when the program ended")}));
    QCOMPARE(reader->attempts(2).value().size(), 1);
    QCOMPARE(rows[1].timings.startedAt, at(8));
    checkInvariants(left, 3);
    p.reset();
    QVERIFY(Project::open(left).value()->openingNotes().isEmpty()); // once is enough
}

void TestProject::survivesKills()
{
    const QString file = path("PE-01.muster");
    {
        QVector<IntakeRow> list;
        for (int i = 1; i <= 400; ++i)
            list.append(line(i, "http://a.test/" + QByteArray::number(i), "a.test"));
        make(file, list);
    }
    for (int kill = 0; kill < 5; ++kill) {
        int pipe[2];
        QCOMPARE(::pipe(pipe), 0);
        const pid_t child = ::fork();
        if (child == 0) {
            auto p = Project::open(file).value();
            for (;;) {
                const Drawn d = p->draw(order(3)).value();
                QVector<Arming> armings;
                QVector<Retired> batch;
                for (const Job &j : d.jobs) {
                    armings.append({j.row, at(1), false});
                    batch.append(done(j));
                }
                if (batch.isEmpty() || !p->arm(armings) || !p->retire(batch))
                    ::_exit(1);
                for (const Job &j : d.jobs) // acknowledged after the commit
                    (void)!::write(pipe[1], &j.row, sizeof j.row);
            }
        }
        ::close(pipe[1]);
        qint64 row = 0;
        QSet<qint64> acknowledged;
        while (acknowledged.size() < 20 + kill * 7 && ::read(pipe[0], &row, sizeof row) == sizeof row)
            acknowledged << row;
        ::kill(child, SIGKILL);
        ::waitpid(child, nullptr, 0);
        while (::read(pipe[0], &row, sizeof row) == sizeof row)
            acknowledged << row;
        ::close(pipe[0]);
        auto p = Project::open(file).value();
        QCOMPARE(p->ledger()[JobState::InFlight], 0);
        QCOMPARE(p->ledger().total(), 400);
        QVERIFY(p->ledger()[JobState::Done] >= acknowledged.size());
        const auto rows = StoreReader::open(file).value()->page({}, 0, 400).value();
        for (const qint64 r : acknowledged)
            QCOMPARE(rows[r - 1].state, JobState::Done);
        checkInvariants(file, 400);
    }
}

void TestProject::mendsItsCounters()
{
    const QString file = path("counters.muster");
    make(file, {line(1, "a", "a.test"), line(2, "b", "a.test")});
    {
        QSqlDatabase db = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), QStringLiteral("edit"));
        db.setDatabaseName(file);
        QVERIFY(db.open());
        QVERIFY(QSqlQuery(db).exec(QStringLiteral("UPDATE counter SET n=7 WHERE state='queued'")));
    }
    QSqlDatabase::removeDatabase(QStringLiteral("edit"));
    auto p = Project::open(file).value();
    QCOMPARE(p->openingNotes().size(), 1);
    QVERIFY(p->openingNotes()[0].contains(QStringLiteral("queued as 7, the rows say 2")));
    QCOMPARE(p->ledger()[JobState::Queued], 2);
    checkInvariants(file, 2);
}

void TestProject::leavesStrangersAlone_data()
{
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QString>("sql");
    QTest::addColumn<QString>("says");
    const QString none;
    QTest::newRow("empty") << QByteArray("") << none << QStringLiteral("empty");
    QTest::newRow("text") << QByteArray("http://a.test/\n").repeated(50) << none << QStringLiteral("damaged");
    QTest::newRow("other program") << QByteArray() << QStringLiteral("PRAGMA application_id=1")
                                   << QStringLiteral("another program");
    QTest::newRow("view") << QByteArray() << QStringLiteral("CREATE VIEW v AS SELECT 1")
                          << QStringLiteral(": v");
    QTest::newRow("trigger") << QByteArray()
                             << QStringLiteral(
                                    "CREATE TRIGGER t AFTER INSERT ON row BEGIN DELETE FROM host; END")
                             << QStringLiteral(": t");
    QTest::newRow("lacks a table") << QByteArray() << QStringLiteral("DROP TABLE link")
                                   << QStringLiteral("lacks");
    QTest::newRow("no version") << QByteArray() << QStringLiteral("PRAGMA user_version=0")
                                << QStringLiteral("no known");
}

void TestProject::leavesStrangersAlone()
{
    QFETCH(QByteArray, content);
    QFETCH(QString, sql);
    QFETCH(QString, says);
    QTemporaryDir dir;
    const QString file = dir.filePath(QStringLiteral("strange.muster"));
    if (!sql.isEmpty()) {
        make(file, {});
        {
            QSqlDatabase db = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), QStringLiteral("edit"));
            db.setDatabaseName(file);
            QVERIFY(db.open());
            QVERIFY(QSqlQuery(db).exec(sql));
        }
        QSqlDatabase::removeDatabase(QStringLiteral("edit"));
    } else {
        QFile f(file);
        QVERIFY(f.open(QIODevice::WriteOnly));
        f.write(content);
    }
    const auto project = Project::open(file);
    QVERIFY(!project);
    QVERIFY2(project.error().what.contains(says), qPrintable(project.error().what));
    QVERIFY(!StoreReader::open(file));
    QCOMPARE(Project::open(dir.path()).error().kind, StoreError::Kind::Corrupt);
    QCOMPARE(Project::open(dir.filePath(QStringLiteral("no"))).error().kind, StoreError::Kind::Gone);
}

void TestProject::leavesANewerProjectAlone()
{
    const QString file = path("newer.muster");
    make(file, {line(1, "a", "a.test")});
    {
        QSqlDatabase db = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), QStringLiteral("edit"));
        db.setDatabaseName(file);
        QVERIFY(db.open());
        QVERIFY(QSqlQuery(db).exec(QStringLiteral("PRAGMA user_version=99")));
    }
    QSqlDatabase::removeDatabase(QStringLiteral("edit"));
    const auto hash = [&file] {
        QFile f(file);
        return f.open(QIODevice::ReadOnly) ? identity(f.readAll()) : QByteArray();
    };
    const QByteArray before = hash();
    const auto r = Project::open(file);
    QVERIFY(!r);
    QVERIFY(r.error().what.contains(QStringLiteral("newer Muster")));
    QVERIFY(!before.isEmpty());
    QCOMPARE(hash(), before);
    // A second name would hide the log from whoever opens it.
    const QString one = path("one-name.muster");
    make(one, {});
    QCOMPARE(::link(QFile::encodeName(one).constData(), QFile::encodeName(path("two.muster")).constData()),
             0);
    QVERIFY(Project::open(one).error().what.contains(QStringLiteral("hard link")));
}

void TestProject::keepsSettingsAndHistory()
{
    const QString file = path("settings.muster");
    {
        auto p = make(file, {}, "{\"a\":1}");
        QVERIFY(p->setSettings("{\"a\":2}", QStringLiteral("a"), "1", "2", at(3)));
        QCOMPARE(p->settings(), QByteArray("{\"a\":2}"));
        p->checkpoint(false);
        p->checkpoint(true);
        QCOMPARE(QFileInfo(file + QStringLiteral("-wal")).size(), 0);
        QCOMPARE(StoreReader::open(file).value()->settings().value(), QByteArray("{\"a\":2}"));
    }
    QVERIFY(!QFile::exists(file + QStringLiteral("-wal")));
    QCOMPARE(StoreReader::open(file).value()->settings().value(), QByteArray("{\"a\":2}"));
    QVERIFY(!QFile::exists(file + QStringLiteral("-wal"))); // a reader leaves nothing behind either
    QCOMPARE(Project::open(file).value()->settings(), QByteArray("{\"a\":2}"));
}

void TestProject::followsARandomStory()
{
    // The model: the state of each row as the moves make it. Everything else follows from the invariants.
    const quint32 seed = qEnvironmentVariableIntValue("MUSTER_SEED") > 0
                             ? static_cast<quint32>(qEnvironmentVariableIntValue("MUSTER_SEED"))
                             : QRandomGenerator::global()->generate() >> 1;
    qInfo("MUSTER_SEED=%u", seed);
    QRandomGenerator random(seed);
    for (int story = 0; story < 6; ++story) {
        const QString file = m_dir.filePath(QStringLiteral("story%1.muster").arg(story));
        auto p = make(file, {});
        QMap<qint64, JobState> model;
        QHash<QByteArray, qint64> known;
        QHash<qint64, Job> held;
        QSet<qint64> flying;
        int next = 0;
        for (int step = 0; step < 60; ++step) {
            const int what = random.bounded(10);
            if (what < 2) {
                const qint64 batch = p->beginImport({}, at(step)).value();
                QVector<IntakeRow> rows;
                qint64 row = model.isEmpty() ? 1 : model.lastKey() + 1;
                QHash<QByteArray, qint64> fresh;
                for (int i = random.bounded(20); i > 0; --i) {
                    const QByteArray url =
                        QByteArray::number(random.bounded(2) ? ++next : random.bounded(next + 1));
                    rows.append(
                        line(i, url, QByteArray("h") + QByteArray::number(random.bounded(4)) + ".test"));
                    if (known.contains(url))
                        continue;
                    model[row] = fresh.contains(url) ? JobState::Duplicate : JobState::Queued;
                    if (!fresh.contains(url))
                        fresh.insert(url, row);
                    ++row;
                }
                QVERIFY(p->addRows(batch, rows));
                QVERIFY(p->finishImport(batch));
                known.insert(fresh);
            } else if (what < 4) {
                const Drawn d = p->draw(order(random.bounded(8), 3)).value();
                for (const Job &j : d.jobs) {
                    QVERIFY2(!held.contains(j.row), "drawn twice");
                    QCOMPARE(model.value(j.row), JobState::Queued);
                    held.insert(j.row, j);
                }
            } else if (what < 6) {
                QVector<Arming> armings;
                for (auto it = held.cbegin(); it != held.cend(); ++it)
                    if (!flying.contains(it.key()) && random.bounded(2))
                        armings.append({it.key(), at(step), false});
                QVERIFY(p->arm(armings));
                for (const Arming &a : armings) {
                    flying << a.row;
                    model[a.row] = JobState::InFlight;
                }
            } else if (what < 8) {
                QVector<Retired> batch;
                const QSet<qint64> landed = flying;
                for (const qint64 row : landed) {
                    Retired r = done(held.take(row));
                    if (const int end = random.bounded(3); end == 1) {
                        r = failed(r.job, FailureKind::Http5xx, 500 + random.bounded(3));
                    } else if (end == 2) {
                        r.result.reset();
                        r.move = Move::Requeue;
                        r.job.tries = 0;
                        r.job.notBefore = random.bounded(2) ? at(-1) : Utc();
                    }
                    r.job.tries = std::min(r.job.tries, 4);
                    model[row] = *moved(JobState::InFlight, r.move);
                    flying.remove(row);
                    batch.append(r);
                }
                QVERIFY(p->retire(batch));
            } else if (what == 8) {
                const auto verb = random.bounded(2) ? Project::Verb::Retry : Project::Verb::Skip;
                qint64 changed = 0;
                for (auto it = model.begin(); it != model.end(); ++it) {
                    const bool hit = verb == Project::Verb::Retry
                                         ? *it == JobState::Failed || *it == JobState::Skipped
                                         : (*it == JobState::Queued && !held.contains(it.key())) ||
                                               *it == JobState::Failed;
                    if (hit) {
                        *it = verb == Project::Verb::Retry ? JobState::Queued : JobState::Skipped;
                        ++changed;
                    }
                }
                QCOMPARE(p->apply(verb, {}, at(step)).value().changed, changed);
            } else {
                p.reset(); // flights come back, nothing else changes
                p = Project::open(file).value();
                for (const qint64 row : flying)
                    model[row] = JobState::Queued;
                flying.clear();
                held.clear();
            }
            Ledger expected;
            for (const JobState s : model)
                ++expected[s];
            QCOMPARE(p->ledger().states, expected.states);
            QVERIFY(p->ledger().balanced());
        }
        const auto rows = StoreReader::open(file).value()->page({}, 0, 10'000).value();
        QCOMPARE(rows.size(), model.size());
        for (const RowView &v : rows)
            QCOMPARE(v.state, model.value(v.row));
        checkInvariants(file, model.size());
        // Nothing queued is out of reach.
        qint64 reached = 0;
        for (;;) {
            const Drawn d = p->draw(order(50)).value();
            reached += d.jobs.size();
            if (d.jobs.isEmpty())
                break;
        }
        QCOMPARE(reached + held.size(), p->ledger()[JobState::Queued] + flying.size());
    }
}

QTEST_GUILESS_MAIN(TestProject)
#include "tst_project.moc"
