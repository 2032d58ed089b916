// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <variant>

#include "core/job/failure.h"
#include "core/job/jsontree.h"
#include "core/job/urlglob.h"
#include "core/refine/answertext.h"
#include "core/refine/boundedregex.h"
#include "core/refine/jsonpath.h"
#include "core/refine/typedtext.h"
#include "core/settings/problem.h"
#include "core/settings/settings.h"

namespace muster {

/// One entry of `fields`, compiled: from an answer to one member of the `fields` object. Immutable: any
/// thread may use it.
class FieldRule final
{
public:
    static constexpr qsizetype mostBytes = 1024 * 1024; ///< of a field (spec 7)

    /// Adds to `problems` what is wrong, by key: "fields.lat.expr".
    static std::optional<FieldRule> compile(const FieldSettings &settings, Problems &problems);

    bool applies(const QByteArray &url) const { return m_match.matches(url); }
    bool needsJson() const;
    const QByteArray &name() const { return m_name; }
    /// The value as JSON text; nothing where it is missing and may be.
    tl::expected<std::optional<QByteArray>, Failure> evaluate(AnswerText &answer) const;

private:
    enum class Take { First, All, Count, Join };
    enum class Missing { Empty, Fail, Default };
    enum class Type { Text, Number, Date, List };
    struct RegexGroup
    {
        BoundedRegex regex;
        int group = 0;
    };
    struct HeaderName
    {
        QByteArray name;
    };
    /// One thing found: JSON of the answer, or plain text.
    struct Found
    {
        JsonValue::Type type = JsonValue::Type::String;
        QByteArray text; ///< as a cell shows it
        QByteArray json;
    };
    using Source = std::variant<JsonPath, JsonPointer, RegexGroup, HeaderName>;
    using Values = QVector<Found>;

    FieldRule(Source source, UrlGlob match)
        : m_source(std::move(source))
        , m_match(std::move(match))
    {}
    static std::optional<Source> compileSource(const FieldSettings &settings, const QString &place,
                                               Problems &problems);
    bool compileForm(const FieldSettings &settings, const QString &place, Problems &problems);

    tl::expected<Values, Failure> find(AnswerText &answer) const;
    std::optional<QByteArray> typed(const Found &found) const;
    tl::expected<QByteArray, Failure> taken(const Values &values) const;
    tl::expected<std::optional<QByteArray>, Failure> missing(const Answer &answer) const;
    Failure failure(const char *detail, const QString &why) const;

    QByteArray m_name;
    Source m_source;
    UrlGlob m_match;
    Take m_take = Take::First;
    Missing m_missing = Missing::Empty;
    Type m_type = Type::Text;
    QByteArray m_join;
    QByteArray m_default; ///< JSON text
    std::optional<QLocale> m_locale;
};

} // namespace muster
