// SPDX-License-Identifier: GPL-3.0-or-later
#include <QBuffer>
#include <QTemporaryDir>
#include <QtTest/QtTest>
#include <sys/stat.h>
#include <thread>

#include "core/job/jsontree.h"
#include "core/report/exporter.h"
#include "tests/unit/fakeexport.h"

using namespace muster;

class TestExporter final : public QObject
{
    Q_OBJECT

private:
    FakeSource m_source;
    ExportOptions m_options;

    static QByteArray contents(const QString &path)
    {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("none");
    }

private Q_SLOTS:
    void init()
    {
        m_source.inputs = {"id", "URL", "id", ""};
        m_source.rows = {doneRow(), queuedRow()};
        m_source.attempts.clear();
        m_source.groups.clear();
        m_source.repeat = 1;
        m_source.failAfter = -1;
        m_source.broken = false;
        m_options = ExportOptions();
        m_options.fields = {"lat", "name"};
    }

    void wholeCsv()
    {
        ExportCounts counts;
        QCOMPARE(
            exported(m_source, m_options, &counts),
            fixedHead +
                ",id,in.URL,id.2,column4,lat,name\r\n"
                "3,,1,4,http://a.example/x?k={secret:maps},done,200,301,1,,,http://a.example/y,'=text/html,0,"
                "2,2025-11-30T20:54:08.007Z,42,1,2,3,6,,,0,1,9,007,=1+1,second,,1.10,'=x\r\n"
                "4,,,,'=cmd,queued,,,,,,,,,0,,0,,,,,,3,1,,,,,,,,\r\n");
        QCOMPARE(counts, (ExportCounts{2, 3, 0}));
    }

    void jsonLines()
    {
        m_options.format = ExportFormat::JsonLines;
        const QList<QByteArray> lines = exported(m_source, m_options).split('\n');
        QCOMPARE(lines.size(), 3);
        QVERIFY(lines[0].startsWith("{\"row\":3,\"record\":null,\"batch\":1,"));
        QVERIFY(lines[0].endsWith("\"seq\":9,\"input\":{\"id\":\"007\",\"URL\":\"=1+1\",\"id.2\":\"second\","
                                  "\"column4\":\"\"},\"fields\":{\"lat\":1.10,\"name\":\"=x\"}}"));
        QVERIFY(lines[1].contains("\"code\":null"));
        QVERIFY(lines[1].endsWith("\"input\":{},\"fields\":{}}"));
        for (const QByteArray &line : lines.first(2))
            QVERIFY(JsonTree::parse(line).has_value());
    }

    void failuresAreInWords()
    {
        RowView row = doneRow();
        row.state = JobState::Failed;
        row.failure = {FailureKind::RateLimited, {}, 429, {}};
        m_source.rows = {row};
        m_options.columns = {QStringLiteral("state"), QStringLiteral("kind"), QStringLiteral("error")};
        QCOMPARE(exported(m_source, m_options),
                 QByteArray("state,kind,error\r\nfailed,rate_limited,HTTP 429: told to wait\r\n"));
    }

    void columns_data()
    {
        QTest::addColumn<QStringList>("wanted");
        QTest::addColumn<QByteArray>("head");
        const auto row = [](const char *wanted, const char *head) {
            QTest::newRow(wanted) << QString::fromUtf8(wanted).split(QLatin1Char(' ')) << QByteArray(head);
        };
        row("name row", "name,row");
        row("@fields @input", "lat,name,id,in.URL,id.2,column4");
        row("in.URL id.2 @input", "in.URL,id.2,id,column4");
        row("code code", "code");
    }
    void columns()
    {
        QFETCH(QStringList, wanted);
        QFETCH(QByteArray, head);
        m_options.columns = wanted;
        QCOMPARE(exported(m_source, m_options).split('\r').first(), head);
    }

    void unknownColumnsAreNamed()
    {
        m_options.columns = {QStringLiteral("row"), QStringLiteral("colour")};
        const QByteArray text = exported(m_source, m_options);
        QVERIFY(text.contains("there is no column \"colour\""));
        QVERIFY(text.contains("in.URL"));
        m_options.columns = {};
        QVERIFY(exported(m_source, m_options).contains("no column is left"));
        m_options.columns = {QStringLiteral("row")};
        for (const char *bad : {"", "\"", "\n", ",,", "\xFF"}) {
            m_options.separator = bad;
            QVERIFY(exported(m_source, m_options).contains("cannot stand between cells"));
        }
        m_options.separator = "\xC2\xA6"; // one character of two bytes
        m_options.columns.append(QStringLiteral("code"));
        QVERIFY(exported(m_source, m_options)
                    .startsWith("row\xC2\xA6"
                                "code\r\n3\xC2\xA6"
                                "200\r\n"));
    }

