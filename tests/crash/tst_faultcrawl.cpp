// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDirIterator>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest/QtTest>

#include "tests/support/clifolder.h"
#include "tests/support/faultrows.h"
#include "tests/support/projectfile.h"
#include "tests/support/strictcsv.h"

using namespace muster;

Q_DECLARE_METATYPE(muster::FaultRow)

/// Every row of the fault catalogue through the program: kind, number of tries, and the post-conditions P1-P4
/// and P6 of reliability.md 2.2, by one function.
class TestFaultCrawl final : public QObject
{
    Q_OBJECT

private:
    static constexpr int maxRetries = 2;
    const QByteArray m_canary = "c4nary-7be1-S3CRET";
    std::unique_ptr<FaultServer> m_server;
    int m_case = 0;

    /// What one crawl of a row and its control job came to.
    struct Outcome
    {
        int code = 0;     ///< of the program
        QByteArray state; ///< of the row
        QByteArray kind;  ///< in the export
        QByteArray attempts;
        QByteArray status; ///< `code` of the export
        struct Try
        {
            FailureKind kind = FailureKind::None;
            QByteArray detail;
            int code = 0;
            int sends = 0;
            bool counted = false;
        };
        QVector<Try> tries;
    };

    static QByteArray settingsFor(const FaultRow &row)
    {
        const auto seconds = [](Millis ms) { return static_cast<double>(ms.count()) / 1000; };
        QJsonObject request{{QStringLiteral("url"), QStringLiteral("{url|raw}&k={secret:canary}")},
                            {QStringLiteral("method"), QString::fromLatin1(row.method)},
                            {QStringLiteral("connectTimeout"), seconds(row.connect)},
                            {QStringLiteral("firstByteTimeout"), seconds(row.firstByte)},
                            {QStringLiteral("silenceTimeout"), seconds(row.silence)},
                            {QStringLiteral("totalTimeout"), seconds(row.total)}};
        if (row.method == "POST")
            request.insert(QStringLiteral("body"), QStringLiteral("a=1"));
        const QJsonObject limiter{{QStringLiteral("name"), QStringLiteral("all")},
                                  {QStringLiteral("atOnce"), 8}};
        return QJsonDocument(
                   QJsonObject{
                       {QStringLiteral("version"), 1},
                       {QStringLiteral("team"), QJsonObject{{QStringLiteral("maxRetries"), maxRetries}}},
                       {QStringLiteral("request"), request},
                       {QStringLiteral("retry"), QJsonObject{{QStringLiteral("base"), 0.02}}},
                       {QStringLiteral("limiters"), QJsonArray{limiter}}})
            .toJson();
    }

