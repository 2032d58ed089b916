// SPDX-License-Identifier: GPL-3.0-or-later
// From the settings of a field to its rule: the half of FieldRule that talks to people.
#include "core/refine/fieldrule.h"

namespace muster {

namespace {

void addProblem(Problems &problems, const QString &place, const QString &reason, const QString &mend)
{
    problems.append({Problem::Severity::Error, place, reason, mend});
}

/// The index of `word` among `words`, or a problem.
int choice(const QString &word, const QStringList &words, const QString &place, Problems &problems)
{
    const auto index = int(words.indexOf(word));
    if (index < 0)
        addProblem(problems, place, QStringLiteral("\"%1\" is not known").arg(word),
                   QStringLiteral("write one of %1").arg(words.join(QStringLiteral(", "))));
    return index;
}

bool isHeaderName(const QByteArray &name)
{
    return !name.isEmpty() && std::all_of(name.begin(), name.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               (c && std::strchr("!#$%&'*+-.^_`|~", c));
    });
}

} // namespace

std::optional<FieldRule::Source> FieldRule::compileSource(const FieldSettings &s, const QString &place,
                                                          Problems &problems)
{
    const QString key = place % QStringLiteral(".expr");
    const auto refuse = [&problems, &key](const auto &problem) {
        addProblem(problems, key, problem.reason, problem.mend);
        return std::nullopt;
    };
    switch (choice(s.from,
                   {QStringLiteral("jsonpath"), QStringLiteral("pointer"), QStringLiteral("regex"),
                    QStringLiteral("header")},
                   place % QStringLiteral(".from"), problems)) {
    case 0: {
        auto path = JsonPath::parse(s.expr);
        if (!path)
            return refuse(path.error());
        return Source(std::move(*path));
    }
    case 1: {
        auto pointer = JsonPointer::parse(s.expr);
        if (!pointer)
            return refuse(pointer.error());
        return Source(std::move(*pointer));
    }
    case 2: {
        auto regex = BoundedRegex::compile(s.expr);
        if (!regex)
            return refuse(regex.error());
        if (s.group < 0 || s.group > regex->groups()) {
            addProblem(problems, place % QStringLiteral(".group"),
                       QStringLiteral("the pattern has no group %1").arg(s.group),
                       QStringLiteral("write a number from 0 (the whole match) to %1").arg(regex->groups()));
            return std::nullopt;
        }
        return Source(RegexGroup{std::move(*regex), s.group});
    }
    case 3:
        if (!isHeaderName(s.expr.toUtf8()))
            return refuse(ExprProblem{QStringLiteral("\"%1\" is not the name of a header").arg(s.expr),
                                      QStringLiteral("write its name alone, as in Content-Type"), 0});
        return Source(HeaderName{s.expr.toUtf8()});
    default:
        return std::nullopt;
    }
}

bool FieldRule::compileForm(const FieldSettings &s, const QString &place, Problems &problems)
{
    const auto word = [&place, &problems](const QString &value, const char *key, const QStringList &words) {
        return choice(value, words, place % QLatin1Char('.') % QLatin1String(key), problems);
    };
    const int take = word(
        s.take, "take",
        {QStringLiteral("first"), QStringLiteral("all"), QStringLiteral("count"), QStringLiteral("join")});
    const int missing = word(s.missing, "missing",
                             {QStringLiteral("empty"), QStringLiteral("fail"), QStringLiteral("default")});
    const int type = word(
        s.type, "type",
        {QStringLiteral("text"), QStringLiteral("number"), QStringLiteral("date"), QStringLiteral("list")});
    const int of = word(s.of, "of", {QStringLiteral("record"), QStringLiteral("answer")});
    if (take < 0 || missing < 0 || type < 0 || of < 0)
        return false;
    m_take = Take(take);
    m_missing = Missing(missing);
    m_type = Type(type);
    m_join = s.join.toUtf8();
    if (!s.locale.isEmpty()) {
        // QLocale turns what it does not know into C without a word.
        const QLocale locale(s.locale);
        if (locale.language() == QLocale::C) {
            addProblem(problems, place % QStringLiteral(".locale"),
                       QStringLiteral("the language \"%1\" is not known").arg(s.locale),
                       QStringLiteral("write one such as \"de\" or \"en_GB\", or leave it empty"));
            return false;
        }
        m_locale = locale;
    }
    if (m_missing != Missing::Default)
        return true;
    const QByteArray text = s.defaultValue.toUtf8();
    Found found{JsonValue::Type::String, text, {}};
    appendJsonString(found.json, text);
    const std::optional<QByteArray> value = typed(found);
    if (!value) {
        addProblem(problems, place % QStringLiteral(".default"),
                   QStringLiteral("\"%1\" is no %2").arg(s.defaultValue, s.type),
                   QStringLiteral("write a %1, or leave `missing` at \"empty\"").arg(s.type));
        return false;
    }
    m_default = *value;
    return true;
}

std::optional<FieldRule> FieldRule::compile(const FieldSettings &settings, Problems &problems)
{
    const QString place = QStringLiteral("fields.") % settings.name;
    std::optional<Source> source = compileSource(settings, place, problems);
    if (!source)
        return std::nullopt;
    FieldRule rule(std::move(*source), UrlGlob(settings.match));
    rule.m_name = settings.name.toUtf8();
    if (!rule.compileForm(settings, place, problems))
        return std::nullopt;
    return rule;
}

} // namespace muster
