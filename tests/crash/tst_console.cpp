// SPDX-License-Identifier: GPL-3.0-or-later
#include <csignal>
#include <QDirIterator>
#include <QJsonArray>
#include <QJsonDocument>
#include <QSqlDatabase>
#include <QSqlError>
#include <QSqlQuery>
#include <QtTest/QtTest>
#include <unistd.h>

#include "tests/support/clifolder.h"
#include "tests/support/faultserver.h"
#include "tests/support/projectfile.h"
#include "tests/support/strictcsv.h"

using namespace muster;

/// Spec 10 command by command: exit codes, what is said and where, what is left behind.
class TestConsole final : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<FaultServer> m_server;
    std::unique_ptr<CliFolder> m_here;

    QByteArray url(const QByteArray &path) const { return m_server->url(path); }
    QByteArray list(int rows, const QByteArray &path = "/ok?i=") const
    {
        QByteArray out;
        for (int i = 1; i <= rows; ++i)
            out += url(path + QByteArray::number(i)) + '\n';
        return out;
    }
    /// A project with that list and no limits but 64 at once.
    void project(const QByteArray &name, const QByteArray &rows, const QByteArray &more = {})
    {
        m_here->write("s.json",
                      "{\"version\": 1, \"retry\": {\"base\": 0.01}, \"limiters\": [{\"name\": \"all\", "
                      "\"atOnce\": 64}]" +
                          more + "}");
        m_here->write("rows.txt", rows);
        const CliEnd made = m_here->run({"new", name, "--settings", "s.json"});
        QVERIFY2(made.code == 0, made.err.constData());
        const CliEnd taken = m_here->run({"import", name, "rows.txt"});
        QVERIFY2(taken.code == 0, taken.err.constData());
    }
    void verifyWhole(const QByteArray &name, bool atRest = true)
    {
        const ProjectFile file(m_here->path(name));
        QCOMPARE(file.broken({-1, 3, atRest}).join(QLatin1Char('\n')), QString());
    }
    int count(const QByteArray &name, const char *state)
    {
        return m_here->status(name)[QStringLiteral("rows")][QLatin1String(state)].toInt(-1);
    }
    /// Which request that was, from 0.
    qint64 orderOf(const QByteArray &target) const
    {
        const auto log = m_server->log();
        return std::find_if(log.begin(), log.end(),
                            [&](const FaultHit &hit) { return hit.target == target; }) -
               log.begin();
    }
    static void compareCode(const CliEnd &end, int code, const QByteArray &said = {})
    {
        const QByteArray told("ended with " + QByteArray::number(end.code) +
                              ", said: " + end.err.right(1500));
        QVERIFY2(end.code == code, told.constData());
        QVERIFY2(end.err.contains(said), QByteArray("\"" + said + "\" is not there; " + told).constData());
    }

