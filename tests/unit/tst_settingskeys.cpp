// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest/QtTest>

#include "core/job/failure.h"
#include "core/settings/document.h"
#include "core/settings/sampledocument.h"
#include "core/settings/settingskeys.h"

using namespace muster;

/// Walks the whole table of keys: whatever is wrong with a value is told with key, reason and mend, and the
/// mend, followed to the letter, leads to a document that passes.
class TestSettingsKeys final : public QObject
{
    Q_OBJECT

    static QByteArray wrongType(const SettingsKey &k)
    {
        switch (k.type) {
        case KeyType::Block:
        case KeyType::List:
        case KeyType::Map:
        case KeyType::Codes:
        case KeyType::Statuses:
        case KeyType::Texts:
            return "\"x\"";
        case KeyType::Integer:
        case KeyType::Number:
        case KeyType::Bool:
            return "\"abc\"";
        case KeyType::Scalar:
            return "[1]";
        case KeyType::Status:
        case KeyType::Cost:
        case KeyType::Rate:
            return "true";
        default:
            return "5";
        }
    }

    static QByteArray told(const tl::expected<ParsedSettings, Problems> &parsed)
    {
        return parsed ? QByteArray() : sentence(parsed.error()[0]).toUtf8();
    }

    static QByteArray number(double v) { return JsonNode::ofNumber(v).text.toLatin1(); }

    /// The key as a message names it for the sample document: `limiters.api.rate`.
    static QString placeOf(const SettingsKey &k, const QString &own)
    {
        QStringList steps = k.path().split(QLatin1Char('.'));
        steps.last() = own;
        for (qsizetype i = 1; i + 1 < steps.size(); ++i) {
            if (steps[i] != QLatin1String("*"))
                continue;
            const SettingsKey *list =
                settingsKey(k.path().section(QLatin1Char('.'), 0, static_cast<int>(i) - 1));
            const SettingsKey *id =
                *list->id == '\0'
                    ? nullptr
                    : settingsKey(list->path() + QStringLiteral(".*.") + QLatin1String(list->id));
            const bool named = id && (id != &k);
            steps[i] = named ? QString::fromUtf8(id->example).remove(QLatin1Char('"')) : QStringLiteral("0");
        }
        return steps.join(QLatin1Char('.'));
    }

    static QString ownName(const SettingsKey &k)
    {
        return k.last() == QLatin1String("*") ? QStringLiteral("X-Sample") : k.last();
    }

    static void expectProblemAndMend(const QByteArray &json, const QString &place)
    {
        const auto parsed = parseSettings(json);
        QVERIFY2(!parsed, json.constData());
        const auto it = std::find_if(parsed.error().begin(), parsed.error().end(),
                                     [&place](const Problem &p) { return p.place == place; });
        QVERIFY2(it != parsed.error().end(),
                 QByteArray(place.toUtf8() + " is not named: " + told(parsed)).constData());
        QVERIFY2(it->severity == Problem::Severity::Error, json.constData());
        QVERIFY2(!it->reason.isEmpty() && !it->mend.isEmpty(), json.constData());
        const auto mended = withMend(json, *it);
        QVERIFY2(mended, sentence(*it).toUtf8().constData());
        const auto again = parseSettings(*mended);
        QVERIFY2(again, QByteArray(sentence(*it).toUtf8() + " -> " + *mended + told(again)).constData());
    }

private Q_SLOTS:
    void rowsAreWhole()
    {
        QSet<QString> names;
        for (const SettingsKey &k : settingsKeys()) {
            QVERIFY2(!names.contains(k.path()), k.name);
            names.insert(k.path());
            QVERIFY2(*k.help != '\0', k.name);
            QVERIFY2(!expectation(k).isEmpty(), k.name);
            if (k.hasRange() && k.type != KeyType::Cost)
                QVERIFY2(k.low < k.high || k.path() == QLatin1String("version"), k.name);
            const qsizetype dot = k.path().lastIndexOf(QLatin1Char('.'));
            if (dot > 0 && !k.path().endsWith(QLatin1String("*")))
                QVERIFY2(settingsKey(k.path().left(dot)) || k.path().left(dot).endsWith(QLatin1String("*")),
                         k.name);
            if (*k.fallback != '\0')
                QVERIFY2(parseJson(k.fallback), k.name);
            for (const QString &later : k.laterWordList())
                QVERIFY2(k.wordList().contains(later), k.name);
        }
        QVERIFY(names.size() > 150);
        QVERIFY(!settingsKey(QStringLiteral("limiters.*.nothing")));
    }