    void headsStayUnique()
    {
        m_source.inputs = {"in.url", "url", "lat", "Row", "column5", ""};
        m_options.columns = {QStringLiteral("@input"), QStringLiteral("@fields")};
        // A second batch has its columns in another order; a third has none of them.
        RowView first = doneRow();
        first.input = InputColumns(std::make_shared<const QVector<QByteArray>>(m_source.inputs),
                                   {"a", "b", "c", "d", "e", "f"});
        RowView second = doneRow();
        second.input = InputColumns(
            std::make_shared<const QVector<QByteArray>>(QVector<QByteArray>{"lat", "url"}), {"1", "2"});
        m_source.rows = {first, second, queuedRow(), first};
        QCOMPARE(exported(m_source, m_options),
                 QByteArray("in.url,in.url.2,lat,in.Row,column5,column6,lat.2,name\r\n"
                            "a,b,c,d,e,f,1.10,'=x\r\n"
                            ",2,1,,,,1.10,'=x\r\n"
                            ",,,,,,,\r\n"
                            "a,b,c,d,e,f,1.10,'=x\r\n"));
    }

    void recordsAreRows()
    {
        RowView row = doneRow();
        row.records = {"{\"name\":\"one\"}", "{\"name\":\"two\",\"lat\":2}"};
        m_source.rows = {row, queuedRow()};
        m_options.columns = {QStringLiteral("row"), QStringLiteral("record"), QStringLiteral("@fields")};
        QCOMPARE(exported(m_source, m_options),
                 QByteArray("row,record,lat,name\r\n3,1,1.10,one\r\n3,2,2,two\r\n4,,,\r\n"));
        m_options.what = ExportWhat::Jobs;
        QCOMPARE(exported(m_source, m_options), QByteArray("row,record,lat,name\r\n3,,1.10,'=x\r\n4,,,\r\n"));
    }

    void attemptsAndFailures()
    {
        AttemptView attempt;
        attempt.row = 3;
        attempt.number = 1;
        attempt.record.failure = {FailureKind::Http5xx, {}, 502, {}};
        attempt.record.code = 502;
        attempt.record.url = "http://a.example/x";
        attempt.record.hops = {{301, "http://a.example/x"}};
        m_source.attempts = {attempt, attempt};
        m_options.what = ExportWhat::Attempts;
        const QByteArray attempts = exported(m_source, m_options);
        QVERIFY(attempts.startsWith(
            "row,attempt,url,asked_url,code,kind,error,counted,sends,redirects,bytes,started_at,"));
        QVERIFY(attempts.contains("\r\n3,1,http://a.example/x?k={secret:maps},http://a.example/"
                                  "x,502,http_5xx,HTTP 502: bad gateway,true,0,1,0,,0,0,0,0,0,\r\n"));
        m_source.groups = {{FailureKind::Dns, "a.example", 0, 7}, {FailureKind::Http4xx, "=b", 404, 2}};
        m_options.what = ExportWhat::Failures;
        QCOMPARE(exported(m_source, m_options),
                 QByteArray("kind,host,code,count\r\ndns,a.example,,7\r\nhttp_4xx,'=b,404,2\r\n"));
        m_source.broken = true;
        QVERIFY(exported(m_source, m_options).contains("the file is gone"));
        m_options.what = ExportWhat::Rows;
        QVERIFY(exported(m_source, m_options).contains("the file is gone"));
    }

    // CS-04: the report counts, the other rows are untouched.
    void oddCharactersAreCounted()
    {
        RowView odd = doneRow();
        odd.fields = "{\"name\":\"a\\u0000b\\ud800\"}";
        m_source.rows = {odd, doneRow()};
        m_options.columns = {QStringLiteral("name")};
        ExportCounts counts;
        QCOMPARE(exported(m_source, m_options, &counts), QByteArray("name\r\na\xEF\xBF\xBD"
                                                                    "b\xEF\xBF\xBD\r\n'=x\r\n"));
        QCOMPARE(counts.replaced, 1); // the lone surrogate became U+FFFD when it was read
        m_options.format = ExportFormat::JsonLines;
        QVERIFY(exported(m_source, m_options).contains("a\\u0000b\xEF\xBF\xBD"));
    }

    void filesAreWholeOrNotThere()
    {
        const QTemporaryDir dir;
        const QString path = dir.filePath(QStringLiteral("out.csv"));
        m_options.columns = {QStringLiteral("row")};
        QCOMPARE(Exporter(m_source, m_options).toFile(path)->rows, 2);
        QCOMPARE(contents(path), QByteArray("row\r\n3\r\n4\r\n"));
        const QByteArray before = contents(path);

        m_source.repeat = 300'000;
        const auto cancelled = Exporter(m_source, m_options).toFile(path, [&](qint64 rows) {
            [&] { QCOMPARE(contents(path), before); }(); // while it runs, the old file stands
            return rows < 50'000;
        });
        QCOMPARE(cancelled.error().kind, ExportError::Kind::Cancelled);
        QCOMPARE(contents(path), before);

        m_source.failAfter = 100'000;
        const auto torn = Exporter(m_source, m_options).toFile(path);
        QCOMPARE(torn.error().kind, ExportError::Kind::Store);
        QCOMPARE(contents(path), before);
        QCOMPARE(QDir(dir.path()).entryList(QDir::Files | QDir::Hidden),
                 QStringList{QStringLiteral("out.csv")});
    }

