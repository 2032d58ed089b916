// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/refine/ruleset.h"

#include "core/refine/errorrule.h"
#include "core/refine/fieldrule.h"

namespace muster {

namespace {

/// The rules of the settings. Immutable.
class CompiledRules final : public RuleSet
{
public:
    CompiledRules(QVector<ErrorRule> errorRules, QVector<FieldRule> fields)
        : m_errorRules(std::move(errorRules))
        , m_fields(std::move(fields))
    {}

    bool isEmpty() const override { return m_errorRules.isEmpty() && m_fields.isEmpty(); }

    std::optional<Failure> failing(const Answer &answer) const override
    {
        AnswerText text(answer);
        return failing(text);
    }

    tl::expected<Refined, Failure> refine(const Answer &answer) const override
    {
        AnswerText text(answer);
        return refine(text);
    }

    RefineResult judge(const Answer &answer, bool accepted) const override
    {
        AnswerText text(answer);
        RefineResult out{failing(text), Refined{}};
        if (!out.rule && accepted)
            out.refined = refine(text);
        return out;
    }

private:
    std::optional<Failure> failing(AnswerText &text) const
    {
        for (const ErrorRule &rule : m_errorRules) {
            const auto matched = rule.matches(text);
            if (!matched)
                return matched.error();
            if (*matched)
                return rule.failure(text.answer().status);
        }
        return std::nullopt;
    }

    tl::expected<Refined, Failure> refine(AnswerText &text) const
    {
        const Answer &answer = text.answer();
        JsonObjectWriter writer;
        for (const FieldRule &field : m_fields) {
            if (!field.applies(answer.url))
                continue;
            if (field.needsJson() && text.hasBody() && text.isBlank())
                return tl::unexpected(
                    Failure{FailureKind::Refine, "empty", answer.status,
                            QStringLiteral("field %1 wants JSON").arg(QString::fromUtf8(field.name()))});
            const auto value = field.evaluate(text);
            if (!value)
                return tl::unexpected(value.error());
            if (value->has_value())
                writer.addRaw(field.name(), **value);
        }
        return Refined{writer.take(), {}};
    }

    const QVector<ErrorRule> m_errorRules;
    const QVector<FieldRule> m_fields;
};

} // namespace

tl::expected<std::shared_ptr<const RuleSet>, Problems> compileRules(const Settings &settings)
{
    Problems problems;
    QVector<ErrorRule> errorRules;
    for (qsizetype i = 0; i < settings.errorRules.size(); ++i)
        if (auto rule = ErrorRule::compile(settings.errorRules[i], i, problems))
            errorRules.append(std::move(*rule));
    QVector<FieldRule> fields;
    for (const FieldSettings &field : settings.fields)
        if (auto rule = FieldRule::compile(field, problems))
            fields.append(std::move(*rule));
    if (!problems.isEmpty())
        return tl::unexpected(problems);
    return std::make_shared<const CompiledRules>(std::move(errorRules), std::move(fields));
}

} // namespace muster
