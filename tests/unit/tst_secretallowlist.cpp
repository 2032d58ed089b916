// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest/QtTest>

#include "core/settings/secretallowlist.h"

using namespace muster;

class TestSecretAllowList final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void globs_data()
    {
        QTest::addColumn<QByteArray>("glob");
        QTest::addColumn<QByteArray>("host");
        QTest::addColumn<bool>("allowed");
        const auto row = [](const char *glob, const char *host, bool allowed) {
            QTest::addRow("%s %s", glob, host) << QByteArray(glob) << QByteArray(host) << allowed;
        };
        row("api.example", "api.example", true);
        row("API.Example", "api.example", true);
        row("api.example", "api.example.evil", false);
        row("api.example", "xapi.example", false);
        row("*.example", "a.example", true);
        row("*.example", "a.b.example", true);
        row("*.example", "example", false);
        row("*.example", "example.evil", false);
        row("*", "anything", true);
        row("a*b*c", "axxbyyc", true);
        row("a*b*c", "axxbyy", false);
        row("::1", "::1", true);
        row("*a*a*a*a*a*a*a*b", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", false);
    }
    void globs()
    {
        QFETCH(QByteArray, glob);
        QFETCH(QByteArray, host);
        QFETCH(bool, allowed);
        SecretAllowList list;
        QVERIFY(!list.allow("maps", glob));
        QCOMPARE(list.allows("maps", SecretSource::StoredFile, host), allowed);
        QVERIFY(!list.allows("other", SecretSource::StoredFile, host));
        QVERIFY(list.allows("maps", SecretSource::Environment, host)); // handed to this run
        QVERIFY(list.allows("maps", SecretSource::SecretsFile, host));
        QVERIFY(list.allows("maps", SecretSource::Credentials, host));
    }

    void nothingIsAllowedByItself()
    {
        QVERIFY(!SecretAllowList().allows("maps", SecretSource::StoredFile, "api.example"));
    }

    void wrong_data()
    {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<QByteArray>("glob");
        QTest::newRow("name") << QByteArray("My-Key") << QByteArray("a");
        QTest::newRow("empty") << QByteArray("a") << QByteArray();
        QTest::newRow("url") << QByteArray("a") << QByteArray("https://a.example/");
        QTest::newRow("long") << QByteArray("a") << QByteArray(300, 'a');
    }
    void wrong()
    {
        QFETCH(QByteArray, name);
        QFETCH(QByteArray, glob);
        SecretAllowList list;
        const auto problem = list.allow(name, glob);
        QVERIFY(problem);
        QVERIFY(!problem->reason.isEmpty() && !problem->mend.isEmpty());
        QVERIFY(list.entries().isEmpty());
    }

    void onceAndTakenBack()
    {
        SecretAllowList list;
        QVERIFY(!list.allow("maps", "a.example"));
        QVERIFY(!list.allow("maps", "A.EXAMPLE"));
        QCOMPARE(list.entries().size(), 1);
        QVERIFY(list.disallow("maps", "A.example"));
        QVERIFY(!list.disallow("maps", "a.example"));
        QVERIFY(!list.allows("maps", SecretSource::StoredFile, "a.example"));
    }

    void keptAsJson()
    {
        SecretAllowList list;
        QVERIFY(!list.allow("maps", "*.maps.example"));
        QVERIFY(!list.allow("rates", "api.example"));
        const auto back = SecretAllowList::fromJson(list.toJson());
        QVERIFY(back);
        QVERIFY(*back == list);
        QVERIFY(!SecretAllowList::fromJson(QJsonArray{QStringLiteral("maps")}));
    }

    void tellsWhichAreNotAllowed()
    {
        SecretLookup lookup;
        lookup.sources = {{"stored", SecretSource::StoredFile},
                          {"allowed", SecretSource::StoredFile},
                          {"given", SecretSource::Environment}};
        SecretAllowList list;
        QVERIFY(!list.allow("allowed", "*.example"));
        const Problems problems = list.notAllowed(lookup, "api.example");
        QCOMPARE(problems.size(), 1);
        QCOMPARE(problems[0].place, QStringLiteral("{secret:stored}"));
        QVERIFY(problems[0].mend.contains(QLatin1String("--host api.example")));
    }
};

QTEST_GUILESS_MAIN(TestSecretAllowList)
#include "tst_secretallowlist.moc"
