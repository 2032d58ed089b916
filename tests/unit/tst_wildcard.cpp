// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest/QtTest>

#include "core/job/wildcard.h"

using namespace muster;

class TestWildcard final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void matches_data()
    {
        QTest::addColumn<QByteArray>("pattern");
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<bool>("matches");
        const auto row = [](const char *pattern, const char *text, bool matches) {
            QTest::addRow("\"%s\" \"%s\"", pattern, text)
                << QByteArray(pattern) << QByteArray(text) << matches;
        };
        row("", "", true);
        row("", "a", false);
        row("a", "", false);
        row("*", "", true);
        row("*", "abc", true);
        row("abc", "abc", true);
        row("abc", "abcd", false);
        row("abc", "ABC", false);
        row("a*", "a", true);
        row("*c", "abc", true);
        row("*c", "abcd", false);
        row("a*c", "ac", true);
        row("a*b*c", "a-b-b-c", true);
        row("a*b*c", "a-c-b", false);
        row("*ab*", "aab", true);
        row("a**", "a", true);
        row("a?[b]", "a?[b]", true);
        row("a?", "ab", false);
    }
    void matches()
    {
        QFETCH(QByteArray, pattern);
        QFETCH(QByteArray, text);
        QTEST(matchesWildcard(pattern, text), "matches");
    }

    /// Recursive matchers need longer than the universe here.
    void aHostilePatternIsCheap()
    {
        QByteArray pattern, text(5000, 'a');
        for (int i = 0; i < 50; ++i)
            pattern += "*a";
        QVERIFY(!matchesWildcard(QByteArray(pattern + 'b'), text));
        QVERIFY(matchesWildcard(QByteArray(pattern + "**"), text));
    }
};

QTEST_GUILESS_MAIN(TestWildcard)
#include "tst_wildcard.moc"
