// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest/QtTest>

#include "core/settings/document.h"
#include "core/settings/settingskeys.h"

using namespace muster;

namespace {

const QByteArray twoLimiters = "{\"limiters\":[{\"name\":\"maps\",\"rate\":\"10/s\"},{\"name\":\"7\"}],"
                               "\"errorRules\":[{\"when\":{\"status\":500}}]}";

} // namespace

/// `settings get` and `settings set`.
class TestDocumentPath final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void get_data()
    {
        QTest::addColumn<QByteArray>("json");
        QTest::addColumn<QString>("key");
        QTest::addColumn<QByteArray>("value");
        const auto row = [](const QByteArray &json, const char *key, const char *value) {
            QTest::newRow(key) << json << QString::fromLatin1(key) << QByteArray(value) + '\n';
        };
        row(twoLimiters, "limiters.maps.rate", "\"10/s\"");
        row(twoLimiters, "limiters.0.rate", "\"10/s\"");
        row(twoLimiters, "limiters.7.name", "\"7\"");
        row(twoLimiters, "limiters.maps.burst", "1");
        row(twoLimiters, "limiters.maps.atOnce", "null");
        row(twoLimiters, "errorRules.0.when.status", "500");
        row("{}", "limiters.each-host.rate", "\"1/s\"");
        row("{}", "team.memberCap", "1000");
        row("{}", "request.fallback", "null");
        row("{}", "retry.statuses", "[408, 425, 429, 500, 502, 503, 504, \"520-524\"]");
        row("{\"team\":{\"memberCap\":5}}", "team",
            "{\n  \"memberCap\": 5,\n  \"drawAhead\": 2000,\n  \"maxRetries\": 3\n}");
        row("{\"request\":{\"headers\":{\"X.Y\":\"z\"}}}", "request.headers.X.Y", "\"z\"");
    }
    void get()
    {
        QFETCH(QByteArray, json);
        QFETCH(QString, key);
        QFETCH(QByteArray, value);
        const auto got = settingsValue(json, key);
        QVERIFY2(got, got ? "" : qPrintable(sentence(got.error())));
        QCOMPARE(*got, value);
    }

    void getAll()
    {
        const auto all = settingsValue("{\"name\":\"x\"}", QString());
        QVERIFY(all);
        const auto parsed = parseSettings(*all);
        QVERIFY(parsed);
        QCOMPARE(parsed->settings.name, QStringLiteral("x"));
        QCOMPARE(parsed->settings.team, TeamSettings());
    }

    void set_data()
    {
        QTest::addColumn<QByteArray>("json");
        QTest::addColumn<QString>("key");
        QTest::addColumn<QByteArray>("value");
        QTest::addColumn<QByteArray>("written");
        const auto row = [](const QByteArray &json, const char *key, const char *value, const char *written) {
            QTest::addRow("%s %s", key, value)
                << json << QString::fromLatin1(key) << QByteArray(value) << QByteArray(written);
        };
        row(twoLimiters, "limiters.maps.rate", "5/s", "\"5/s\"");
        row(twoLimiters, "limiters.maps.rate", "\"5/s\"", "\"5/s\"");
        row(twoLimiters, "limiters.7.burst", "3", "3");
        row("{}", "limiters.each-host.rate", "2/s", "\"2/s\"");
        row("{}", "request.accept", "[\"2xx\",404]", "[\"2xx\", 404]");
        row("{}", "request.fallback.on", "[405]", "[405]");
        row("{\"request\":{\"fallback\":null}}", "request.fallback.on", "[405]", "[405]");
        row("{}", "name", "Prices in May", "\"Prices in May\"");
        row("{}", "request.headers.X-A.b", "c", "\"c\"");
        row("{}", "limiters", "[]", "[]");
        row("{}", "name", "", "\"\"");
    }
    void set()
    {
        QFETCH(QByteArray, json);
        QFETCH(QString, key);
        QFETCH(QByteArray, value);
        QFETCH(QByteArray, written);
        const auto document = settingsWith(json, key, value);
        QVERIFY2(document, document ? "" : qPrintable(sentence(document.error())));
        QCOMPARE(*settingsValue(*document, key), written + '\n');
        const auto parsed = parseSettings(*document);
        QVERIFY2(parsed, parsed ? "" : qPrintable(sentence(parsed.error()[0])));
    }

    void setLeavesTheRestAlone()
    {
        const QByteArray json = "{\"team\":{\"maxRetries\":1},\"name\":\"x\",\"team2\":1.10}";
        const auto document = settingsWith(json, QStringLiteral("name"), "y");
        QVERIFY(document);
        QCOMPARE(*document, QByteArray("{\n  \"team\": {\n    \"maxRetries\": 1\n  },\n  \"name\": \"y\",\n"
                                       "  \"team2\": 1.10\n}\n"));
    }

    void unknown_data()
    {
        QTest::addColumn<QByteArray>("json");
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("words");
        const auto row = [](const QByteArray &json, const char *key, const char *words) {
            QTest::addRow("%s", key) << json << QString::fromLatin1(key) << QString::fromLatin1(words);
        };
        row("{}", "nmae", "write name");
        row("{}", "team.membercap", "write memberCap");
        row("{}", "team.memberCap.x", "no keys below");
        row(twoLimiters, "limiters.map.rate", "write one of maps, 7");
        row(twoLimiters, "limiters.9.rate", "has no item");
        row(twoLimiters, "limiters.maps.rat", "write rate");
        row(twoLimiters, "limiters.*.rate", "has no item");
        row("{}", "fields.lat.expr", "the list is empty");
        row("{\"limiters\":5}", "limiters.a.rate", "set limiters first");
        row("{\"team\":[]}", "team.memberCap", "set team first");
        row("[]", "name", "no block of settings");
        row("{", "name", "line 1");
        row("{}", ".", "there is no such key");
        row("{\"limiters\":[5]}", "limiters.0.rate", "no block");
    }
    void unknown()
    {
        QFETCH(QByteArray, json);
        QFETCH(QString, key);
        QFETCH(QString, words);
        for (const auto &result : {settingsValue(json, key), settingsWith(json, key, "1"),
                                   settingsWithout(json, key + QStringLiteral(".x"))}) {
            QVERIFY(!result);
        }
        const auto got = settingsWith(json, key, "1");
        QVERIFY2(sentence(got.error()).contains(words), qPrintable(sentence(got.error())));
        QVERIFY(!got.error().mend.isEmpty());
    }

    void without()
    {
        const auto lean = settingsWithout(twoLimiters, QStringLiteral("limiters.maps"));
        QVERIFY(lean);
        QCOMPARE(parseSettings(*lean)->settings.limiters.size(), 1);
        const auto member = settingsWithout(twoLimiters, QStringLiteral("limiters.maps.rate"));
        QVERIFY(member);
        QVERIFY(!parseSettings(*member)->settings.limiters[0].rate);
        const auto top = settingsWithout(twoLimiters, QStringLiteral("limiters"));
        QVERIFY(top);
        QCOMPARE(parseSettings(*top)->settings.limiters, Settings().limiters);
        QVERIFY(
            parseJson(*settingsWithout(twoLimiters, QStringLiteral("name")))->means(*parseJson(twoLimiters)));
        QVERIFY(!settingsWithout("{}", QStringLiteral("limiters.nobody.rate")));
        QVERIFY(!settingsWithout("[]", QStringLiteral("name")));
    }
};

QTEST_GUILESS_MAIN(TestDocumentPath)
#include "tst_documentpath.moc"