    void treatAsKnowsEveryKind()
    {
        QStringList kinds;
        for (std::size_t i = 1; i < failureKindCount; ++i)
            kinds.append(QString::fromLatin1(failureKindName(static_cast<FailureKind>(i))));
        QCOMPARE(settingsKey(QStringLiteral("errorRules.*.treatAs"))->wordList(), kinds);
    }

    void initialisersAreTheTablesDefaults()
    {
        // One way: a document of the table's defaults is the struct as it is made.
        const auto parsed = parseSettings(defaultDocument().toJson());
        QVERIFY(parsed);
        QVERIFY(parsed->settings == Settings());
        QVERIFY(parsed->warnings.isEmpty());
        // The other: the struct as it is made writes the table's defaults.
        const auto written = parseJson(settingsToJson(Settings()));
        QVERIFY(written);
        for (const SettingsKey *k : settingsKeysBelow(QString())) {
            if (k->path() != QLatin1String("limiters"))
                QVERIFY2(written->find(k->last())->means(*defaultDocument().find(k->last())), k->name);
        }
    }

    void initialisersOfItems_data()
    {
        QTest::addColumn<QString>("list");
        for (const char *list : {"limiters", "fields", "errorRules"})
            QTest::newRow(list) << QString::fromLatin1(list);
    }
    void initialisersOfItems()
    {
        QFETCH(QString, list);
        // An item with every default of the table written out is the item that leaves them out.
        const SettingsKey *anyKey = settingsKeysBelow(list + QStringLiteral(".*")).first();
        const QByteArray lean = sampleDocument(*anyKey, anyKey->example);
        JsonNode full = *parseJson(lean);
        JsonNode &item = full.find(list)->items.front();
        int defaults = 0;
        for (const SettingsKey *k : settingsKeysBelow(list + QStringLiteral(".*"))) {
            if (*k->fallback != '\0' && !item.find(k->last())) {
                item.set(k->last(), *parseJson(k->fallback));
                ++defaults;
            }
        }
        QVERIFY(defaults > 0);
        const auto a = parseSettings(lean);
        const auto b = parseSettings(full.toJson());
        QVERIFY(a);
        QVERIFY2(b, told(b).constData());
        QVERIFY(a->settings == b->settings);
    }

    void goodValuesPass_data() { everyKey(); }
    void goodValuesPass()
    {
        QFETCH(int, row);
        const SettingsKey &k = settingsKeys()[static_cast<std::size_t>(row)];
        if (k.goodValue().isEmpty() || (k.later && k.path().contains(QLatin1Char('*'))) ||
            k.path().startsWith(QLatin1String("records.")) || k.path().startsWith(QLatin1String("next.")) ||
            k.path().startsWith(QLatin1String("rehearse.")))
            return; // below a list or block that comes later: nothing there passes
        const QByteArray json = sampleDocument(k, k.goodValue());
        const auto parsed = parseSettings(json);
        QVERIFY2(parsed, QByteArray(json + told(parsed)).constData());
        const auto back = parseSettings(settingsToJson(parsed->settings));
        QVERIFY2(back, told(back).constData());
        QVERIFY2(back->settings == parsed->settings, json.constData());
        QCOMPARE(settingsToJson(back->settings), settingsToJson(parsed->settings));
    }

