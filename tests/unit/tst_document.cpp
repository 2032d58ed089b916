// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest/QtTest>

#include "core/settings/document.h"
#include "core/settings/exportcolumns.h"
#include "core/settings/sampledocument.h"
#include "core/settings/settingskeys.h"

using namespace muster;

class TestDocument final : public QObject
{
    Q_OBJECT

    static QByteArray told(const Problems &problems)
    {
        QByteArray out;
        for (const Problem &p : problems)
            out += sentence(p).toUtf8() + '\n';
        return out;
    }

    static QByteArray dataFile(const char *name)
    {
        QFile file(QStringLiteral(MUSTER_TEST_DATA "/") + QLatin1String(name));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

    /// One document a line, `name | place | words | JSON`: moc cannot read them as raw strings here.
    static void documents(const char *file)
    {
        QTest::addColumn<QByteArray>("json");
        QTest::addColumn<QString>("place");
        QTest::addColumn<QString>("words");
        for (const QByteArray &line : dataFile(file).split('\n')) {
            const QString text = QString::fromUtf8(line);
            const auto part = [&text](int i) { return text.section(QStringLiteral(" | "), i, i).trimmed(); };
            if (!text.isEmpty())
                QTest::newRow(qPrintable(part(0)))
                    << text.section(QStringLiteral(" | "), 3).toUtf8() << part(1) << part(2);
        }
    }

    static Problems errorsOf(const QByteArray &json)
    {
        const auto parsed = parseSettings(json);
        return parsed ? Problems() : parsed.error();
    }

private Q_SLOTS:
    void theSampleOfTheSpecIsTheDefaults()
    {
        const auto parsed = parseSettings(dataFile("settings-sample.json"));
        QVERIFY2(parsed, parsed ? "" : told(parsed.error()).constData());
        QVERIFY(parsed->settings == Settings());
        QVERIFY(parsed->warnings.isEmpty());
    }

    void anEmptyDocumentIsTheDefaults()
    {
        const auto parsed = parseSettings("\xEF\xBB\xBF{}\n");
        QVERIFY(parsed);
        QVERIFY(parsed->settings == Settings());
        QCOMPARE(parsed->settings.limiters.size(), 2);
    }

    void writtenInTheOrderOfTheSpec()
    {
        const QByteArray json = settingsToJson(Settings());
        qsizetype at = -1;
        for (const SettingsKey *k : settingsKeysBelow(QString())) {
            const qsizetype next = json.indexOf(QByteArray("\n  \"" + k->last().toUtf8() + "\": "));
            QVERIFY2(next > at, k->name);
            at = next;
        }
    }

    void valuesArriveAndComeBack()
    {
        const QByteArray json = dataFile("settings-full.json");
        const auto parsed = parseSettings(json);
        QVERIFY2(parsed, parsed ? "" : told(parsed.error()).constData());
        const Settings &s = parsed->settings;
        QCOMPARE(s.name, QString::fromUtf8("Prüfung"));
        QCOMPARE(s.team.maxRetries, 0);
        QCOMPARE(s.input.separator, QStringLiteral("\t"));
        QCOMPARE(s.request.headers[0].first, QStringLiteral("X-B"));
        QCOMPARE(s.request.headers[1].first, QStringLiteral("Accept"));
        QCOMPARE(s.request.fallback->on, QVector<int>{405});
        QCOMPARE(s.request.fallback->method, QStringLiteral("GET"));
        QCOMPARE(s.request.read, QStringLiteral("64"));
        QCOMPARE(s.request.accept,
                 (QVector<QString>{QStringLiteral("2xx"), QStringLiteral("404"), QStringLiteral("500-501")}));
        QVERIFY(s.retry.covers(503) && s.retry.covers(429) && !s.retry.covers(408));
        QCOMPARE(s.limiters[0].rate, std::optional(QStringLiteral("1/7s")));
        QCOMPARE(s.limiters[0].cost, 8);
        QCOMPARE(s.limiters[1].costColumn, QStringLiteral("price"));
        QCOMPARE(s.limiters[1].cost, 1);
        QVERIFY(!s.limiters[1].enabled);
        QVERIFY(!s.limiters[2].rate && !s.limiters[2].atOnce);
        QCOMPARE(s.errorRules[1].when.above, std::optional(1.5));
        QCOMPARE(s.errorRules[1].when.status, QStringLiteral("200"));
        QCOMPARE(s.errorRules[1].treatAs, QStringLiteral("error_rule"));
        QCOMPARE(s.errorRules[2].when.exists, std::optional(false));
        QVERIFY(s.errorRules[3].when.equals && s.errorRules[3].when.equals->isNull());
        QCOMPARE(s.fields[0].defaultValue, QStringLiteral("0"));
        const QByteArray written = settingsToJson(s);
        const auto back = parseSettings(written);
        QVERIFY2(back, back ? "" : told(back.error()).constData());
        QVERIFY(back->settings == s);
        QVERIFY(written.contains("12345678901234567"));
    }

    void syntaxErrorsNameLineAndColumn_data()
    {
        QTest::addColumn<QByteArray>("json");
        QTest::addColumn<QString>("place");
        const auto row = [](const char *name, const char *json, const char *place) {
            QTest::newRow(name) << QByteArray(json) << QString::fromLatin1(place);
        };
        row("empty", "", "line 1, column 1");
        row("comma", "{\"a\": 1,\n \"b\": 2,\n}", "line 3, column 1");
        row("quote", "{\n  name: 1}", "line 2, column 4");
        row("cut", "{\"name\": \"x\"", "line 1, column 13");
        row("wide", "{\"\xC3\xA4\xC3\xB6\" 1}", "line 1, column 7");
        row("bytes", "{\"name\": \"\xFF\"}", "line 1, column 11");
        row("two", "{} {}", "line 1, column 4");
        row("comment", "// x\n{}", "line 1, column 1");
    }
    void syntaxErrorsNameLineAndColumn()
    {
        QFETCH(QByteArray, json);
        QFETCH(QString, place);
        const Problems problems = errorsOf(json);
        QCOMPARE(problems.size(), 1);
        QVERIFY2(problems[0].place == place, told(problems).constData());
        QVERIFY(!problems[0].mend.isEmpty());
        QVERIFY(!problems[0].reason.contains(QLatin1String("exception")));
    }

    void hostileDocuments()
    {
        const Problems deep = errorsOf(QByteArray(1000000, '['));
        QCOMPARE(deep.size(), 1);
        QVERIFY(deep[0].reason.contains(QLatin1String("deeper")));
        const Problems large = errorsOf("{\"name\":\"" + QByteArray(9 * 1024 * 1024, 'x') + "\"}");
        QCOMPARE(large.size(), 1);
        QVERIFY(large[0].reason.contains(QLatin1String("8 MiB")));
        const Problems name = errorsOf("{\"" + QByteArray(100000, 'x') + "\":1}");
        QCOMPARE(name.size(), 1);
        QVERIFY(sentence(name[0]).size() < 500);
        QCOMPARE(errorsOf("[1]")[0].place, QStringLiteral("document"));
        QCOMPARE(errorsOf("{\"team\":{\"maxRetries\":99999999999999999999999}}").size(), 1);
    }

    void mendsThatNameNoValueAreNotFollowed()
    {
        const Problem noKey{Problem::Severity::Error, QStringLiteral("x"),
                            QStringLiteral("there is no such key"),
                            QStringLiteral("write name, or leave it out")};
        QVERIFY(!withMend("{}", noKey)); // it is not there
        QVERIFY(!withMend("{", noKey));  // no JSON
        QVERIFY(!withMend("{}", {Problem::Severity::Error, QStringLiteral("name"), QStringLiteral("why"),
                                 QStringLiteral("think about it")}));
        QVERIFY(!withMend("{}", {Problem::Severity::Error, QStringLiteral("nmae"), QStringLiteral("why"),
                                 QStringLiteral("write a text, for example 1")}));
    }

    void otherVersionsAreRefusedUntouched_data()
    {
        QTest::addColumn<QByteArray>("version");
        for (const char *v : {"2", "0", "1.5", "\"1\"", "null", "-1"})
            QTest::newRow(v) << QByteArray(v);
    }
    void otherVersionsAreRefusedUntouched()
    {
        QFETCH(QByteArray, version);
        const Problems problems = errorsOf("{\"nonsense\": 1, \"version\": " + version + "}");
        QCOMPARE(problems.size(), 1); // the unknown key may be one of that version
        QCOMPARE(problems[0].place, QStringLiteral("version"));
    }

    void broken_data() { documents("settings-broken.txt"); }
    void broken()
    {
        QFETCH(QByteArray, json);
        QFETCH(QString, place);
        QFETCH(QString, words);
        const Problems problems = errorsOf(json);
        QVERIFY(hasErrors(problems));
        const auto it = std::find_if(problems.begin(), problems.end(), [&](const Problem &p) {
            return p.place == place && sentence(p).contains(words);
        });
        QVERIFY2(it != problems.end(), told(problems).constData());
        QVERIFY(!it->reason.isEmpty() && !it->mend.isEmpty());
    }

    void warned_data() { documents("settings-warned.txt"); }
    void warned()
    {
        QFETCH(QByteArray, json);
        QFETCH(QString, place);
        QFETCH(QString, words);
        const auto parsed = parseSettings(json);
        QVERIFY2(parsed, parsed ? "" : told(parsed.error()).constData());
        QVERIFY2(parsed->warnings.size() == 1, told(parsed->warnings).constData());
        QCOMPARE(parsed->warnings[0].place, place);
        QVERIFY(parsed->warnings[0].severity == Problem::Severity::Warning);
        QVERIFY2(sentence(parsed->warnings[0]).contains(words), told(parsed->warnings).constData());
    }

    void notWarned_data() { documents("settings-quiet.txt"); }
    void notWarned()
    {
        QFETCH(QByteArray, json);
        const auto parsed = parseSettings(json);
        QVERIFY2(parsed, parsed ? "" : told(parsed.error()).constData());
        QVERIFY2(parsed->warnings.isEmpty(), told(parsed->warnings).constData());
    }

    void everyMistakeAtOnce()
    {
        const Problems problems = errorsOf(dataFile("settings-many-mistakes.json"));
        QStringList places;
        for (const Problem &p : problems)
            places.append(p.place);
        QCOMPARE(places,
                 (QStringList{QStringLiteral("team.memberCap"), QStringLiteral("team.drawahead"),
                              QStringLiteral("name"), QStringLiteral("limiters.a.rate"),
                              QStringLiteral("export.separator"), QStringLiteral("request.headers.Host"),
                              QStringLiteral("limiters.b.cost")}));
    }

    void noFixedColumnIsForgotten()
    {
        QCOMPARE(fixedExportColumns.size(), std::size_t(26));
        for (const char *column : fixedExportColumns)
            QVERIFY(isFixedExportColumn(QString::fromLatin1(column).toUpper()));
        QVERIFY(!isFixedExportColumn(u"lat"));
    }
};

QTEST_GUILESS_MAIN(TestDocument)
#include "tst_document.moc"
