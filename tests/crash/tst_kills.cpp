// SPDX-License-Identifier: GPL-3.0-or-later
#include <csignal>
#include <mutex>
#include <QCryptographicHash>
#include <QDir>
#include <QRandomGenerator>
#include <QtTest/QtTest>

#include "core/store/connection.h"
#include "tests/support/clifolder.h"
#include "tests/support/faultserver.h"
#include "tests/support/projectfile.h"
#include "tests/support/strictcsv.h"

using namespace muster;

/// kill -9 at random moments of crawl, import and export (reliability.md 3, C1 and C8). How many:
/// MUSTER_KILLS, 3 by default; the seed is printed and taken from MUSTER_SEED.
class TestKills final : public QObject
{
    Q_OBJECT

private:
    static constexpr int jobs = 3000;
    static constexpr int delayMs = 40;
    static constexpr int oneInSoMany = 25; ///< that page fails the first time it is asked for

    int m_kills = 3;
    QRandomGenerator m_random;
    std::mutex m_mutex;
    QHash<int, int> m_asked;                 ///< by job, as the server's thread counts
    QHash<int, QVector<QByteArray>> m_given; ///< nonces sent to a job

    int below(int bound) { return bound < 1 ? 0 : m_random.bounded(bound); }

    static QByteArray pageOf(int job, const QByteArray &nonce)
    {
        return "{\"job\": " + QByteArray::number(job) + ", \"nonce\": \"" + nonce +
               "\", \"text\": \"=1+1, \\\"" + nonce + "\\\"\\r\\nline\"}";
    }
    FaultScript answer(const FaultHit &hit)
    {
        const int job = hit.query("id").toInt();
        const std::lock_guard lock(m_mutex);
        const int asked = ++m_asked[job];
        if (job % oneInSoMany == 7 && asked == 1)
            return {fault::wait(delayMs), fault::send(fault::answer(500, "not yet"))};
        const QByteArray nonce = QByteArray::number(job) + '-' + QByteArray::number(asked);
        m_given[job] += nonce;
        return {fault::wait(delayMs), fault::send(fault::answer(200, pageOf(job, nonce)))};
    }
    static QByteArray listFor(const FaultServer &server, int count)
    {
        QByteArray list;
        for (int i = 1; i <= count; ++i)
            list += server.url("/job?id=" + QByteArray::number(i)) + '\n';
        return list;
    }
    static QByteArray settings()
    {
        return R"({"version": 1, "retry": {"base": 0.2},
            "limiters": [{"name": "everything", "match": "*", "scope": "all", "atOnce": 64}],
            "fields": [{"name": "nonce", "expr": "$.nonce"}, {"name": "job", "expr": "$.job"},
                       {"name": "text", "expr": "$.text"}]})";
    }
    /// Bytes that a process has written to whatever.
    static qint64 writtenBy(const CliProcess &process)
    {
        QFile file(QStringLiteral("/proc/%1/io").arg(process.pid()));
        if (!file.open(QIODevice::ReadOnly))
            return 0;
        for (const QByteArray &line : file.readAll().split('\n'))
            if (line.startsWith("wchar:"))
                return line.mid(6).trimmed().toLongLong();
        return 0;
    }
    /// Lines `recorded ROW STATE SEQ` that came whole.
    static void takeAcks(const QByteArray &said, QHash<int, QByteArray> &acks)
    {
        for (const QByteArray &line : said.left(said.lastIndexOf('\n') + 1).split('\n')) {
            const auto words = line.split(' ');
            if (words.size() == 4 && words[0] == "recorded")
                acks[words[1].toInt()] = words[2];
        }
    }

