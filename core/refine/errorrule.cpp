// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/refine/errorrule.h"

#include <QJsonValue>

#include "core/refine/jsonpathvalue.h"
#include "core/settings/statusmatcher.h"

namespace muster {

namespace {

using Type = JsonValue::Type;

std::optional<double> asNumber(const QByteArray &text)
{
    bool ok = false;
    const double value = text.trimmed().toDouble(&ok);
    return ok ? std::optional(value) : std::nullopt;
}

} // namespace

std::optional<ErrorRule> ErrorRule::compile(const ErrorRuleSettings &settings, qsizetype index,
                                            Problems &problems)
{
    const QString place = QStringLiteral("errorRules.%1").arg(index);
    const std::optional<FailureKind> kind = failureKindFromName(settings.treatAs.toUtf8());
    ErrorRule rule;
    rule.m_index = index;
    bool good = rule.compileParts(settings.when, place % QStringLiteral(".when."), problems);
    if (!kind) {
        problems.append({Problem::Severity::Error, place % QStringLiteral(".treatAs"),
                         QStringLiteral("\"%1\" is not a failure kind").arg(settings.treatAs),
                         QStringLiteral("write \"error_rule\" or \"rate_limited\"")});
        good = false;
    }
    if (!good)
        return std::nullopt;
    rule.m_kind = *kind;
    return rule;
}

bool ErrorRule::compileParts(const ErrorCondition &when, const QString &place, Problems &problems)
{
    const qsizetype before = problems.size();
    const auto add = [&](const char *key, const QString &reason, const QString &mend) {
        problems.append({Problem::Severity::Error, place % QLatin1String(key), reason, mend});
    };
    const auto part = [&](const char *key, const QString &text, auto parse, auto &into) {
        if (text.isEmpty())
            return;
        m_words += QStringLiteral("%1%2 %3").arg(m_words.isEmpty() ? QString() : QStringLiteral(", "),
                                                 QLatin1String(key), text);
        auto parsed = parse(text);
        if (parsed)
            into = std::move(*parsed);
        else
            add(key, parsed.error().reason, parsed.error().mend);
    };
    part("jsonpath", when.jsonpath, &JsonPath::parse, m_path);
    part("pointer", when.pointer, &JsonPointer::parse, m_pointer);
    part("regex", when.regex, &BoundedRegex::compile, m_regex);
    part(
        "status", when.status,
        [](const QString &text) -> tl::expected<std::pair<int, int>, ExprProblem> {
            if (const auto range = parseStatusPattern(text))
                return *range;
            return tl::unexpected(ExprProblem{QStringLiteral("\"%1\" is no status").arg(text),
                                              QStringLiteral("write one such as 404, \"5xx\" or \"500-504\""),
                                              0});
        },
        m_status);
    if (m_words.isEmpty())
        add("jsonpath", QStringLiteral("the rule looks at nothing"),
            QStringLiteral("add one of jsonpath, pointer, regex and status"));
    part("matches", when.matches, &BoundedRegex::compile, m_matches);
    if (when.equals && (when.equals->isObject() || when.equals->isArray()))
        add("equals", QStringLiteral("lists and objects cannot be compared"),
            QStringLiteral("write a text, a number, true, false or null"));
    m_equals = when.equals;
    m_exists = when.exists;
    m_below = when.below;
    m_above = when.above;
    return problems.size() == before;
}

Failure ErrorRule::failure(int status) const
{
    return {m_kind, "rule-" + QByteArray::number(m_index), status, m_words.left(200)};
}

Failure ErrorRule::costly(const QString &why, int status) const
{
    return {FailureKind::Refine, "limit", status, QStringLiteral("error rule %1: %2").arg(m_index).arg(why)};
}

bool ErrorRule::hasConditions() const
{
    return m_equals || m_matches || m_below || m_above;
}

tl::expected<QVector<ErrorRule::Subject>, Failure> ErrorRule::subjects(AnswerText &answer,
                                                                       bool &regexHolds) const
{
    const int status = answer.answer().status;
    QVector<Subject> out;
    regexHolds = true;
    if (m_regex) {
        const int group = m_regex->groups() > 0 ? 1 : 0;
        const auto found = answer.hasBody() ? m_regex->find(answer.text(), group, 1) : QVector<QString>();
        if (!found)
            return tl::unexpected(costly(costlyWords(found.error()), status));
        regexHolds = !found->isEmpty();
        for (const QString &text : *found)
            out.append({Type::String, text.toUtf8()});
    }
    if (!m_path && !m_pointer) {
        if (!m_regex)
            out.append({Type::Number, QByteArray::number(status)});
        return out;
    }
    out.clear();
    if (!answer.hasBody())
        return out;
    const auto &json = answer.json();
    if (!json && json.error().kind == JsonError::Kind::Limit)
        return tl::unexpected(costly(QString::fromUtf8(json.error().reason), status));
    // Rules see answers of every kind: one that is no JSON has no such value.
    if (!json)
        return out;
    if (m_path) {
        const auto found = m_path->find(**json);
        if (!found)
            return tl::unexpected(costly(found.error(), status));
        for (const JsonValue &value : *found)
            out.append({value.type(), value.cell()});
    }
    if (m_pointer)
        if (const JsonValue value = m_pointer->find(**json); value.exists())
            out.append({value.type(), value.cell()});
    return out;
}

bool ErrorRule::equalsSubject(const Subject &subject) const
{
    switch (m_equals->type()) {
    case QJsonValue::Null:
        return subject.type == Type::Null;
    case QJsonValue::Bool:
        return subject.type == (m_equals->toBool() ? Type::True : Type::False);
    case QJsonValue::Double: {
        const QByteArray wanted = m_equals->toVariant().toByteArray();
        const bool isNumber = subject.type == Type::Number || asNumber(subject.text).has_value();
        return isNumber && jsonpath::compareNumbers(subject.text.trimmed(), wanted) == 0;
    }
    default:
        return subject.text == m_equals->toString().toUtf8() &&
               (subject.type == Type::String || subject.type == Type::Number);
    }
}

tl::expected<bool, Failure> ErrorRule::passes(const Subject &subject) const
{
    if (m_equals && !equalsSubject(subject))
        return false;
    const std::optional<double> number = asNumber(subject.text);
    if (m_below && !(number && *number < *m_below))
        return false;
    if (m_above && !(number && *number > *m_above))
        return false;
    if (!m_matches)
        return true;
    const auto found = m_matches->matches(QString::fromUtf8(subject.text));
    if (!found)
        return tl::unexpected(costly(costlyWords(found.error()), 0));
    return *found;
}

tl::expected<bool, Failure> ErrorRule::matches(AnswerText &answer) const
{
    const int status = answer.answer().status;
    if (m_status && (status < m_status->first || status > m_status->second))
        return false;
    bool regexHolds = true;
    const auto found = subjects(answer, regexHolds);
    if (!found)
        return tl::unexpected(found.error());
    const bool wanted = m_exists.value_or(true);
    // `exists: false` is about the values, or, where only a pattern stands, about its match.
    const bool ofRegex = m_regex && !m_path && !m_pointer;
    if (!regexHolds && !(ofRegex && !wanted))
        return false;
    if (!wanted)
        return found->isEmpty();
    if (!hasConditions())
        return !found->isEmpty();
    for (const Subject &subject : *found) {
        const auto passed = passes(subject);
        if (!passed) {
            Failure failure = passed.error();
            failure.code = status;
            return tl::unexpected(failure);
        }
        if (*passed)
            return true;
    }
    return false;
}

} // namespace muster
