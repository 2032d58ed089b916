// SPDX-License-Identifier: GPL-3.0-or-later
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QtTest/QtTest>

#include "core/settings/sampledocument.h"
#include "core/settings/settingskeys.h"
#include "core/view/checker.h"
#include "tests/support/clifolder.h"

using namespace muster;

namespace {

/// A document with one mistake: which key must be named, and a document that is right where one is known.
struct Mistake
{
    QByteArray name;
    QByteArray document;
    QString place;
};

QByteArray number(double value)
{
    return QByteArray::number(value, 'g', 17);
}

/// A value that no key of that type takes.
QByteArray wrongType(const SettingsKey &key)
{
    switch (key.type) {
    case KeyType::Block:
    case KeyType::List:
    case KeyType::Map:
        return "5";
    case KeyType::Scalar:
        return "[1]";
    default:
        return R"({"a":1})";
    }
}

/// Everything item 8 asks of the table: each key with a wrong type, below and above its range, misspelt.
QVector<Mistake> mistakes()
{
    QVector<Mistake> all;
    for (const SettingsKey &key : settingsKeys()) {
        const auto add = [&](const char *what, const QByteArray &document) {
            all.append({QByteArray(key.name) + ' ' + what, document, key.last()});
        };
        add("wrong type", sampleDocument(key, wrongType(key)));
        if (key.hasRange() && key.high < 1e300) {
            add("below", sampleDocument(key, number(key.low - (key.low < 1 ? 0.0001 : 1))));
            add("above", sampleDocument(key, number(key.high + 1)));
        }
        if (key.last() != QLatin1String("*") && !key.later && !key.goodValue().isEmpty())
            all.append({QByteArray(key.name) + " misspelt",
                        sampleDocument(key, key.goodValue(), key.last() + QStringLiteral("x")),
                        key.last() + QStringLiteral("x")});
    }
    return all;
}

/// One line each of a table in tests/data: name | key | part of the sentence | document.
QVector<Mistake> brokenDocuments()
{
    QVector<Mistake> all;
    // The second needs the whole check: rules and template are compiled.
    for (const char *name : {"/settings-broken.txt", "/settings-uncompiled.txt"}) {
        QFile file(QStringLiteral(MUSTER_TEST_DATA) + QLatin1String(name));
        if (!file.open(QIODevice::ReadOnly))
            qFatal("%s is not there", name);
        for (const QByteArray &line : file.readAll().split('\n')) {
            const QList<QByteArray> parts = line.split('|');
            if (parts.size() >= 4)
                all.append(
                    {parts[0].trimmed(), line.mid(line.indexOf('{')), QString::fromUtf8(parts[1].trimmed())});
        }
    }
    return all;
}

} // namespace

/// Issue 2, item 8: `check` says key, reason and mend, and the mend, applied, passes.
class TestCheckCommand final : public QObject
{
    Q_OBJECT

private:
    CliFolder m_here;

    static QByteArray told(const Problems &problems)
    {
        QByteArray out;
        for (const Problem &p : problems)
            out += sentence(p).toUtf8() + '\n';
        return out;
    }
    static const Problem *problemAt(const Problems &problems, const QString &place)
    {
        for (const Problem &p : problems)
            if (p.severity == Problem::Severity::Error && p.place.contains(place))
                return &p;
        return nullptr;
    }
    static void addRows(const QVector<Mistake> &all, int step)
    {
        QTest::addColumn<QByteArray>("document");
        QTest::addColumn<QString>("place");
        for (qsizetype i = 0; i < all.size(); i += step)
            QTest::addRow("%s", all[i].name.constData()) << all[i].document << all[i].place;
    }

private Q_SLOTS:
    void table_data() { addRows(mistakes(), 1); }
    void table()
    {
        QFETCH(QByteArray, document);
        QFETCH(QString, place);
        const Checked checked = checkDocument(document);
        QVERIFY2(!checked.ok() && hasErrors(checked.problems), document.constData());
        const Problem *problem = problemAt(checked.problems, place == QLatin1String("*") ? QString() : place);
        QVERIFY2(problem, QByteArray(document + '\n' + told(checked.problems)).constData());
        QVERIFY2(!problem->reason.isEmpty() && !problem->mend.isEmpty(), told(checked.problems).constData());
        // The mend of each problem in turn, to the letter, until nothing is left to mend.
        QByteArray json = document;
        for (int i = 0; i < 5; ++i) {
            const Checked now = checkDocument(json);
            const Problem *next = problemAt(now.problems, QString());
            if (!next)
                break;
            const auto mended = withMend(json, *next);
            if (!mended && !next->place.endsWith(place))
                return; // its own mend is applied; the sample's other half (an expression) fits another value
            QVERIFY2(mended, QByteArray(json + '\n' + told(now.problems)).constData());
            json = *mended;
        }
        const Checked after = checkDocument(json);
        QVERIFY2(after.ok(), QByteArray(json + '\n' + told(after.problems)).constData());
    }

