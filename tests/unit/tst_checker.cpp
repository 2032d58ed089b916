// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <QtTest/QtTest>

#include "core/view/checker.h"

using namespace muster;

namespace {

/// Documents are written with ' for ".
QByteArray json(QByteArray text)
{
    return text.replace('\'', '"');
}

bool names(const Problems &problems, const QByteArray &place)
{
    return std::any_of(problems.begin(), problems.end(), [&place](const Problem &p) {
        return p.severity == Problem::Severity::Error && p.place.startsWith(QString::fromUtf8(place));
    });
}

} // namespace

/// Each side of the check has its own test; here is that none of them is left out.
class TestChecker final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aSoundDocument()
    {
        const Checked checked = checkDocument(
            json("{'request':{'url':'http://a.example/{id}'},'fields':[{'name':'a','expr':'$.a'}]}"));
        QVERIFY(checked.ok());
        QVERIFY(checked.problems.isEmpty());
        QCOMPARE(checked.settings.fields.size(), 1);
        QCOMPARE(checked.requestTemplate->columns(), QVector<QByteArray>({"id"}));
        Answer answer;
        answer.status = 200;
        answer.headers = {{"Content-Type", "application/json"}};
        answer.body = json("{'a':'x'}");
        QVERIFY(!checked.rules->failing(answer));
    }

    void brokenOnEachSide_data()
    {
        QTest::addColumn<QByteArray>("document");
        QTest::addColumn<QByteArrayList>("places");
        const auto row = [](const char *name, const char *document, const QByteArrayList &places) {
            QTest::newRow(name) << json(document) << places;
        };
        row("no JSON", "{", {"line 1"});
        row("a key", "{'team':{'memberCap':-1}}", {"team.memberCap"});
        row("the template", "{'request':{'url':'http://a.example/{id'}}", {"request.url"});
        row("a template no row can use", "{'request':{'url':'ftp://a.example/{id}'}}", {"request.url"});
        row("the rules", "{'fields':[{'name':'a','expr':'$.['}]}", {"fields.a"});
        row("the input", "{'input':{'encoding':'klingon'}}", {"input.encoding"});
        row("all at once",
            "{'request':{'url':'http://a.example/{id'},'fields':[{'name':'a','expr':'$.['}],"
            "'input':{'encoding':'klingon'}}",
            {"request.url", "fields.a", "input.encoding"});
    }
    void brokenOnEachSide()
    {
        QFETCH(QByteArray, document);
        QFETCH(QByteArrayList, places);
        const Checked checked = checkDocument(document);
        QVERIFY(!checked.ok());
        QVERIFY(!checked.requestTemplate && !checked.rules);
        for (const QByteArray &place : places)
            QVERIFY2(names(checked.problems, place), place.constData());
        for (const Problem &problem : checked.problems)
            QVERIFY(!problem.reason.isEmpty() && !problem.mend.isEmpty());
    }

    void templatesOfAnyHostAreNotTriedOut()
    {
        QVERIFY(checkDocument(json("{'request':{'url':'{host}/x'}}")).ok());
        QVERIFY(checkDocument(json("{'input':{'encoding':'GB18030'}}")).ok());
    }

    void warningsStandBehindErrors()
    {
        const Checked sound = checkDocument(json("{'limiters':[]}"));
        QVERIFY(sound.ok());
        QCOMPARE(sound.problems.size(), 1);
        QCOMPARE(sound.problems[0].severity, Problem::Severity::Warning);
        const Checked broken = checkDocument(json("{'limiters':[],'fields':[{'name':'a','expr':'$.['}]}"));
        QVERIFY(!broken.ok());
        QCOMPARE(broken.problems.size(), 2);
        QCOMPARE(broken.problems[0].severity, Problem::Severity::Error);
        QCOMPARE(broken.problems[1].severity, Problem::Severity::Warning);
    }

    void columnsThatTheRowsLack()
    {
        const Checked checked = checkDocument(
            json("{'request':{'url':'http://a.example/{id}/{city}'},'fields':[{'name':'a','expr':'$.a'}],"
                 "'export':{'columns':['a','row','@input','in.city','zip']}}"));
        QVERIFY(checked.ok());
        const Problems problems = checkBeside(checked, {"city"});
        QCOMPARE(problems.size(), 2);
        QCOMPARE(problems[0].place, QStringLiteral("request"));
        QVERIFY(problems[0].reason.contains(QStringLiteral("\"id\"")));
        QVERIFY(problems[0].mend.contains(QStringLiteral("city")));
        QCOMPARE(problems[1].place, QStringLiteral("export.columns"));
        QVERIFY(problems[1].reason.contains(QStringLiteral("\"zip\"")));
        QVERIFY(checkBeside(checked, {"city", "id", "zip"}).isEmpty());
    }
};

QTEST_GUILESS_MAIN(TestChecker)
#include "tst_checker.moc"
