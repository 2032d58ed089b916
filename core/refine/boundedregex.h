// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <chrono>
#include <QRegularExpression>
#include <QString>
#include <QVector>
#include <tl/expected.hpp>

namespace muster {

/// What a pattern may cost on one text (reliability.md 5). A bound that is hit is an error, never "no match".
struct RegexLimits
{
    qsizetype input = 2 * 1024 * 1024; ///< code units
    int matches = 10'000;
    std::chrono::milliseconds time{250};
};

/// What is wrong with a pattern. `at`: place in the pattern, from 0, or -1.
struct RegexProblem
{
    QString reason;
    QString mend;
    qsizetype at = -1;
};

/// A user's regular expression that cannot run for ever. Immutable: any thread may use it. The text is walked
/// in steps, each one anchored match of `.{0,n}?` and the pattern behind it, so that PCRE's match limit
/// (1,000,000) bounds a step as a whole and the time is looked at between steps; a step that hits the limit
/// is taken again in smaller ones, so only one place that alone is too costly counts.
class BoundedRegex final
{
public:
    enum class Costly { Input, Steps, Time, Matches };

    static tl::expected<BoundedRegex, RegexProblem> compile(const QString &pattern);

    /// All matches, or the first `most` of them: of each the text of `group`. A match in which the group took
    /// no part gives a null string.
    tl::expected<QVector<QString>, Costly> find(const QString &text, int group, int most,
                                                const RegexLimits &limits = {}) const;
    tl::expected<bool, Costly> matches(const QString &text, const RegexLimits &limits = {}) const;

    int groups() const { return m_groups; }

private:
    struct Step
    {
        qsizetype length = 0; ///< places at which a match may begin
        QRegularExpression regex;
    };
    BoundedRegex() = default;
    std::array<Step, 3> m_steps; ///< large to small
    int m_groups = 0;
};

/// "too costly: its time is up" and so on, for a note.
QString costlyWords(BoundedRegex::Costly costly);

} // namespace muster