    void wrongTypes_data() { everyKey(); }
    void wrongTypes()
    {
        QFETCH(int, row);
        const SettingsKey &k = settingsKeys()[static_cast<std::size_t>(row)];
        expectProblemAndMend(sampleDocument(k, wrongType(k)), placeOf(k, ownName(k)));
    }

    void misspeltNames_data() { everyKey(); }
    void misspeltNames()
    {
        QFETCH(int, row);
        const SettingsKey &k = settingsKeys()[static_cast<std::size_t>(row)];
        if (k.last() == QLatin1String("*"))
            return; // names in a map are free
        const QString name = k.last();
        QStringList spellings{name + name.back(), name + QStringLiteral("x")};
        if (name.size() >= 5) {
            spellings.append(name.chopped(1));
            QString swapped = name;
            std::swap(swapped[2], swapped[3]);
            if (swapped != name)
                spellings.append(swapped);
        }
        QByteArray good = k.goodValue();
        if (good.isEmpty())
            good = *k.example != '\0'         ? QByteArray(k.example)
                   : k.type == KeyType::Block ? QByteArray("{}")
                                              : QByteArray("null");
        for (const QString &spelling : spellings) {
            const QByteArray json = sampleDocument(k, good, spelling);
            const auto parsed = parseSettings(json);
            QVERIFY2(!parsed, json.constData());
            const QString place = placeOf(k, spelling);
            const auto it = std::find_if(parsed.error().begin(), parsed.error().end(),
                                         [&place](const Problem &p) { return p.place == place; });
            QVERIFY2(it != parsed.error().end(), json.constData());
            QCOMPARE(it->mend, QStringLiteral("write %1, or leave it out").arg(name));
            const auto mended = withMend(json, *it);
            QVERIFY(mended);
            QVERIFY(mended->contains(QByteArray("\"" + name.toUtf8() + "\"")));
            const bool canPass = bool(parseSettings(sampleDocument(k, good)));
            QCOMPARE(bool(parseSettings(*mended)), canPass);
            QVERIFY(canPass || k.later);
        }
    }

    void outsideTheRange_data()
    {
        QTest::addColumn<int>("row");
        QTest::addColumn<QByteArray>("value");
        int count = 0;
        for (std::size_t i = 0; i < settingsKeys().size(); ++i) {
            const SettingsKey &k = settingsKeys()[i];
            const auto add = [&](const char *what, const QByteArray &value) {
                QTest::addRow("%s %s", k.name, what) << static_cast<int>(i) << value;
                ++count;
            };
            const bool list = k.type == KeyType::Statuses || k.type == KeyType::Codes;
            if ((k.hasRange() && k.high < 1e300) || list || k.type == KeyType::Status) {
                const QByteArray below = number(k.low - (k.low < 1 ? 0.0001 : 1));
                const QByteArray above = number(k.high + 1);
                add("below", list ? "[" + below + "]" : below);
                add("above", list ? "[" + above + "]" : above);
                add("far", list ? QByteArray("[-99999999999999999999]") : QByteArray("1e200"));
            }
            if (k.type == KeyType::Rate) {
                add("below", "\"1/400d\"");
                add("above", "\"1000001/s\"");
                add("zero", "0");
                add("zero text", "\"0/s\"");
            }
            if (k.type == KeyType::Choice)
                add("word", "\"nonsense\"");
        }
        QVERIFY(count > 100);
    }
    void outsideTheRange()
    {
        QFETCH(int, row);
        QFETCH(QByteArray, value);
        const SettingsKey &k = settingsKeys()[static_cast<std::size_t>(row)];
        expectProblemAndMend(sampleDocument(k, value), placeOf(k, ownName(k)));
    }

