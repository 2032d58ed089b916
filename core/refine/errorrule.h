// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "core/job/failure.h"
#include "core/job/jsontree.h"
#include "core/refine/answertext.h"
#include "core/refine/boundedregex.h"
#include "core/refine/jsonpath.h"
#include "core/settings/problem.h"
#include "core/settings/settings.h"

namespace muster {

/// One entry of `errorRules`, compiled. `jsonpath` and `pointer` find values, and `equals`, `matches`,
/// `exists`, `below`, `above` are held against those (any value that passes all of them will do); where there
/// is neither they are held against what `regex` found (its first group, else the whole match), and with
/// `status` alone against the status. `regex` and `status` must match by themselves as well. Immutable.
class ErrorRule final
{
public:
    /// Adds to `problems` what is wrong, by key: "errorRules.0.when.regex".
    static std::optional<ErrorRule> compile(const ErrorRuleSettings &settings, qsizetype index,
                                            Problems &problems);
    /// Whether it matches; a bound that is hit is a failure of kind `refine`.
    tl::expected<bool, Failure> matches(AnswerText &answer) const;
    /// The failure that a match stands for.
    Failure failure(int status) const;

private:
    /// A value that conditions are held against.
    struct Subject
    {
        JsonValue::Type type = JsonValue::Type::String;
        QByteArray text;
    };
    ErrorRule() = default;
    bool compileParts(const ErrorCondition &when, const QString &place, Problems &problems);
    tl::expected<QVector<Subject>, Failure> subjects(AnswerText &answer, bool &regexHolds) const;
    tl::expected<bool, Failure> passes(const Subject &subject) const;
    bool equalsSubject(const Subject &subject) const;
    bool hasConditions() const;
    Failure costly(const QString &why, int status) const;

    qsizetype m_index = 0;
    FailureKind m_kind = FailureKind::ErrorRule;
    QString m_words; ///< the condition as it was written, for the note
    std::optional<JsonPath> m_path;
    std::optional<JsonPointer> m_pointer;
    std::optional<BoundedRegex> m_regex;
    std::optional<std::pair<int, int>> m_status;
    std::optional<QJsonValue> m_equals;
    std::optional<BoundedRegex> m_matches;
    std::optional<bool> m_exists;
    std::optional<double> m_below, m_above;
};

} // namespace muster