    void broken_data() { addRows(brokenDocuments(), 1); }
    void broken()
    {
        QFETCH(QByteArray, document);
        QFETCH(QString, place);
        const Checked checked = checkDocument(document);
        QVERIFY2(!checked.ok(), document.constData());
        const Problem *problem = problemAt(checked.problems, place);
        QVERIFY2(problem, QByteArray(document + '\n' + told(checked.problems)).constData());
        QVERIFY2(!problem->reason.isEmpty() && !problem->mend.isEmpty(), told(checked.problems).constData());
    }
    void thereAreEnough() { QVERIFY(brokenDocuments().size() >= 20); }

    /// The program says what the check says: a sample of the same rows, as lines and as JSON.
    void program_data()
    {
        QVector<Mistake> sample;
        const auto every = [&sample](const QVector<Mistake> &all, int step) {
            for (qsizetype i = 0; i < all.size(); i += step)
                sample += all[i];
        };
        every(mistakes(), 17);
        every(brokenDocuments(), 4);
        addRows(sample, 1);
    }
    void program()
    {
        QFETCH(QByteArray, document);
        const Checked checked = checkDocument(document);
        m_here.write("s.json", document);
        const CliEnd lines = m_here.run({"check", "s.json"});
        QCOMPARE(lines.code, 5);
        const CliEnd json = m_here.run({"check", "-", "--json"}, document);
        QCOMPARE(json.code, 5);
        const QJsonArray said =
            QJsonDocument::fromJson(json.out).object()[QStringLiteral("problems")].toArray();
        QCOMPARE(said.size(), checked.problems.size());
        for (qsizetype i = 0; i < said.size(); ++i) {
            const Problem &p = checked.problems[i];
            QVERIFY2(lines.err.contains(sentence(p).toUtf8()), lines.err.constData());
            QCOMPARE(said[i][QStringLiteral("place")].toString(), p.place);
            QCOMPARE(said[i][QStringLiteral("reason")].toString(), p.reason);
            QCOMPARE(said[i][QStringLiteral("mend")].toString(), p.mend);
        }
        m_here.write("p.muster", {});
        QFile::remove(m_here.path("p.muster"));
        QCOMPARE(m_here.run({"new", "p.muster", "--settings", "s.json"}).code, 5);
        QVERIFY2(!m_here.exists("p.muster"), "a project with mistakes was made");
    }

    /// What cannot be seen in the document: a column that the list lacks, a secret that is nowhere.
    void beforeTheFirstRequest()
    {
        m_here.write("u.json", "{\"version\":1,\"request\":{\"url\":\"http://127.0.0.1:9/{city}\"}}");
        m_here.write("rows.csv", "id,town\r\n1,Köln\r\n");
        QCOMPARE(m_here.run({"new", "u.muster", "--settings", "u.json"}).code, 0);
        const CliEnd column = m_here.run({"import", "u.muster", "rows.csv"});
        QCOMPARE(column.code, 5);
        for (const char *word : {"city", "id", "town"})
            QVERIFY2(column.err.contains(word), column.err.constData());
        m_here.write("k.json",
                     "{\"version\":1,\"request\":{\"url\":\"http://127.0.0.1:9/{id}?k={secret:maps}\"}}");
        QCOMPARE(m_here.run({"new", "k.muster", "--settings", "k.json"}).code, 0);
        QCOMPARE(m_here.run({"import", "k.muster", "rows.csv"}).code, 0);
        const CliEnd secret = m_here.run({"run", "k.muster"});
        QCOMPARE(secret.code, 5);
        QVERIFY2(secret.err.contains("maps"), secret.err.constData());
    }
};

QTEST_GUILESS_MAIN(TestCheckCommand)
#include "tst_checkcommand.moc"