private Q_SLOTS:
    void init()
    {
        m_server = std::make_unique<FaultServer>();
        m_server->route("/json", [](const FaultHit &hit) {
            return FaultScript{fault::send(
                fault::answer(200, "{\"i\": " + hit.query("i") + ", \"name\": \"n" + hit.query("i") + "\"}",
                              "X-Test: yes\r\n"))};
        });
        QVERIFY(m_server->start());
        m_here = std::make_unique<CliFolder>();
    }

    void help()
    {
        CliEnd end = m_here->run({"--help"});
        compareCode(end, 0);
        for (const char *command :
             {"fetch", "new", "import", "settings", "check", "run", "status", "pause", "resume", "stop",
              "retry", "skip", "accept", "first", "export", "copy", "secret", "demo"})
            QVERIFY2(end.out.contains(command), command);
        end = m_here->run({"--version"});
        compareCode(end, 0);
        QVERIFY(end.out.startsWith("muster-cli "));
        compareCode(m_here->run({}), 2);
        compareCode(m_here->run({"nonsense"}), 2);
        compareCode(m_here->run({"run", "--nonsense"}), 2);
        compareCode(m_here->run({"fetch", "list.txt"}), 2); // no -o
    }

    void later_data()
    {
        QTest::addColumn<QList<QByteArray>>("args");
        using Args = QList<QByteArray>;
        QTest::newRow("why") << Args{"why", "p.muster", "1"};
        QTest::newRow("hold") << Args{"hold", "p.muster", "example.com"};
        QTest::newRow("again") << Args{"again", "p.muster"};
        QTest::newRow("pilot") << Args{"pilot", "p.muster", "--rows", "5"};
        QTest::newRow("refine") << Args{"refine", "p.muster"};
        QTest::newRow("proxies") << Args{"proxies", "p.muster", "list"};
        QTest::newRow("release") << Args{"release", "p.muster", "example.com"};
        QTest::newRow("new --preset") << Args{"new", "n.muster", "--preset", "maps"};
        QTest::newRow("new --curl") << Args{"new", "n.muster", "--curl", "-"};
        QTest::newRow("fetch --quota") << Args{"fetch", "rows.txt", "-o", "x.csv", "--quota", "2500/d"};
        QTest::newRow("fetch --proxy") << Args{"fetch", "rows.txt", "-o", "x.csv", "--proxy", "http://p:1"};
        QTest::newRow("fetch --next") << Args{"fetch", "rows.txt", "-o", "x.csv", "--next", "url:link:"};
        QTest::newRow("run --stream") << Args{"run", "p.muster", "--stream", "-"};
        QTest::newRow("run --max-wait") << Args{"run", "p.muster", "--max-wait", "5s"};
        QTest::newRow("export xlsx") << Args{"export", "p.muster", "-o", "x.xlsx", "--format", "xlsx"};
        QTest::newRow("export links") << Args{"export", "p.muster", "-o", "x.csv", "--what", "links"};
        QTest::newRow("export --since") << Args{"export", "p.muster", "-o", "x.csv", "--since", "5"};
        QTest::newRow("check --forecast") << Args{"check", "p.muster", "--forecast"};
        QTest::newRow("settings undo") << Args{"settings", "p.muster", "undo"};
        QTest::newRow("settings history") << Args{"settings", "p.muster", "history"};
    }
    void later()
    {
        QFETCH(QList<QByteArray>, args);
        project("p.muster", list(1));
        compareCode(m_here->run(args), 2, "later version");
        QCOMPARE(count("p.muster", "queued"), 1);
        QVERIFY(!m_here->exists("n.muster"));
        QVERIFY(!m_here->exists("x.csv"));
    }

    void fetchAll()
    {
        m_here->write("l.txt",
                      "# a comment\n\n" + list(20, "/json?i=") + "not a url at all\n" + url("/json?i=1"));
        CliEnd end = m_here->run({"fetch", "l.txt", "-o", "o.csv", "--at-once", "8", "--field",
                                  "name=jsonpath:$.name", "--field", "mark=header:X-Test"});
        compareCode(end, 0, "8 at once over all");
        QCOMPARE(end.out, QByteArray());
        const StrictCsv csv = StrictCsv::parse(m_here->read("o.csv"));
        QCOMPARE(csv.problem, QString());
        QCOMPARE(csv.rows.size(), 22);
        for (int i = 0; i < 20; ++i)
            QCOMPARE(csv.cell(i, "name"), "n" + QByteArray::number(i + 1));
        QCOMPARE(csv.cell(20, "state"), QByteArray("refused"));
        QCOMPARE(csv.cell(21, "state"), QByteArray("duplicate"));
        QCOMPARE(csv.cell(21, "name"), QByteArray("n1"));
        QCOMPARE(csv.cell(0, "mark"), QByteArray("yes"));
        QVERIFY2(!m_here->exists("o.csv.muster"), "an exported fetch leaves no project");
        compareCode(m_here->run({"fetch", "l.txt", "-o", "o.csv", "--at-once", "8", "--strict"}), 5);
        compareCode(m_here->run({"fetch", "nothing.txt", "-o", "o.csv"}), 5, "nothing.txt");
        compareCode(m_here->run({"fetch", "l.txt", "-o", "x.csv", "--rate", "often"}), 2, "often");
        QVERIFY(!m_here->exists("x.csv.muster"));
        compareCode(m_here->run({"fetch", "l.txt", "-o", "x.csv", "--field", "price"}), 2, "NAME=KIND:EXPR");
        compareCode(m_here->run({"fetch", "l.txt", "-o", "x.csv", "--fail-on", "some"}), 2, "--fail-on");
    }

    void fetchFromInputToOutput()
    {
        CliEnd end = m_here->run({"fetch", "-", "-o", "-", "--rate", "unlimited"}, list(3));
        compareCode(end, 0, "The project lies in");
        const StrictCsv csv = StrictCsv::parse(end.out);
        QCOMPARE(csv.problem, QString());
        QCOMPARE(csv.rows.size(), 3);
        end = m_here->run({"fetch", "-", "-o", "t.tsv", "--rate", "unlimited", "--project", "keep.muster"},
                          list(3));
        compareCode(end, 0);
        QVERIFY(m_here->read("t.tsv").startsWith("row\trecord\tbatch"));
        QVERIFY2(m_here->exists("keep.muster"), "--project keeps it");
        QCOMPARE(count("keep.muster", "done"), 3);
    }

    void fetchGoesOn()
    {
        m_here->write("l.txt", list(60, "/delay?ms=30&i="));
        m_here->write("other.txt", list(2));
        const QList<QByteArray> command{"fetch", "l.txt", "-o", "o.csv", "--rate", "40/s"};
        const auto first = m_here->start(command);
        QVERIFY(reached([&] { return m_server->hitsOn("main") >= 10; }));
        first->signal(SIGTERM);
        const CliEnd stopped = first->wait();
        compareCode(stopped, 143, "stopping");
        QVERIFY(m_here->exists("o.csv.muster"));
        verifyWhole("o.csv.muster");
        const int before = m_server->hitsOn("main");
        const int done = count("o.csv.muster", "done");
        QCOMPARE(done, before); // what was open has landed
        const QByteArray project = m_here->read("o.csv.muster");
        compareCode(m_here->run({"fetch", "other.txt", "-o", "o.csv", "--rate", "40/s"}), 5, "another list");
        compareCode(m_here->run({"fetch", "l.txt", "-o", "o.csv", "--rate", "50/s"}), 5, "other options");
        QVERIFY2(m_here->read("o.csv.muster") == project, "touched by a fetch of another list");
        compareCode(m_here->run(command), 0);
        QCOMPARE(m_server->hitsOn("main"), 60);
        const StrictCsv csv = StrictCsv::parse(m_here->read("o.csv"));
        QCOMPARE(csv.rows.size(), 60);
        for (int i = 0; i < 60; ++i)
            QCOMPARE(csv.cell(i, "state"), QByteArray("done"));
        QVERIFY(!m_here->exists("o.csv.muster"));
    }

    void newProject()
    {
        compareCode(m_here->run({"new", "p.muster"}), 0, "p.muster is ready");
        const QByteArray before = m_here->read("p.muster");
        const CliEnd again = m_here->run({"new", "p.muster"});
        compareCode(again, 6, "there already");
        QVERIFY(m_here->read("p.muster") == before);
        compareCode(
            m_here->run({"new", "q.muster", "--settings", "-"}, R"({"version":1,"team":{"membercap":5}})"), 5,
            "memberCap");
        QVERIFY(!m_here->exists("q.muster"));
        compareCode(m_here->run({"new", "no/such/folder/q.muster"}), 6);
        compareCode(m_here->run({"new", "q.muster", "--settings", "gone.json"}), 5, "gone.json");
        QCOMPARE(QFile::permissions(m_here->path("p.muster")) &
                     (QFile::ReadGroup | QFile::ReadOther | QFile::WriteGroup | QFile::WriteOther),
                 QFile::Permissions());
    }

    void importing()
    {
        m_here->run({"new", "p.muster"});
        m_here->write("t.csv", "id;url\r\n1;" + url("/ok?a") + "\r\n2;" + url("/ok?b") + "\r\n3;" +
                                   url("/ok?a") + "\r\n4;\r\n");
        CliEnd end = m_here->run({"import", "p.muster", "t.csv", "--dry-run"});
        compareCode(end, 0, "4 rows read: 2 new, 1 duplicate, 0 known, 1 refused");
        QCOMPARE(end.out, "GET " + url("/ok?a") + "\nGET " + url("/ok?b") + "\nGET " + url("/ok?a") + '\n');
        QCOMPARE(count("p.muster", "total"), 0);
        compareCode(m_here->run({"import", "p.muster", "t.csv"}), 0, "separator ;");
        QCOMPARE(count("p.muster", "total"), 4);
        QCOMPARE(count("p.muster", "refused"), 1);
        compareCode(m_here->run({"import", "p.muster", "-"}, url("/ok?b") + "\n" + url("/ok?c") + "\n"), 0,
                    "1 known");
        QCOMPARE(count("p.muster", "total"), 5);
        compareCode(m_here->run({"import", "p.muster", "gone.csv"}), 5, "gone.csv");
        compareCode(m_here->run({"import", "gone.muster", "t.csv"}), 5, "gone.muster");
        m_here->write("two.csv", "a,b\r\nx,y\r\n");
        end = m_here->run({"import", "p.muster", "two.csv", "--format", "csv"});
        QVERIFY(end.code == 5 && end.err.contains("a") && end.err.contains("b"));
        QCOMPARE(count("p.muster", "total"), 5);
        compareCode(m_here->run({"import", "p.muster", "t.csv", "--column", "nothing"}), 5, "nothing");
        compareCode(m_here->run({"import", "p.muster", "t.csv", "--encoding", "klingon"}), 5, "klingon");
        verifyWhole("p.muster");
    }

    void settings()
    {
        project("p.muster", list(3));
        CliEnd end = m_here->run({"settings", "p.muster", "get"});
        compareCode(end, 0);
        const QJsonObject all = QJsonDocument::fromJson(end.out).object();
        QVERIFY(all.contains(QStringLiteral("team")) && all.contains(QStringLiteral("export")));
        QCOMPARE(m_here->run({"settings", "p.muster", "get", "team.memberCap"}).out, QByteArray("1000\n"));
        QCOMPARE(m_here->run({"settings", "p.muster", "get", "limiters.all.atOnce"}).out, QByteArray("64\n"));
        compareCode(m_here->run({"settings", "p.muster", "get", "team.membercap"}), 2, "write memberCap");
        compareCode(m_here->run({"settings", "p.muster", "set", "limiters.all.rate", "7/10s"}), 0);
        QCOMPARE(m_here->run({"settings", "p.muster", "get", "limiters.all.rate"}).out,
                 QByteArray("\"7/10s\"\n"));
        const QByteArray before = m_here->run({"settings", "p.muster", "get"}).out;
        compareCode(m_here->run({"settings", "p.muster", "set", "limiters.all.rate", "0/s"}), 2, "pause");
        compareCode(m_here->run({"settings", "p.muster", "set", "team.maxRetries", "\"x\""}), 2,
                    "team.maxRetries");
        compareCode(m_here->run({"settings", "p.muster", "set", "limiters.nobody.rate", "1/s"}), 2, "nobody");
        QCOMPARE(m_here->run({"settings", "p.muster", "get"}).out, before);
        compareCode(m_here->run({"settings", "p.muster", "replace", "-"}, R"({"version":1,"name":"second"})"),
                    0);
        QCOMPARE(m_here->run({"settings", "p.muster", "get", "name"}).out, QByteArray("\"second\"\n"));
        compareCode(m_here->run({"settings", "p.muster", "replace", "-"}, "{not json"), 2);
        QCOMPARE(m_here->run({"settings", "p.muster", "get", "name"}).out, QByteArray("\"second\"\n"));
        // A new template renders what is queued anew.
        const QByteArray changed =
            R"({"version":1,"request":{"url":"{url|raw}&more=1"},"limiters":[{"name":"all","atOnce":4}]})";
        compareCode(m_here->run({"settings", "p.muster", "replace", "-"}, changed), 0, "rendered anew");
        compareCode(m_here->run({"run", "p.muster", "--progress", "none"}), 0);
        for (const FaultHit &hit : m_server->log())
            QVERIFY(hit.target.endsWith("&more=1"));
        QCOMPARE(m_server->hitsOn("main"), 3);
    }

    void runEnds()
    {
        project("p.muster", list(30) + url("/status?code=404") + "\nnot a url\n");
        compareCode(m_here->run({"run", "p.muster", "--limit", "10", "--progress", "none"}), 4);
        QCOMPARE(m_server->hitsOn("main"), 10);
        QCOMPARE(count("p.muster", "queued"), 21);
        compareCode(
            m_here->run({"run", "p.muster", "--fail-on", "any", "--export", "o.csv", "--progress", "none"}),
            3);
        QCOMPARE(StrictCsv::parse(m_here->read("o.csv")).rows.size(), 32);
        compareCode(m_here->run({"run", "p.muster", "--fail-on", "5%"}), 0);
        compareCode(m_here->run({"run", "p.muster", "--fail-on", "2%"}), 3);
        compareCode(m_here->run({"run", "p.muster"}), 0, "32 rows = 30 done 1 failed 1 refused");
        compareCode(m_here->run({"run", "p.muster", "--strict"}), 5);
        compareCode(m_here->run({"run", "p.muster", "--max-time", "soon"}), 2, "--max-time");
        compareCode(m_here->run({"run", "p.muster", "--progress", "loud"}), 2);
        compareCode(m_here->run({"run", "gone.muster"}), 5, "gone.muster");
        QCOMPARE(m_server->hitsOn("main"), 31);
        verifyWhole("p.muster");
    }

    void maxTime()
    {
        project("p.muster", list(400, "/delay?ms=100&i="), ", \"team\": {\"maxRetries\": 1}");
        compareCode(m_here->run({"settings", "p.muster", "set", "limiters.all.rate", "20/s"}), 0);
        compareCode(m_here->run({"run", "p.muster", "--max-time", "1s", "--export", "o.csv"}), 4);
        QCOMPARE(count("p.muster", "done"), m_server->hitsOn("main")); // open ones have landed
        QVERIFY(count("p.muster", "queued") > 300);
        QCOMPARE(StrictCsv::parse(m_here->read("o.csv")).rows.size(), 400);
        verifyWhole("p.muster");
    }

    void stopSignals_data()
    {
        QTest::addColumn<int>("signal");
        QTest::addColumn<int>("code");
        QTest::newRow("SIGINT") << SIGINT << 130;
        QTest::newRow("SIGTERM") << SIGTERM << 143;
    }
    void stopSignals()
    {
        QFETCH(int, signal);
        QFETCH(int, code);
        project("p.muster", list(500, "/delay?ms=400&i="));
        const auto crawl = m_here->start({"run", "p.muster"});
        QVERIFY(reached([&] { return m_server->hitsOn("main") >= 40; }));
        crawl->signal(signal);
        compareCode(crawl->wait(), code, "a second signal");
        // At most 64 were open; they landed, and nobody was aborted.
        QCOMPARE(count("p.muster", "done"), m_server->hitsOn("main"));
        for (const FaultHit &hit : m_server->log())
            QVERIFY(hit.ended != "peer" || hit.bytesSent > 0);
        QCOMPARE(count("p.muster", "done") + count("p.muster", "queued"), 500);
        verifyWhole("p.muster");
    }
    void secondSignal()
    {
        project("p.muster", list(5, "/silent?i="));
        const auto crawl = m_here->start({"run", "p.muster"});
        QVERIFY(reached([&] { return m_server->hitsOn("main") >= 5; }));
        crawl->signal(SIGTERM);
        QVERIFY(reached([&] { return crawl->errSoFar().contains("second signal"); }));
        const qint64 at = monotonicNs();
        crawl->signal(SIGTERM);
        compareCode(crawl->wait(), 143);
        QVERIFY2(monotonicNs() - at < 8'000'000'000, "the second signal was not obeyed");
        QCOMPARE(count("p.muster", "queued"), 5);
        verifyWhole("p.muster");
    }

    void control()
    {
        project("p.muster", list(5000));
        compareCode(m_here->run({"settings", "p.muster", "set", "limiters.all.rate", "50/s"}), 0);
        compareCode(m_here->run({"pause", "p.muster"}), 5, "nobody works on");
        const auto crawl = m_here->start({"run", "p.muster"});
        QVERIFY(reached([&] { return m_server->hitsOn("main") >= 5; }));
        QJsonObject live = m_here->status("p.muster");
        QCOMPARE(live[QStringLiteral("state")].toString(), QStringLiteral("running"));
        QCOMPARE(live[QStringLiteral("writer")][QStringLiteral("pid")].toInteger(), crawl->pid());
        for (const char *key : {"version", "state", "as_of", "writer", "rows", "limiters", "hosts",
                                "failures", "waits_ms", "proposals", "resumes_at", "seq"})
            QVERIFY2(live.contains(QLatin1String(key)), key);
        const QJsonObject limiter = live[QStringLiteral("limiters")].toArray().at(0).toObject();
        QCOMPARE(limiter[QStringLiteral("name")].toString(), QStringLiteral("all"));
        QCOMPARE(limiter[QStringLiteral("at_once")].toInt(), 64);
        for (const char *key : {"instance", "tokens", "burst", "rate", "out", "quotas", "waiting", "binding"})
            QVERIFY2(limiter.contains(QLatin1String(key)), key);
        const QJsonObject rows = live[QStringLiteral("rows")].toObject();
        int sum = 0;
        for (const char *state :
             {"queued", "in_flight", "done", "failed", "skipped", "duplicate", "refused"}) {
            QVERIFY2(rows.contains(QLatin1String(state)), state);
            sum += rows[QLatin1String(state)].toInt();
        }
        QCOMPARE(sum, 5000);
        QCOMPARE(rows[QStringLiteral("total")].toInt(), 5000);
        QVERIFY(rows.contains(QStringLiteral("waiting")));

        // Two writers: the second is told who has it, and does nothing.
        const CliEnd second = m_here->run({"run", "p.muster"});
        compareCode(second, 7, QByteArray::number(crawl->pid()));
        QVERIFY(second.err.contains("muster-cli run"));

        compareCode(m_here->run({"pause", "p.muster"}), 0);
        QVERIFY(reached([&] { // what was sent has landed
            const QJsonArray limiters = m_here->status("p.muster")[QStringLiteral("limiters")].toArray();
            return limiters.at(0)[QStringLiteral("out")].toInt(-1) == 0;
        }));
        QCOMPARE(m_here->status("p.muster")[QStringLiteral("state")].toString(), QStringLiteral("paused"));
        const int paused = m_server->hitsOn("main");
        // Rows, settings, import and copy go through the writer.
        compareCode(m_here->run({"skip", "p.muster", "--where", "row:4999"}), 0, "1 row changed");
        compareCode(m_here->run({"first", "p.muster", "--where", "row:5000"}), 0, "1 row changed");
        m_here->write("late.txt", url("/ok?late") + "\n");
        compareCode(m_here->run({"import", "p.muster", "late.txt"}), 0);
        compareCode(m_here->run({"copy", "p.muster", "copy.muster"}), 0);
        compareCode(m_here->run({"settings", "p.muster", "set", "limiters.all.rate", "unlimited"}), 0);
        QCOMPARE(m_server->hitsOn("main"), paused);
        compareCode(m_here->run({"resume", "p.muster"}), 0);
        compareCode(crawl->wait(), 0, "5001 rows = 5000 done 1 skipped");
        // The row that was put first went before those that nobody had drawn by then.
        QVERIFY(orderOf("/ok?i=5000") < orderOf("/ok?i=4000"));
        QCOMPARE(m_server->hitsOn("main"), 5000);
        QCOMPARE(count("copy.muster", "total"), 5001);
        verifyWhole("p.muster");
        verifyWhole("copy.muster", false); // taken of a crawl at work
        QCOMPARE(m_here->status("p.muster")[QStringLiteral("state")].toString(), QStringLiteral("finished"));
        const CliEnd said = m_here->run({"status", "p.muster"});
        compareCode(said, 0);
        QVERIFY(said.out.contains("5,001 rows") || said.out.contains("5001 rows"));
    }

    void stopVerb()
    {
        project("p.muster", list(500, "/delay?ms=50&i="));
        compareCode(m_here->run({"settings", "p.muster", "set", "limiters.all.rate", "20/s"}), 0);
        const auto crawl = m_here->start({"run", "p.muster"});
        QVERIFY(reached([&] { return m_server->hitsOn("main") >= 3; }));
        compareCode(m_here->run({"stop", "p.muster"}), 0);
        compareCode(crawl->wait(), 4);
        QCOMPARE(count("p.muster", "done"), m_server->hitsOn("main"));
        verifyWhole("p.muster");
    }

    void rowVerbs()
    {
        project("p.muster", list(4) + url("/status?code=404&a=1") + '\n' + url("/status?code=410&a=2") +
                                '\n' + m_server->url("/ok", "other") + '\n' +
                                url("/status?code=404&times=1") + '\n');
        compareCode(m_here->run({"skip", "p.muster", "--where", "host:127.0.0.2"}), 0,
                    "1 row changed, 0 left");
        compareCode(m_here->run({"run", "p.muster"}), 0, "8 rows = 4 done 3 failed 1 skipped");
        compareCode(m_here->run({"accept", "p.muster", "--where", "code:410"}), 0, "1 row changed");
        compareCode(m_here->run({"accept", "p.muster", "--where", "state:done"}), 0,
                    "0 rows changed, 5 left");
        compareCode(m_here->run({"retry", "p.muster", "--where", "state:failed,skipped -url:*a=1"}), 0,
                    "2 rows changed");
        compareCode(m_here->run({"first", "p.muster", "--where", "host:127.0.0.2"}), 0, "1 row changed");
        compareCode(m_here->run({"skip", "p.muster", "--where", "colour:red"}), 2, "colour");
        compareCode(m_here->run({"skip", "p.muster"}), 2);
        const auto before = m_server->log().size();
        compareCode(m_here->run({"run", "p.muster"}), 0, "8 rows = 7 done 1 failed");
        QCOMPARE(m_server->log().size(), before + 2);
        compareCode(m_here->run({"retry", "gone.muster", "--where", "state:failed"}), 5);
        verifyWhole("p.muster");
    }

    void exports()
    {
        project("p.muster", list(5, "/json?i=") + url("/status?code=404"),
                R"(, "fields": [{"name": "name", "expr": "$.name"}])");
        compareCode(m_here->run({"run", "p.muster"}), 0);
        CliEnd end = m_here->run({"export", "p.muster", "-o", "-"});
        compareCode(end, 0, "6 rows written");
        const StrictCsv csv = StrictCsv::parse(end.out);
        QCOMPARE(csv.problem, QString());
        QCOMPARE(csv.header.mid(0, 7),
                 (QVector<QByteArray>{"row", "record", "batch", "line", "url", "state", "code"}));
        QCOMPARE(csv.header.last(), QByteArray("name"));
        QCOMPARE(csv.cell(5, "kind"), QByteArray("http_4xx"));
        end = m_here->run({"export", "p.muster", "-o", "-", "--format", "jsonl"});
        compareCode(end, 0);
        QCOMPARE(end.out.count('\n'), 6);
        for (const QByteArray &line : end.out.trimmed().split('\n')) {
            const QJsonObject o = QJsonDocument::fromJson(line).object();
            QVERIFY(o.contains(QStringLiteral("row")) && o[QStringLiteral("fields")].isObject());
        }
        end = m_here->run({"export", "p.muster", "-o", "-", "--format", "tsv", "--columns", "row,name",
                           "--where", "state:done"});
        QCOMPARE(end.out.split('\n').value(1).trimmed(), QByteArray("1\tn1"));
        QCOMPARE(end.out.count('\n'), 6);
        compareCode(m_here->run({"export", "p.muster", "-o", "b.csv", "--bom"}), 0);
        QVERIFY(m_here->read("b.csv").startsWith("\xef\xbb\xbfrow,"));
        for (const char *what : {"jobs", "attempts", "failures"}) {
            end = m_here->run({"export", "p.muster", "-o", "-", "--what", what});
            compareCode(end, 0);
            QCOMPARE(StrictCsv::parse(end.out).problem, QString());
        }
        compareCode(m_here->run({"export", "p.muster", "-o", "x.csv", "--columns", "nothing"}), 2, "nothing");
        compareCode(m_here->run({"export", "p.muster", "-o", "x.csv", "--where", "nothing:1"}), 2, "nothing");
        compareCode(m_here->run({"export", "p.muster", "-o", "no/folder"}), 6, "/no is no folder");
        compareCode(m_here->run({"export", "p.muster", "-o", "."}), 6, "folder");
        compareCode(m_here->run({"export", "gone.muster", "-o", "x.csv"}), 5, "gone.muster");
        if (QFile::exists(QStringLiteral("/dev/full")))
            compareCode(m_here->run({"export", "p.muster", "-o", "/dev/full"}), 6);
        compareCode(m_here->run({"run", "p.muster", "--export", "no/folder"}), 6);
        QVERIFY(!m_here->exists("x.csv"));
    }

    void copies()
    {
        project("p.muster", list(5) + url("/status?code=404"));
        compareCode(m_here->run({"run", "p.muster", "--limit", "3"}), 4);
        for (const char *what : {"all", "settings", "todo"})
            compareCode(m_here->run({"copy", "p.muster", QByteArray(what) + ".muster", "--what", what}), 0);
        QCOMPARE(count("all.muster", "total"), 6);
        QCOMPARE(count("settings.muster", "total"), 0);
        QCOMPARE(count("todo.muster", "total"), 3);
        QCOMPARE(count("todo.muster", "queued"), 3);
        const CliEnd again = m_here->run({"copy", "p.muster", "all.muster"});
        compareCode(again, 6, "there already");
        for (const char *what : {"all", "settings", "todo"})
            verifyWhole(QByteArray(what) + ".muster");
        compareCode(m_here->run({"run", "todo.muster"}), 0, "3 rows");
    }

    void strangers()
    {
        m_here->write("text.muster", "this is no project at all, but a text of some length\n");
        m_here->write("empty.muster", "");
        for (const char *name : {"text.muster", "empty.muster", "gone.muster", "."}) {
            const QByteArray before = m_here->read(name);
            for (const char *command : {"run", "status", "check"})
                compareCode(m_here->run({command, name}), 5);
            QVERIFY(m_here->read(name) == before);
        }
        project("p.muster", list(1));
        {
            QSqlDatabase db = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), QStringLiteral("newer"));
            db.setDatabaseName(m_here->path("p.muster"));
            QVERIFY(db.open());
            QVERIFY(db.exec(QStringLiteral("PRAGMA user_version=99")).lastError().type() ==
                    QSqlError::NoError);
            db.close();
        }
        QSqlDatabase::removeDatabase(QStringLiteral("newer"));
        const QByteArray before = m_here->read("p.muster");
        const CliEnd newer = m_here->run({"run", "p.muster"});
        QVERIFY2(newer.code == 5 || newer.code == 6, newer.err.constData());
        QVERIFY(newer.err.contains("newer"));
        QVERIFY(m_here->read("p.muster") == before);
        if (::geteuid() != 0) {
            m_here->write("shut.muster", before);
            QFile::setPermissions(m_here->path("shut.muster"), {});
            QVERIFY(m_here->run({"status", "shut.muster"}).code != 0);
        }
    }

    void posts()
    {
        m_here->write("t.csv", "id,text\r\n1,plain\r\n2,\"say \"\"hi\"\"\"\r\n3,Köln\r\n");
        const QJsonObject request{
            {QStringLiteral("method"), QStringLiteral("POST")},
            {QStringLiteral("url"), QString::fromUtf8(url("/echo?id={id}"))},
            {QStringLiteral("headers"),
             QJsonObject{{QStringLiteral("Content-Type"), QStringLiteral("application/json")}}},
            {QStringLiteral("body"), QStringLiteral("{\"id\": {id}, \"text\": \"{text}\"}")}};
        const QJsonObject back{{QStringLiteral("name"), QStringLiteral("back")},
                               {QStringLiteral("from"), QStringLiteral("regex")},
                               {QStringLiteral("expr"), QStringLiteral("(?s)POST\\n(.*)")},
                               {QStringLiteral("group"), 1}};
        m_here->write("s.json", QJsonDocument(QJsonObject{{QStringLiteral("version"), 1},
                                                          {QStringLiteral("request"), request},
                                                          {QStringLiteral("fields"), QJsonArray{back}}})
                                    .toJson());
        compareCode(m_here->run({"new", "p.muster", "--settings", "s.json"}), 0);
        compareCode(m_here->run({"settings", "p.muster", "set", "limiters.each-host.rate", "unlimited"}), 0);
        compareCode(m_here->run({"import", "p.muster", "t.csv"}), 0);
        compareCode(m_here->run({"run", "p.muster", "--export", "o.csv"}), 0);
        const StrictCsv csv = StrictCsv::parse(m_here->read("o.csv"));
        const QVector<QString> texts{QStringLiteral("plain"), QStringLiteral("say \"hi\""),
                                     QStringLiteral("Köln")};
        for (int i = 0; i < 3; ++i) {
            const QJsonObject sent = QJsonDocument::fromJson(csv.cell(i, "back")).object();
            QCOMPARE(sent[QStringLiteral("id")].toInt(), i + 1);
            QCOMPARE(sent[QStringLiteral("text")].toString(), texts[i]);
        }
        for (const FaultHit &hit : m_server->log()) {
            QCOMPARE(hit.method, QByteArray("POST"));
            QCOMPARE(hit.header("Content-Type"), QByteArray("application/json"));
        }
    }

    /// A POST that was open at a kill is not sent again by itself.
    void killedPost()
    {
        project("p.muster", list(1, "/silent?i="), R"(, "request": {"method": "POST", "body": "x"})");
        const auto crawl = m_here->start({"run", "p.muster"});
        QVERIFY(reached([&] { return m_server->hitsOn("main") == 1; }));
        crawl->signal(SIGKILL);
        QCOMPARE(crawl->wait().code, -SIGKILL);
        compareCode(m_here->run({"run", "p.muster", "--fail-on", "any", "--export", "o.csv"}), 3);
        const StrictCsv csv = StrictCsv::parse(m_here->read("o.csv"));
        QCOMPARE(csv.cell(0, "kind"), QByteArray("closed_early"));
        QVERIFY(csv.cell(0, "error").contains("not retried"));
        QCOMPARE(m_server->hitsOn("main"), 1);
        verifyWhole("p.muster");
    }

    void secrets_data()
    {
        QTest::addColumn<QByteArray>("from");
        QTest::newRow("environment") << QByteArray("environment");
        QTest::newRow("file") << QByteArray("file");
        QTest::newRow("stored") << QByteArray("stored");
    }
    void secrets()
    {
        QFETCH(QByteArray, from);
        const QByteArray canary = "c4nary-S3CRET-81f0b2";
        m_here->write(
            "s.json",
            QByteArray(
                R"({"version":1,"request":{"url":"{url|raw}&key={secret:maps}"},"retry":{"base":0.01},)") +
                R"("limiters":[{"name":"all","atOnce":4}]})");
        m_here->write("l.txt", list(3) + url("/status?code=500&b=1") + '\n' + url("/F04?c=1") + '\n' +
                                   url("/to?code=302&url=" + url("/ok").toPercentEncoding()) + '\n');
        compareCode(m_here->run({"new", "p.muster", "--settings", "s.json"}), 0);
        compareCode(m_here->run({"import", "p.muster", "l.txt"}), 0);
        const CliEnd unknown = m_here->run({"run", "p.muster"});
        compareCode(unknown, 5, "maps");
        QCOMPARE(m_server->log().size(), 0);

        QList<QByteArray> command{"run", "p.muster", "-v", "--export", "o.csv"};
        if (from == "environment") {
            m_here->setEnvironment("MUSTER_SECRET_MAPS", canary);
        } else if (from == "file") {
            m_here->write("keys", "maps=" + canary + "\n");
            command << "--secrets-file"
                    << "keys";
            QFile::setPermissions(m_here->path("keys"),
                                  QFile::ReadOwner | QFile::WriteOwner | QFile::ReadOther);
            compareCode(m_here->run(command), 5, "keys"); // others may read it
            QFile::setPermissions(m_here->path("keys"), QFile::ReadOwner | QFile::WriteOwner);
        } else {
            compareCode(m_here->run({"secret", "set", "maps"}, canary + "\n"), 0, "mode 0600");
            compareCode(m_here->run({"secret", "set", "maps", "--project", "p.muster", "--host", "127.0.0.1"},
                                    canary + "\n"),
                        0);
        }
        const CliEnd end = m_here->run(command);
        compareCode(end, 0, "6 rows");
        const auto log = m_server->log();
        QVERIFY(log.size() >= 6);
        for (const FaultHit &hit : log)
            if (hit.path() != "/ok" || hit.query("i").size() > 0)
                QVERIFY2(hit.query("key") == canary, hit.target.constData());
        const StrictCsv csv = StrictCsv::parse(m_here->read("o.csv"));
        QVERIFY(csv.cell(0, "url").startsWith(url("/ok")));
        // Not a byte of it anywhere but where the person put it.
        QVERIFY(!end.err.contains(canary) && !end.out.contains(canary));
        const CliEnd all = m_here->run({"settings", "p.muster", "get"});
        QVERIFY(!all.out.contains(canary));
        int files = 0;
        QDirIterator it(m_here->path(), QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
        while (it.hasNext()) {
            const QString path = it.next();
            if (path.endsWith(QStringLiteral("/keys")) || path.endsWith(QStringLiteral("/secrets")))
                continue;
            QFile file(path);
            QVERIFY(file.open(QIODevice::ReadOnly));
            QVERIFY2(!file.readAll().contains(canary), qPrintable(path));
            ++files;
        }
        QVERIFY(files >= 4);
    }

    void checkVerb()
    {
        project("p.muster", list(1));
        compareCode(m_here->run({"check", "p.muster"}), 0, "ok");
        CliEnd end = m_here->run(
            {"check", "-"}, R"({"version":1,"limiters":[{"name":"maps","rate":"1/s","burst":5,"cost":8}]})");
        compareCode(end, 5, "limiters.maps.cost");
        end = m_here->run({"check", "-", "--json"}, R"({"version":1,"teem":{}})");
        compareCode(end, 5);
        const QJsonObject said = QJsonDocument::fromJson(end.out).object();
        QCOMPARE(said[QStringLiteral("ok")].toBool(true), false);
        const QJsonObject first = said[QStringLiteral("problems")].toArray().at(0).toObject();
        for (const char *key : {"place", "reason", "mend"})
            QVERIFY2(!first[QLatin1String(key)].toString().isEmpty(), key);
        compareCode(m_here->run({"check", "gone.json"}), 5, "gone.json");
    }
};

QTEST_GUILESS_MAIN(TestConsole)
#include "tst_console.moc"
