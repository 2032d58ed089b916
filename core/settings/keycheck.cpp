// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/settings/keycheck.h"

#include <algorithm>
#include <QLatin1String>

#include "core/settings/rate.h"
#include "core/settings/statusmatcher.h"

namespace muster {

namespace {

using Reason = QString; ///< empty: nothing is wrong

Reason no(const JsonNode &v, const QString &what)
{
    return shown(v) + QStringLiteral(" is no ") + what;
}

bool isWord(const SettingsKey &k, const JsonNode &v)
{
    return v.isText() && *k.words != '\0' && k.wordsNow().contains(v.text);
}

Reason outside(const SettingsKey &k, const JsonNode &v)
{
    if (v.number < k.low)
        return QStringLiteral("%1 is below %2").arg(shown(v), JsonNode::ofNumber(k.low).text);
    if (v.number > k.high)
        return QStringLiteral("%1 is above %2").arg(shown(v), JsonNode::ofNumber(k.high).text);
    return {};
}

Reason whole(const SettingsKey &k, const JsonNode &v)
{
    if (!v.isNumber())
        return no(v, QStringLiteral("number"));
    if (const Reason r = outside(k, v); !r.isEmpty())
        return r;
    return v.number == std::floor(v.number) ? Reason() : no(v, QStringLiteral("whole number"));
}

Reason choice(const SettingsKey &k, const JsonNode &v)
{
    if (v.isText() && k.laterWordList().contains(v.text))
        return shown(v) + QStringLiteral(" comes with a later version");
    if (!v.isText())
        return no(v, QStringLiteral("text"));
    if (isWord(k, v))
        return {};
    return shown(v) +
           QStringLiteral(" is not known, the nearest is \"%1\"").arg(nearestName(v.text, k.wordsNow()));
}

Reason status(const SettingsKey &k, const JsonNode &v)
{
    if (v.isNumber())
        return whole(k, v);
    if (!v.isText())
        return no(v, QStringLiteral("status"));
    return parseStatusPattern(v.text) ? Reason() : no(v, QStringLiteral("status or range of statuses"));
}

template <typename Check>
Reason each(const JsonNode &v, const Check &check)
{
    if (!v.isList())
        return no(v, QStringLiteral("list"));
    for (const JsonNode &item : v.items) {
        if (const Reason r = check(item); !r.isEmpty())
            return r;
    }
    return {};
}

Reason separator(const SettingsKey &k, const JsonNode &v)
{
    if (isWord(k, v))
        return {};
    if (!v.isText() || v.text.size() != 1)
        return no(v, QStringLiteral("single character"));
    const QChar c = v.text[0];
    const bool good = !c.isLetterOrNumber() && c != u'"' && c != u'\'' &&
                      (c == u'\t' || c.unicode() >= 0x20) && c.unicode() < 0x7f;
    return good ? Reason() : no(v, QStringLiteral("separator"));
}

Reason cost(const SettingsKey &k, const JsonNode &v)
{
    if (v.isText())
        return v.text.trimmed().isEmpty() ? QStringLiteral("it names no column") : Reason();
    return whole(k, v);
}

Reason rate(const JsonNode &v)
{
    if (v.isNumber())
        return v.number == 0 ? QStringLiteral("0 is not a rate")
                             : shown(v) + QStringLiteral(" is no rate: it names no time");
    if (!v.isText())
        return no(v, QStringLiteral("rate"));
    QString why;
    parseRate(v.text, &why);
    return why;
}

Reason wrongScalar(const SettingsKey &k, const JsonNode &v)
{
    switch (k.type) {
    case KeyType::Text:
        return v.isText() ? Reason() : no(v, QStringLiteral("text"));
    case KeyType::Bool:
        return v.kind == JsonNode::Kind::Bool ? Reason() : no(v, QStringLiteral("true or false"));
    case KeyType::Integer:
        return isWord(k, v) ? Reason() : whole(k, v);
    case KeyType::Number:
        return v.isNumber() ? outside(k, v) : no(v, QStringLiteral("number"));
    case KeyType::Choice:
        return choice(k, v);
    case KeyType::Name:
        if (!v.isText())
            return no(v, QStringLiteral("text"));
        return isSettingsName(v.text) ? Reason() : no(v, QStringLiteral("name of a-z, 0-9, _ and -"));
    case KeyType::Rate:
        return rate(v);
    case KeyType::Statuses:
        return each(v, [&k](const JsonNode &i) { return status(k, i); });
    case KeyType::Status:
        return status(k, v);
    case KeyType::Codes:
        return each(v, [&k](const JsonNode &i) { return whole(k, i); });
    case KeyType::Texts:
        return each(v, [&k](const JsonNode &i) {
            return *k.words != '\0' ? choice(k, i) : i.isText() ? Reason() : no(i, QStringLiteral("text"));
        });
    case KeyType::Cost:
        return cost(k, v);
    case KeyType::Separator:
        return separator(k, v);
    default:
        return v.isObject() || v.isList() ? no(v, QStringLiteral("single value")) : Reason();
    }
}

Reason wrong(const SettingsKey &k, const JsonNode &v)
{
    switch (k.type) {
    case KeyType::Block:
    case KeyType::Map:
        return v.isObject() ? Reason() : no(v, QStringLiteral("block"));
    case KeyType::List:
        return each(
            v, [](const JsonNode &i) { return i.isObject() ? Reason() : no(i, QStringLiteral("block")); });
    default:
        return wrongScalar(k, v);
    }
}

bool meansZero(const JsonNode &v)
{
    if (v.isNumber())
        return v.number <= 0;
    if (!v.isText())
        return false;
    QString digits = v.text.section(QLatin1Char('/'), 0, 0);
    bool number = false;
    return digits.toDouble(&number) <= 0 && number;
}

bool atDefault(const SettingsKey &k, const JsonNode &v)
{
    return *k.fallback != '\0' && parseJson(k.fallback)->means(v);
}

/// The value a person most likely meant, where one can be told: 10 for "10s" of a key in seconds, 5 for "5",
/// "GET" for "get"; else the row's own example.
QByteArray likelyValue(const SettingsKey &k, const JsonNode &v)
{
    if (!v.isText())
        return k.goodValue();
    JsonNode meant;
    if (const auto seconds = parseDuration(v.text); seconds && QLatin1String(k.unit) == QLatin1String("s"))
        meant = JsonNode::ofNumber(*seconds);
    else if (const auto json = parseJson(v.text.left(1000).toUtf8()); json)
        meant = *json;
    int distance = 0;
    if (const QString word = nearestName(v.text, k.wordsNow(), &distance); !word.isEmpty() && distance <= 2)
        meant = JsonNode::ofText(word);
    return !meant.isNull() && wrong(k, meant).isEmpty() ? meant.toJson() : k.goodValue();
}

} // namespace

QString shown(const JsonNode &value)
{
    const QString json = QString::fromUtf8(value.toJson());
    return json.size() > 60 ? json.left(57) + QStringLiteral("...") : json;
}

bool isSettingsName(QStringView name)
{
    return !name.isEmpty() && name.size() <= 100 && std::all_of(name.begin(), name.end(), [](QChar c) {
        return (c >= u'a' && c <= u'z') || (c >= u'0' && c <= u'9') || c == u'_' || c == u'-';
    });
}

bool isHeaderName(const QString &name)
{
    static constexpr QStringView marks = u"!#$%&'*+-.^_`|~";
    return !name.isEmpty() && std::all_of(name.begin(), name.end(), [](QChar c) {
        return c.unicode() < 0x80 && (c.isLetterOrNumber() || marks.contains(c));
    });
}

std::optional<Problem> checkValue(const SettingsKey &k, const JsonNode &v, const QString &place,
                                  const QString &laterRoot)
{
    if (k.nullable && v.isNull())
        return std::nullopt;
    Reason reason = wrong(k, v);
    const auto problem = [&place](const QString &why, const QString &mend) {
        return Problem{Problem::Severity::Error, place, why, mend};
    };
    if (!laterRoot.isEmpty()) {
        const QString later = QStringLiteral("support for this key comes with a later version");
        const QString leave = QStringLiteral("leave %1 out").arg(laterRoot);
        if (!reason.isEmpty())
            return problem(reason + QStringLiteral(", and ") + later, leave);
        // Items of a list that comes later are told once, at the list.
        if (laterRoot != place || atDefault(k, v))
            return std::nullopt;
        const QString only = *k.fallback == '\0'
                                 ? QString()
                                 : QStringLiteral(" (it then is %1)").arg(QString::fromUtf8(k.fallback));
        return problem(later, leave + only);
    }
    if (reason.isEmpty())
        return std::nullopt;
    QString mend =
        QStringLiteral("write %1, for example %2").arg(expectation(k), QString::fromUtf8(likelyValue(k, v)));
    if (*k.zero != '\0' && meansZero(v))
        mend = QString::fromUtf8(k.zero) + QStringLiteral("; else ") + mend;
    return problem(reason, mend);
}

} // namespace muster
