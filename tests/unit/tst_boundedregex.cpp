// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest/QtTest>
#include <thread>

#include "core/refine/boundedregex.h"

using namespace muster;

namespace {

QString text(const char *utf8)
{
    return QString::fromUtf8(utf8);
}

BoundedRegex regex(const QString &pattern)
{
    auto compiled = BoundedRegex::compile(pattern);
    if (!compiled)
        qFatal("%s: %s", qPrintable(pattern), qPrintable(compiled.error().reason));
    return *compiled;
}

} // namespace

class TestBoundedRegex final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void finds_data()
    {
        QTest::addColumn<QString>("pattern");
        QTest::addColumn<QString>("input");
        QTest::addColumn<int>("group");
        QTest::addColumn<QStringList>("expected");
        const auto row = [](const char *pattern, const char *input, int group, const QStringList &expected) {
            QTest::newRow(pattern) << text(pattern) << text(input) << group << expected;
        };
        row("\\d+", "a1b22c333", 0, {text("1"), text("22"), text("333")});
        row("(\\w)=(\\d)", "a=1, b=2", 2, {text("1"), text("2")});
        row("a|b(c)", "abc", 1, {QString(), text("c")});
        row("^a", "aa", 0, {text("a")});
        row("(?m)^.", "ab\ncd", 0, {text("a"), text("c")});
        row("(?<=x)y", "y xy", 0, {text("y")});
        row("x(?=.*z)", "xa xb z", 0, {text("x"), text("x")});
        row("b*", "abb", 0, {text(""), text("bb"), text("")});
        row("$", "ab", 0, {text("")});
        row(".", "\xF0\x9F\x98\x80z", 0, {text("\xF0\x9F\x98\x80"), text("z")});
        row("(?x) a # the letter", "ba", 0, {text("a")});
        row("\\Qa.b", "axb a.b", 0, {text("a.b")});
        row("a\\Kb", "ab", 0, {text("b")});
        row("(?i)ÄÖ", "äö", 0, {text("äö")});
        row("(a(?1)?b)", "xaabbx", 0, {text("aabb")});
        row("\\(\\*X", "(*X", 0, {text("(*X")});
        row("z", "", 0, {});
        row("", "", 0, {text("")});
    }
    void finds()
    {
        QFETCH(QString, pattern);
        QFETCH(QString, input);
        QFETCH(int, group);
        QFETCH(QStringList, expected);
        const auto found = regex(pattern).find(input, group, 100);
        QVERIFY(found.has_value());
        QCOMPARE(QStringList(*found), expected);
        QCOMPARE(*regex(pattern).matches(input), !expected.isEmpty());
    }

    // Steps must not be seen from outside: the oracle is Qt's own global match.
    void stepsAreInvisible()
    {
        bool given = false;
        const quint32 wished = qEnvironmentVariable("MUSTER_SEED").toUInt(&given);
        const quint32 seed = given ? wished : QRandomGenerator::global()->generate();
        qInfo("seed %u", seed);
        QRandomGenerator random(seed);
        const QStringList patterns{text("ab+"),      text("[ab]{3}c"),   text("(?<=aa)b"), text("a.{1500}b"),
                                   text("\\bba\\b"), text("c(?!a)\\w*"), text("(a)|(b)")};
        for (int run = 0; run < 60; ++run) {
            QString input;
            const int size = int(random.bounded(4000));
            for (int i = 0; i < size; ++i)
                input += QStringView(u"aabbc \U0001F600").sliced(random.bounded(6), 1);
            for (const QString &pattern : patterns) {
                QStringList expected;
                for (auto all = QRegularExpression(pattern).globalMatch(input); all.hasNext();)
                    expected.append(all.next().captured(0));
                QCOMPARE(QStringList(*regex(pattern).find(input, 0, 10'000)), expected);
            }
        }
    }

    void refuses_data()
    {
        QTest::addColumn<QString>("pattern");
        QTest::addColumn<int>("at");
        QTest::newRow("limit of one's own") << text("(*LIMIT_MATCH=9)a") << 0;
        QTest::newRow("open group") << text("a(b") << 3;
        QTest::newRow("verb") << text("a(*SKIP)(*F)|b") << 1;
        QTest::newRow("whole pattern") << text("\\((?:x|(?R))\\)") << 7;
        QTest::newRow("whole pattern by number") << text("a(?0)?") << 1;
        QTest::newRow("behind a backslash") << text("\\\\(*COMMIT)a") << 2;
        QTest::newRow("where a step begins") << text("a|\\Gb") << 2;
        QTest::newRow("closes what is not open") << text("a)(b") << 1;
    }
    void refuses()
    {
        QFETCH(QString, pattern);
        QFETCH(int, at);
        const auto compiled = BoundedRegex::compile(pattern);
        QVERIFY(!compiled.has_value());
        QCOMPARE(int(compiled.error().at), at);
        QVERIFY(!compiled.error().reason.isEmpty());
        QVERIFY(!compiled.error().mend.isEmpty());
    }

    void costs_data()
    {
        QTest::addColumn<QString>("pattern");
        QTest::addColumn<QString>("input");
        const QString as(30, QLatin1Char('a'));
        QTest::newRow("EX-02 nested") << text("(a+)+$") << as + QLatin1Char('!');
        QTest::newRow("EX-02 alternatives") << text("(x|x)*y$") << QString(40, QLatin1Char('x')) + text("yz");
        QTest::newRow("F69") << text("^(([a-z])+.)+[A-Z]([a-z])+$") << QString(60, QLatin1Char('a'));
        QTest::newRow("EX-02 page") << text("^(.*)+ ") << QString(5 * 1024 * 1024, QLatin1Char('p'));
        QTest::newRow("cubic") << text("[a-z]*[a-z]*[a-z]*[a-z]*!$")
                               << QString(20'000, QLatin1Char('q')) + text("!q");
    }
    void costs()
    {
        QFETCH(QString, pattern);
        QFETCH(QString, input);
        const BoundedRegex compiled = regex(pattern);
        // Four at once, as four answers on the worker pool: every one ends, and as an error.
        std::array<bool, 4> refused{};
        std::vector<std::thread> threads;
        for (bool &r : refused)
            threads.emplace_back([&compiled, &input, &r] { r = !compiled.find(input, 0, 1).has_value(); });
        for (std::thread &t : threads)
            t.join();
        QCOMPARE(refused, (std::array<bool, 4>{true, true, true, true}));
    }

    // EX-02: a pattern typed letter by letter is refused or runs, at every letter.
    void typedLetterByLetter()
    {
        const QString pattern = text("^(?:(a+)+|[b-z]*\\d{2,})+$");
        const QString input = QString(30, QLatin1Char('a')) + QLatin1Char('!');
        int refused = 0;
        int ran = 0;
        for (int length = 0; length <= pattern.size(); ++length) {
            const auto compiled = BoundedRegex::compile(pattern.first(length));
            ++(compiled ? ran : refused);
            if (compiled)
                (void)compiled->find(input, 0, 1);
        }
        QVERIFY(refused > 5);
        QVERIFY(ran > 2);
    }

    void bounds()
    {
        const BoundedRegex any = regex(text("a"));
        const QString three = text("aaa");
        using Costly = BoundedRegex::Costly;
        QCOMPARE(any.find(three, 0, 9, {.input = 2}).error(), Costly::Input);
        QCOMPARE(any.find(three, 0, 9, {.matches = 2}).error(), Costly::Matches);
        QCOMPARE(any.find(three, 0, 2, {.matches = 2})->size(), 2);
        QCOMPARE(any.find(three, 0, 9, {.time = std::chrono::milliseconds(0)}).error(), Costly::Time);
        QCOMPARE(regex(text("(a+)+$")).find(QString(30, QLatin1Char('a')) + QLatin1Char('!'), 0, 1).error(),
                 Costly::Steps);
        QCOMPARE(any.matches(three, {.input = 2}).error(), Costly::Input);
        QCOMPARE(any.groups(), 0);
        QSet<QString> words;
        for (const Costly c : {Costly::Input, Costly::Steps, Costly::Time, Costly::Matches})
            words.insert(costlyWords(c));
        QCOMPARE(words.size(), 4);
    }
};

QTEST_GUILESS_MAIN(TestBoundedRegex)
#include "tst_boundedregex.moc"