    void placesThatAreNoPlainFiles()
    {
        const QTemporaryDir dir;
        m_options.columns = {QStringLiteral("row")};
        const QByteArray right = "row\r\n3\r\n4\r\n";
        const auto toDirectory = Exporter(m_source, m_options).toFile(dir.path());
        QCOMPARE(toDirectory.error().kind, ExportError::Kind::Output);
        QCOMPARE(toDirectory.error().problem.place, dir.path());
        const auto nowhere = Exporter(m_source, m_options).toFile(dir.filePath(QStringLiteral("no/out.csv")));
        QCOMPARE(nowhere.error().kind, ExportError::Kind::Output);

        const QString target = dir.filePath(QStringLiteral("target.csv"));
        QFile(target).open(QIODevice::WriteOnly);
        const QString link = dir.filePath(QStringLiteral("link.csv"));
        QVERIFY(QFile::link(target, link));
        QVERIFY(Exporter(m_source, m_options).toFile(link).has_value());
        QCOMPARE(contents(target), right);
        QVERIFY(QFileInfo(link).isSymLink());

        const QString pipe = dir.filePath(QStringLiteral("pipe"));
        QCOMPARE(::mkfifo(QFile::encodeName(pipe).constData(), 0600), 0);
        QByteArray read;
        std::thread reader([&] { read = contents(pipe); });
        const auto piped = Exporter(m_source, m_options).toFile(pipe);
        reader.join();
        QCOMPARE(piped->rows, 2);
        QCOMPARE(read, right);
        QVERIFY(Exporter(m_source, m_options).toFile(QStringLiteral("/dev/null")).has_value());
    }

    void fullDevicesAreErrors()
    {
        m_source.repeat = 200'000;
        for (const qint64 room : {0, 10, 1'000'000}) {
            FullDevice device(room);
            const auto done = Exporter(m_source, m_options).toDevice(device);
            QVERIFY(!done.has_value());
            QCOMPARE(done.error().kind, ExportError::Kind::Output);
            QVERIFY(done.error().problem.reason.contains(QLatin1String("No space")));
        }
    }

    void progressIsTold()
    {
        m_source.repeat = 3000;
        QVector<qint64> told;
        QBuffer buffer;
        buffer.open(QIODevice::WriteOnly);
        const auto done = Exporter(m_source, m_options).toDevice(buffer, [&told](qint64 rows) {
            told.append(rows);
            return true;
        });
        QCOMPARE(done->rows, 6000);
        QCOMPARE(told, (QVector<qint64>{1024, 2048, 3072, 4096, 5120, 6000}));
    }

    void names()
    {
        QCOMPARE(exportFormatFromName(QStringLiteral("tsv")), std::optional(ExportFormat::Tsv));
        QVERIFY(!exportFormatFromName(QStringLiteral("xml")));
        QCOMPARE(exportFormatOfFile(QStringLiteral("/a.b/x.JSONL")), ExportFormat::JsonLines);
        QCOMPARE(exportFormatOfFile(QStringLiteral("x.ndjson")), ExportFormat::JsonLines);
        QCOMPARE(exportFormatOfFile(QStringLiteral("x")), ExportFormat::Csv);
        for (const char *what : {"rows", "jobs", "attempts", "failures"})
            QVERIFY(exportWhatFromName(QString::fromLatin1(what)));
        QVERIFY(!exportWhatFromName(QStringLiteral("links")));
        Settings settings;
        settings.fields.resize(1);
        settings.fields[0].name = QStringLiteral("lat");
        settings.exportSettings.separator = QStringLiteral(";");
        settings.exportSettings.bom = true;
        settings.exportSettings.guard = false;
        const ExportOptions options = ExportOptions::of(settings);
        QCOMPARE(options.fields, QVector<QByteArray>{"lat"});
        QCOMPARE(options.separator, QByteArray(";"));
        QVERIFY(options.bom && !options.guard);
        m_options.format = ExportFormat::Tsv;
        m_options.columns = {QStringLiteral("row"), QStringLiteral("code")};
        QCOMPARE(exported(m_source, m_options), QByteArray("row\tcode\r\n3\t200\r\n4\t\r\n"));
    }
};

QTEST_GUILESS_MAIN(TestExporter)
#include "tst_exporter.moc"