private Q_SLOTS:
    void initTestCase()
    {
        bool given = false;
        if (const int n = qEnvironmentVariableIntValue("MUSTER_KILLS", &given); given)
            m_kills = std::max(1, n);
        quint32 seed = QRandomGenerator::global()->generate();
        if (qEnvironmentVariableIsSet("MUSTER_SEED"))
            seed = qEnvironmentVariable("MUSTER_SEED").toUInt();
        m_random.seed(seed);
        qInfo("seed %u, %d kills", seed, m_kills);
    }

    void crawl()
    {
        FaultServer server;
        server.route("/job", [this](const FaultHit &hit) { return answer(hit); });
        QVERIFY(server.start());
        CliFolder here;
        here.write("settings.json", settings());
        here.write("list.txt", listFor(server, jobs));
        QCOMPARE(here.run({"new", "p.muster", "--settings", "settings.json"}).code, 0);
        QCOMPARE(here.run({"import", "p.muster", "list.txt"}).code, 0);

        QHash<int, QByteArray> acks;
        QHash<int, int> mayRepeat; // job -> kills at which its request was open
        qint64 open = 0;
        int killedWithOpen = 0;
        for (int kill = 0; kill < m_kills; ++kill) {
            const auto crawl = here.start({"run", "p.muster", "-v", "--progress", "none"});
            // Most after some progress of this run, so that requests are open; some while it opens the file.
            const int after = kill % 4 == 3 ? 0 : 1 + below(jobs / (m_kills + 1) - 64);
            const int before = server.hits("/job");
            QVERIFY(reached([&] { return server.hits("/job") >= before + after || !crawl->isRunning(); }));
            QThread::usleep(static_cast<unsigned long>(below(60'000)));
            QVERIFY2(crawl->isRunning(), "the crawl was over before the kill");
            crawl->signal(SIGKILL);
            QCOMPARE(crawl->wait().code, -SIGKILL);
            takeAcks(crawl->errSoFar(), acks);

            const ProjectFile file(here.path("p.muster"));
            QCOMPARE(file.broken({jobs, 3, false}).join(QLatin1Char('\n')), QString());
            QVERIFY(file.value(QStringLiteral("PRAGMA journal_mode")).toString() == QLatin1String("wal"));
            const auto flights = file.rows(QStringLiteral("SELECT row FROM row WHERE state='in_flight'"));
            for (const QVariantList &flight : flights)
                ++mayRepeat[flight[0].toInt()];
            open += flights.size();
            killedWithOpen += flights.isEmpty() ? 0 : 1;
            for (auto ack = acks.cbegin(); ack != acks.cend(); ++ack) // I9
                if (*ack == "done")
                    QCOMPARE(file.value(QStringLiteral("SELECT state FROM row WHERE row=%1").arg(ack.key()))
                                 .toString(),
                             QStringLiteral("done"));
        }
        QVERIFY2(killedWithOpen > 0, "no kill met an open request");

        const CliEnd last = here.run({"run", "p.muster", "-v", "--progress", "none", "--export", "out.csv"});
        QVERIFY2(last.code == 0, last.err.right(2000).constData());
        takeAcks(last.err, acks);
        const ProjectFile file(here.path("p.muster"));
        QCOMPARE(file.broken({jobs, 3, true}).join(QLatin1Char('\n')), QString());
        QCOMPARE(file.value(QStringLiteral("SELECT count(*) FROM row WHERE state='done'")).toInt(), jobs);

        // `synchronous` is a matter of the connection, not of the file: asked of one as the writer opens it.
        auto writer = Connection::open(here.path("p.muster"), Connection::Mode::Write);
        QVERIFY(writer);
        QCOMPARE((*writer)->value("PRAGMA synchronous")->toInt(), 2); // FULL
        QCOMPARE((*writer)->value("PRAGMA journal_mode")->toString(), QStringLiteral("wal"));
        writer->reset();

        // I10, I11: what is stored was sent whole by the server; nothing was asked for but what was open.
        const std::lock_guard lock(m_mutex);
        int hits = 0;
        for (const QVariantList &row : file.rows(QStringLiteral(
                 "SELECT j.row, r.body_hash, j.url FROM row j JOIN result r USING(row, run)"))) {
            const int job = row[0].toInt();
            QVERIFY(row[2].toString().endsWith(QStringLiteral("id=%1").arg(job)));
            const auto &nonces = m_given[job];
            QVERIFY2(std::any_of(nonces.begin(), nonces.end(),
                                 [&](const QByteArray &nonce) {
                                     return QCryptographicHash::hash(pageOf(job, nonce),
                                                                     QCryptographicHash::Sha1) ==
                                            row[1].toByteArray();
                                 }),
                     "a result that the server never gave");
            const int due = 1 + (job % oneInSoMany == 7 ? 1 : 0) + mayRepeat.value(job);
            QVERIFY2(m_asked[job] <= due, qPrintable(QStringLiteral("job %1 was asked for %2 times, %3 due")
                                                         .arg(job)
                                                         .arg(m_asked[job])
                                                         .arg(due)));
            hits += m_asked[job];
        }
        QCOMPARE(hits, static_cast<int>(server.log().size()));
        const int sends = file.value(QStringLiteral("SELECT sum(sends) FROM attempt")).toInt();
        QVERIFY2(hits <= sends + open,
                 qPrintable(QStringLiteral("%1 hits, %2 sends recorded, %3 open at kills")
                                .arg(hits)
                                .arg(sends)
                                .arg(open)));
        qInfo("%d hits for %d jobs, %lld open at %d kills, %lld acknowledged", hits, jobs, open, m_kills,
              static_cast<long long>(acks.size()));

        // I12
        const StrictCsv csv = StrictCsv::parse(here.read("out.csv"));
        QCOMPARE(csv.problem, QString());
        QCOMPARE(csv.rows.size(), jobs);
        for (int i = 0; i < jobs; ++i) {
            const QByteArray number = QByteArray::number(i + 1);
            QCOMPARE(csv.cell(i, "row"), number);
            QCOMPARE(csv.cell(i, "url"), server.url("/job?id=" + number));
            QCOMPARE(csv.cell(i, "state"), QByteArray("done"));
            QCOMPARE(csv.cell(i, "job"), number);
            const QByteArray nonce = csv.cell(i, "nonce");
            QVERIFY(m_given[i + 1].contains(nonce));
            QCOMPARE(csv.cell(i, "text"), QByteArray("'=1+1, \"" + nonce + "\"\r\nline"));
        }
    }

    void import()
    {
        constexpr int count = 60'000;
        FaultServer server;
        QVERIFY(server.start());
        CliFolder here;
        here.write("list.txt", listFor(server, count));
        QCOMPARE(here.run({"new", "p.muster"}).code, 0);
        int cut = 0;
        for (int kill = 0; kill < m_kills; ++kill) {
            const auto import = here.start({"import", "p.muster", "list.txt"});
            // From the first committed rows on, or while it starts.
            if (kill % 2 == 0)
                QVERIFY(reached([&] {
                    return QFileInfo(here.path("p.muster-wal")).size() > 100'000 || !import->isRunning();
                }));
            QThread::usleep(static_cast<unsigned long>(below(kill % 2 == 0 ? 300'000 : 60'000)));
            import->signal(SIGKILL);
            const bool whole = import->wait().code == 0;
            cut += whole ? 0 : 1;
            const ProjectFile file(here.path("p.muster"));
            QCOMPARE(file.broken({-1, 3, true}).join(QLatin1Char('\n')), QString());
            if (whole)
                break;
        }
        const CliEnd again = here.run({"import", "p.muster", "list.txt"});
        QVERIFY2(again.code == 0, again.err.constData());
        const ProjectFile file(here.path("p.muster"));
        QCOMPARE(file.broken({count, 3, true}).join(QLatin1Char('\n')), QString());
        QCOMPARE(file.value(QStringLiteral("SELECT count(DISTINCT url) FROM row")).toInt(), count);
        qInfo("%d imports were cut off", cut);
    }

    void exporting()
    {
        constexpr int count = 40'000;
        FaultServer server;
        QVERIFY(server.start());
        CliFolder here;
        here.write("list.txt", listFor(server, count));
        QCOMPARE(here.run({"new", "p.muster"}).code, 0);
        QCOMPARE(here.run({"import", "p.muster", "list.txt"}).code, 0);
        QCOMPARE(here.run({"export", "p.muster", "-o", "whole.csv"}).code, 0);
        const QByteArray whole = here.read("whole.csv");
        const StrictCsv csv = StrictCsv::parse(whole);
        QCOMPARE(csv.problem, QString());
        QCOMPARE(csv.rows.size(), count);
        int cut = 0;
        qint64 written = 0;
        for (int kill = 0; kill < m_kills * 2; ++kill) {
            const bool absent = kill % 2 == 0;
            if (absent)
                QFile::remove(here.path("out.csv"));
            else
                here.write("out.csv", "the export of yesterday\r\n");
            const auto process = here.start({"export", "p.muster", "-o", "out.csv"});
            // Most while it writes, some while it starts; with luck one at the renaming.
            if (kill % 4 != 3)
                QVERIFY(reached([&] {
                    return writtenBy(*process) > static_cast<qint64>(whole.size()) * (kill % 4) / 3 ||
                           !process->isRunning();
                }));
            QThread::usleep(static_cast<unsigned long>(below(50'000)));
            written = std::max(written, writtenBy(*process));
            process->signal(SIGKILL);
            if (process->wait().code == 0) {
                QVERIFY(here.read("out.csv") == whole);
                continue;
            }
            ++cut;
            const QByteArray left = here.read("out.csv"); // killed after the renaming it is whole
            QVERIFY2(left == whole ||
                         (absent ? !here.exists("out.csv") : left == "the export of yesterday\r\n"),
                     "half an export under the final name");
        }
        QCOMPARE(here.run({"export", "p.muster", "-o", "out.csv"}).code, 0);
        QVERIFY(here.read("out.csv") == whole);
        const ProjectFile file(here.path("p.muster"));
        QCOMPARE(file.broken({count, 3, true}).join(QLatin1Char('\n')), QString());
        const auto left =
            QDir(here.path()).entryList({QStringLiteral("out.csv?*")}, QDir::Files | QDir::Hidden);
        qInfo("%d of %d exports were cut off, one after %lld of %lld bytes; %lld files left beside it", cut,
              m_kills * 2, static_cast<long long>(written), static_cast<long long>(whole.size()),
              static_cast<long long>(left.size()));
    }
};

QTEST_GUILESS_MAIN(TestKills)
#include "tst_kills.moc"