    void zeroIsToldHowToStop_data()
    {
        QTest::addColumn<QString>("key");
        for (const char *key : {"limiters.*.rate", "limiters.*.burst", "limiters.*.atOnce", "team.memberCap"})
            QTest::newRow(key) << QString::fromLatin1(key);
    }
    void zeroIsToldHowToStop()
    {
        QFETCH(QString, key);
        const auto parsed = parseSettings(sampleDocument(*settingsKey(key), "0"));
        QVERIFY(!parsed);
        QVERIFY(parsed.error()[0].mend.startsWith(QLatin1String("to stop, pause")));
    }

    void laterKeysSaySo_data() { everyKey(); }
    void laterKeysSaySo()
    {
        QFETCH(int, row);
        const SettingsKey &k = settingsKeys()[static_cast<std::size_t>(row)];
        if (!k.later || k.path().contains(QLatin1Char('*')) || k.path().count(QLatin1Char('.')) > 1)
            return;
        if (k.type == KeyType::List) {
            const SettingsKey *item = settingsKeysBelow(k.path() + QStringLiteral(".*")).first();
            const QByteArray json =
                sampleDocument(*item, *item->example != '\0' ? item->example : item->fallback);
            expectProblemAndMend(json, k.path());
            return;
        }
        if (k.type == KeyType::Bool)
            expectProblemAndMend(
                sampleDocument(k, QByteArrayView(k.fallback) == QByteArrayView("true") ? "false" : "true"),
                k.path());
        if (k.hasRange() && *k.fallback != '\0' && !parseSettings(sampleDocument(k, k.fallback)))
            QVERIFY2(k.path().startsWith(QLatin1String("next.")) ||
                         k.path().startsWith(QLatin1String("rehearse.")),
                     k.name);
        if (k.type == KeyType::Integer &&
            settingsKey(k.path().section(QLatin1Char('.'), 0, 0))->later == false)
            expectProblemAndMend(sampleDocument(k, number(k.high)), k.path());
    }

    void wordsThatComeLater_data()
    {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QByteArray>("word");
        for (const SettingsKey &k : settingsKeys()) {
            for (const QString &word : k.laterWordList())
                QTest::addRow("%s %s", k.name, qPrintable(word))
                    << k.path() << QByteArray("\"" + word.toUtf8() + "\"");
        }
    }
    void wordsThatComeLater()
    {
        QFETCH(QString, key);
        QFETCH(QByteArray, word);
        const SettingsKey &k = *settingsKey(key);
        const auto parsed = parseSettings(sampleDocument(k, word));
        QVERIFY(!parsed);
        QVERIFY(parsed.error()[0].reason.contains(QLatin1String("later version")));
        expectProblemAndMend(sampleDocument(k, word), placeOf(k, ownName(k)));
    }

    void nearest()
    {
        const QStringList known{QStringLiteral("rate"), QStringLiteral("burst"), QStringLiteral("atOnce")};
        QCOMPARE(nearestName(QStringLiteral("reat"), known), QStringLiteral("rate"));
        QCOMPARE(nearestName(QStringLiteral("BRUST"), known), QStringLiteral("burst"));
        QCOMPARE(nearestName(QStringLiteral("at_once"), known), QStringLiteral("atOnce"));
        QCOMPARE(nearestName(QString(100000, QLatin1Char('z')), {}), QString());
    }

    void manualNamesEveryKey()
    {
        const QStringList lines = settingsManual().split(QLatin1Char('\n'));
        for (const SettingsKey &k : settingsKeys())
            QVERIFY2(lines.contains(k.path()), k.name);
        for (const QString &line : lines)
            QVERIFY2(line.size() <= 100 || !line.trimmed().contains(QLatin1Char(' ')), qPrintable(line));
        QVERIFY(settingsManual().contains(QStringLiteral("Comes later: accepted only at its default.")));
    }

private:
    static void everyKey()
    {
        QTest::addColumn<int>("row");
        for (std::size_t i = 0; i < settingsKeys().size(); ++i)
            QTest::newRow(settingsKeys()[i].name) << static_cast<int>(i);
    }
};

QTEST_GUILESS_MAIN(TestSettingsKeys)
#include "tst_settingskeys.moc"