    void noCanary(const CliFolder &here)
    {
        QDirIterator it(here.path(), QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
        while (it.hasNext()) {
            QFile file(it.next());
            QVERIFY(file.open(QIODevice::ReadOnly));
            QVERIFY2(!file.readAll().contains(m_canary), qPrintable(file.fileName()));
        }
    }

    /// The one function: crawls `url` beside a control job on another host, and checks what must hold after
    /// any fault whatever.
    void crawl(const FaultRow &row, Outcome &outcome)
    {
        CliFolder here;
        here.setEnvironment("MUSTER_SECRET_CANARY", m_canary);
        here.write("s.json", settingsFor(row));
        const QByteArray number = QByteArray::number(++m_case);
        const QByteArray path = row.path.isEmpty() ? QByteArray("/") : row.path;
        here.write("l.txt",
                   m_server->url(path + (path.contains('?') ? "&c=" : "?c=") + number, row.listener) + '\n' +
                       m_server->url("/ok?control=" + number, "other") + '\n');
        QCOMPARE(here.run({"new", "p.muster", "--settings", "s.json"}).code, 0);
        QCOMPARE(here.run({"import", "p.muster", "l.txt"}).code, 0);
        const qsizetype before = m_server->log().size();
        QList<QByteArray> command{"run", "p.muster", "-v", "--progress", "json", "--export", "o.csv"};
        if (row.retry == FaultRow::Retry::Wait)
            command << "--max-time"
                    << "400ms";
        const auto process = here.start(command);
        const CliEnd end = process->wait();
        outcome.code = end.code;
        QVERIFY2(end.code == 0 || end.code == 4, end.err.right(1000).constData());
        const qsizetype hits = m_server->log().size() - before;

        const ProjectFile file(here.path("p.muster")); // P1
        QCOMPARE(file.broken({2, maxRetries, true}).join(QLatin1Char('\n')), QString());
        int sends = 0;
        for (const QVariantList &t :
             file.rows(QStringLiteral("SELECT kind, CAST(detail AS BLOB), code, sends, counted, number, "
                                      "started_at, connect_ms, first_byte_ms, body_ms, total_ms FROM attempt "
                                      "WHERE row=1 ORDER BY number"))) {
            outcome.tries.append({static_cast<FailureKind>(t[0].toInt()), t[1].toByteArray(), t[2].toInt(),
                                  t[3].toInt(), t[4].toBool()});
            QCOMPARE(t[5].toInt(), outcome.tries.size());
            QVERIFY(t[6].toLongLong() > 0);
            for (int i = 7; i <= 10; ++i)
                QVERIFY(t[i].toLongLong() >= 0);
            sends += t[3].toInt();
        }
        const QJsonObject last = QJsonDocument::fromJson(end.out.trimmed().split('\n').last()).object(); // P2
        QCOMPARE(last[QStringLiteral("rows")][QStringLiteral("in_flight")].toInt(-1), 0);
        for (const QJsonValue limiter : last[QStringLiteral("limiters")].toArray())
            QCOMPARE(limiter[QStringLiteral("out")].toInt(-1), 0);
        QCOMPARE(hits, sends + 1); // P3; the control job is one
        const StrictCsv csv = StrictCsv::parse(here.read("o.csv"));
        QCOMPARE(csv.problem, QString());
        QCOMPARE(csv.rows.size(), 2);
        QCOMPARE(csv.cell(1, "state"), QByteArray("done")); // P4
        QCOMPARE(csv.cell(1, "attempts"), QByteArray("1"));
        noCanary(here); // P6
        outcome.state = csv.cell(0, "state");
        outcome.kind = csv.cell(0, "kind");
        outcome.attempts = csv.cell(0, "attempts");
        outcome.status = csv.cell(0, "code");
    }

    static int triesOf(const FaultRow &row)
    {
        switch (row.retry) {
        case FaultRow::Retry::Yes:
            return maxRetries + 1;
        case FaultRow::Retry::Once:
            return 2;
        default:
            return 1;
        }
    }
    static void compareTry(const Outcome::Try &t, const FaultRow &row)
    {
        QCOMPARE(failureKindName(t.kind), failureKindName(row.kind));
        if (row.isAnswer())
            QCOMPARE(t.code, row.status);
        else
            QCOMPARE(t.detail, row.detail);
        // Whether Qt sends once more by itself hangs on the age of the connection; P3 counts each of them.
        QVERIFY2(t.sends >= std::min(1, row.sends) && t.sends <= row.sends,
                 QByteArray::number(t.sends).constData());
    }

private Q_SLOTS:
    void initTestCase()
    {
        m_server = std::make_unique<FaultServer>();
        addFaultListeners(*m_server);
        QVERIFY(m_server->start());
    }

    void neverRecovers_data()
    {
        QTest::addColumn<FaultRow>("row");
        for (const FaultRow &r : faultRows())
            QTest::newRow(r.id.constData()) << r;
    }
    void neverRecovers()
    {
        QFETCH(FaultRow, row);
        Outcome o;
        crawl(row, o);
        QVERIFY(!o.tries.isEmpty());
        if (row.retry == FaultRow::Retry::Wait) {
            QCOMPARE(o.code, 4);
            QCOMPARE(o.state, QByteArray("queued"));
            for (const Outcome::Try &t : o.tries) {
                compareTry(t, row);
                QVERIFY2(!t.counted, "a refusal has used up a retry");
            }
            return;
        }
        QCOMPARE(o.code, 0);
        QCOMPARE(o.tries.size(), triesOf(row));
        QCOMPARE(o.attempts, QByteArray::number(triesOf(row)));
        QCOMPARE(o.state, row.retry == FaultRow::Retry::Ok ? QByteArray("done") : QByteArray("failed"));
        QCOMPARE(o.kind, QByteArray(failureKindName(row.kind)));
        if (row.isAnswer())
            QCOMPARE(o.status, QByteArray::number(row.status));
        for (const Outcome::Try &t : o.tries) {
            compareTry(t, row);
            QVERIFY(t.counted);
        }
    }

    void recovers_data() // the same fault for one try, then a good answer
    {
        QTest::addColumn<FaultRow>("row");
        for (FaultRow r : faultRows()) {
            const bool retried = r.retry == FaultRow::Retry::Yes || r.retry == FaultRow::Retry::Once;
            const bool shortWait = r.id == "F71 0";
            if (r.listener != "main" || (!retried && !shortWait))
                continue;
            r.path += (r.path.contains('?') ? "&times=" : "?times=") + QByteArray::number(r.sends);
            QTest::newRow(r.id.constData()) << r;
        }
    }
    void recovers()
    {
        QFETCH(FaultRow, row);
        const bool refused = row.retry == FaultRow::Retry::Wait;
        row.retry = FaultRow::Retry::Yes;
        Outcome o;
        crawl(row, o);
        QCOMPARE(o.code, 0);
        QCOMPARE(o.state, QByteArray("done"));
        QCOMPARE(o.status, QByteArray("200"));
        QCOMPARE(o.kind, QByteArray());
        QVERIFY(o.tries.size() >= 2 && o.tries.size() <= 1 + row.sends); // the fault comes `sends` times
        for (qsizetype i = 0; i + 1 < o.tries.size(); ++i) {
            compareTry(o.tries[i], row);
            QCOMPARE(o.tries[i].counted, !refused);
        }
        QCOMPARE(failureKindName(o.tries.last().kind), "");
    }

    void redirects_data()
    {
        QTest::addColumn<QByteArray>("path");
        QTest::addColumn<QByteArray>("kind");
        QTest::addColumn<QByteArray>("detail");
        const auto to = [](const char *url) -> QByteArray {
            return "/to?code=302&url=" + QByteArray(url).toPercentEncoding();
        };
        QTest::newRow("F40") << QByteArray("/F40") << QByteArray("redirect") << QByteArray("loop");
        QTest::newRow("F41") << QByteArray("/F41?n=1") << QByteArray("redirect") << QByteArray("too_many");
        for (const char *url :
             {"file:///etc/passwd", "data:text/plain,x", "ftp://127.0.0.1/", "javascript:1"})
            QTest::addRow("F42 %s", url) << to(url) << QByteArray("redirect") << QByteArray("scheme");
        for (const char *url : {"http://169.254.169.254/", "http://10.0.0.1/", "http://[::ffff:10.0.0.1]/"})
            QTest::addRow("F43 %s", url) << to(url) << QByteArray("blocked_address") << QByteArray();
        QTest::newRow("F47 missing") << QByteArray("/to?code=302") << QByteArray("redirect")
                                     << QByteArray("invalid");
    }
    void redirects()
    {
        QFETCH(QByteArray, path);
        QFETCH(QByteArray, kind);
        QFETCH(QByteArray, detail);
        FaultRow row;
        row.path = path;
        Outcome o;
        crawl(row, o);
        QCOMPARE(o.kind, kind);
        QVERIFY2(o.state == "failed" || (o.state == "skipped" && kind == "blocked_address"),
                 o.state.constData());
        QCOMPARE(o.tries.size(), 1);
        QCOMPARE(o.tries[0].detail, detail);
    }
};

QTEST_GUILESS_MAIN(TestFaultCrawl)
#include "tst_faultcrawl.moc"
