// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/refine/boundedregex.h"

#include <QElapsedTimer>

namespace muster {

namespace {

constexpr std::array<qsizetype, 3> stepLengths{1024, 32, 1};

/// The first place of one of PCRE's verbs, of a call of the whole pattern, or of \G; all reach out of the
/// user's pattern into the steps around it. -1: there is none.
qsizetype unfitPlace(const QString &pattern)
{
    static const QRegularExpression unfit(
        QStringLiteral(R"((?<!\\)(?:\\\\)*(\(\*[A-Za-z:]|\(\?(?:R|[+-]?0)\)|\\g<0>|\\g'0'|\\G))"));
    return unfit.match(pattern).capturedStart(1);
}

QRegularExpression stepRegex(const QString &pattern, qsizetype length)
{
    const QString head = QStringLiteral("(*LIMIT_MATCH=1000000)\\G(?s:.{0,%1}?)\\K(?:").arg(length - 1);
    // A pattern may end in an open comment of (?x) or in an open \Q.
    QRegularExpression regex;
    for (const QLatin1String tail : {QLatin1String(")"), QLatin1String("\n)"), QLatin1String("\\E)")}) {
        regex.setPattern(head % pattern % tail);
        if (regex.isValid())
            break;
    }
    return regex;
}

} // namespace

tl::expected<BoundedRegex, RegexProblem> BoundedRegex::compile(const QString &pattern)
{
    if (pattern.startsWith(QLatin1String("(*")))
        return tl::unexpected(RegexProblem{QStringLiteral("a pattern may not start with (*"),
                                           QStringLiteral("write \\(\\* for the characters themselves"), 0});
    const QRegularExpression plain(pattern);
    if (!plain.isValid())
        return tl::unexpected(RegexProblem{
            plain.errorString(),
            QStringLiteral("mend the pattern at character %1").arg(plain.patternErrorOffset() + 1),
            plain.patternErrorOffset()});
    if (const qsizetype at = unfitPlace(pattern); at >= 0)
        return tl::unexpected(RegexProblem{
            QStringLiteral("verbs such as (*SKIP), calls of the whole pattern and \\G are not supported"),
            QStringLiteral("take out what stands at character %1; number a group and call it, as "
                           "in (a(?1)?b)")
                .arg(at + 1),
            at});
    BoundedRegex regex;
    regex.m_groups = plain.captureCount();
    for (std::size_t i = 0; i < stepLengths.size(); ++i) {
        regex.m_steps[i] = {stepLengths[i], stepRegex(pattern, stepLengths[i])};
        if (!regex.m_steps[i].regex.isValid())
            return tl::unexpected(RegexProblem{regex.m_steps[i].regex.errorString(),
                                               QStringLiteral("write a simpler pattern"), -1});
    }
    return regex;
}

tl::expected<QVector<QString>, BoundedRegex::Costly>
BoundedRegex::find(const QString &text, int group, int most, const RegexLimits &limits) const
{
    if (text.size() > limits.input)
        return tl::unexpected(Costly::Input);
    QElapsedTimer timer;
    timer.start();
    QVector<QString> found;
    std::size_t step = 0;
    for (qsizetype at = 0; at <= text.size();) {
        if (timer.elapsed() >= limits.time.count())
            return tl::unexpected(Costly::Time);
        // QString::fromUtf8 and the JSON reader give proper UTF-16 alone, so PCRE need not look again.
        const QRegularExpressionMatch match = m_steps[step].regex.match(
            text, at, QRegularExpression::NormalMatch, QRegularExpression::DontCheckSubjectStringMatchOption);
        if (!match.isValid()) {
            if (step + 1 == m_steps.size())
                return tl::unexpected(Costly::Steps);
            ++step;
            continue;
        }
        if (!match.hasMatch()) {
            for (qsizetype i = 0; i < m_steps[step].length && at <= text.size(); ++i)
                at += at < text.size() && text[at].isHighSurrogate() ? 2 : 1;
            step = 0;
            continue;
        }
        if (found.size() >= limits.matches)
            return tl::unexpected(Costly::Matches);
        found.append(match.captured(group));
        if (found.size() >= most)
            break;
        const qsizetype end = qMax(match.capturedEnd(), at);
        const bool empty = match.capturedEnd() <= match.capturedStart();
        at = end + (empty ? (end < text.size() && text[end].isHighSurrogate() ? 2 : 1) : 0);
        step = 0;
    }
    return found;
}

tl::expected<bool, BoundedRegex::Costly> BoundedRegex::matches(const QString &text,
                                                               const RegexLimits &limits) const
{
    return find(text, 0, 1, limits).map([](const QVector<QString> &found) { return !found.isEmpty(); });
}

QString costlyWords(BoundedRegex::Costly costly)
{
    switch (costly) {
    case BoundedRegex::Costly::Input:
        return QStringLiteral("the text is longer than 2 MiB");
    case BoundedRegex::Costly::Steps:
        return QStringLiteral("pattern too costly: its steps are used up");
    case BoundedRegex::Costly::Time:
        return QStringLiteral("pattern too costly: its time is up");
    case BoundedRegex::Costly::Matches:
        return QStringLiteral("more than 10,000 matches");
    }
    return {};
}

} // namespace muster
