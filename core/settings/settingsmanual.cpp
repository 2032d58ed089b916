// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/settings/settingskeys.h"

#include <QStringList>

namespace muster {

namespace {

QString plainNumber(double v)
{
    return JsonNode::ofNumber(v).text;
}

QString choiceOf(const QStringList &words)
{
    if (words.size() < 2)
        return words.join(QString());
    return words.mid(0, words.size() - 1).join(QStringLiteral(", ")) + QStringLiteral(" or ") + words.last();
}

QString rangeOf(const SettingsKey &k)
{
    if (k.low == k.high)
        return QStringLiteral(" ") + plainNumber(k.low);
    if (k.high >= 1e300)
        return {};
    return QStringLiteral(" from %1 to %2").arg(plainNumber(k.low), plainNumber(k.high));
}

/// Breaks at blanks; the first line carries on after `begin`, the others are indented.
QString wrapped(const QString &text, int indent)
{
    constexpr int width = 100;
    QString out;
    QString line(indent, QLatin1Char(' '));
    for (const QString &word : text.split(QLatin1Char(' '))) {
        if (line.size() + 1 + word.size() > width && line.trimmed().size() > 0) {
            out += line + QLatin1Char('\n');
            line = QString(indent, QLatin1Char(' '));
        }
        if (!line.trimmed().isEmpty())
            line += QLatin1Char(' ');
        line += word;
    }
    return out + line + QLatin1Char('\n');
}

} // namespace

QString expectation(const SettingsKey &k)
{
    const QString words = choiceOf(k.wordsNow());
    const QString orWords = words.isEmpty() ? QString() : QStringLiteral(", or ") + words;
    switch (k.type) {
    case KeyType::Block:
        return QStringLiteral("a block in { }");
    case KeyType::List:
        return QStringLiteral("a list of blocks in [ ]");
    case KeyType::Map:
        return QStringLiteral("a block of names and texts in { }");
    case KeyType::Text:
        return QStringLiteral("a text in quotes");
    case KeyType::Bool:
        return QStringLiteral("true or false");
    case KeyType::Integer:
        return QStringLiteral("a whole number") + rangeOf(k) + orWords;
    case KeyType::Number:
        return QStringLiteral("a number") + rangeOf(k) + orWords;
    case KeyType::Choice:
        return k.wordsNow().size() > 1 ? QStringLiteral("one of ") + words : words;
    case KeyType::Name:
        return QStringLiteral("a name of a-z, 0-9, _ and -");
    case KeyType::Rate:
        return QStringLiteral("a rate as number/time, units ms s min h d") + orWords;
    case KeyType::Statuses:
        return QStringLiteral("a list of statuses%1, ranges such as \"200-299\", or \"2xx\"").arg(rangeOf(k));
    case KeyType::Status:
        return QStringLiteral("a status%1, a range such as \"500-599\", or \"5xx\"").arg(rangeOf(k));
    case KeyType::Codes:
        return QStringLiteral("a list of statuses") + rangeOf(k);
    case KeyType::Texts:
        return QStringLiteral("a list of texts") +
               (words.isEmpty() ? QString() : QStringLiteral(", of ") + words);
    case KeyType::Cost:
        return QStringLiteral("a whole number%1, or the name of an input column").arg(rangeOf(k));
    case KeyType::Separator:
        return QStringLiteral("one character that is no letter, digit, quote or line end") + orWords;
    case KeyType::Scalar:
        break;
    }
    return QStringLiteral("a text, a number, true, false or null");
}

QString settingsManual()
{
    QString out;
    for (const SettingsKey &k : settingsKeys()) {
        QString what = expectation(k);
        if (*k.unit != '\0')
            what += QStringLiteral(" (%1)").arg(QLatin1String(k.unit));
        QString about = QString::fromUtf8(k.help);
        if (k.required)
            about += QStringLiteral(" Required.");
        if (*k.fallback != '\0')
            about += QStringLiteral(" Default: %1.").arg(QString::fromUtf8(k.fallback));
        if (k.later)
            about += QStringLiteral(" Comes later: accepted only at its default.");
        if (const QStringList words = k.laterWordList(); !words.isEmpty())
            about += QStringLiteral(" Comes later: %1.").arg(words.join(QStringLiteral(", ")));
        out += k.path() + QLatin1Char('\n') + wrapped(what, 4) + wrapped(about, 4) + QLatin1Char('\n');
    }
    return out;
}

} // namespace muster
