// SPDX-License-Identifier: GPL-3.0-or-later
#include <QCryptographicHash>
#include <QSqlDatabase>
#include <QSqlError>
#include <QSqlQuery>
#include <QTemporaryDir>
#include <QTest>

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

QTEST_GUILESS_MAIN(TestProject)
#include "tst_project.moc"
