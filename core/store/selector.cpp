// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/selector.h"

#include "core/job/failure.h"
#include "core/job/jobstate.h"

namespace muster {

namespace {

constexpr const char *keys[] = {"state", "kind", "code", "host", "proxy", "batch", "run", "row", "url"};

Problem problem(const QString &term, const QString &reason, const QString &mend)
{
    return {Problem::Severity::Error, QStringLiteral("\"%1\"").arg(term), reason, mend};
}

/// Blank-separated, with "…" around values that hold blanks; quotes are kept for the next step.
QVector<QString> words(const QString &text, bool &open)
{
    QVector<QString> out;
    QString word;
    open = false;
    for (const QChar ch : text) {
        if (ch == u'"')
            open = !open;
        if (ch.isSpace() && !open) {
            if (!word.isEmpty())
                out.append(word);
            word.clear();
        } else {
            word += ch;
        }
    }
    if (!word.isEmpty())
        out.append(word);
    return out;
}

QVector<QByteArray> valuesOf(const QString &text)
{
    QVector<QByteArray> out;
    QString value;
    bool quoted = false;
    for (const QChar ch : text) {
        if (ch == u'"') {
            quoted = !quoted;
        } else if (ch == u',' && !quoted) {
            out.append(value.toUtf8());
            value.clear();
        } else {
            value += ch;
        }
    }
    out.append(value.toUtf8());
    return out;
}

QString keyList(const QVector<QByteArray> &fields)
{
    QStringList all;
    for (const char *k : keys)
        all << QLatin1String(k);
    for (const QByteArray &f : fields)
        all << QString::fromUtf8(f);
    return QStringLiteral("the keys are ") + all.join(QLatin1Char(' '));
}

/// State and kind are closed sets: a word that fits none of them is a slip, not an empty answer.
std::optional<Problem> checkWord(const QString &word, const QByteArray &key, const QByteArray &value)
{
    QStringList known;
    if (key == "state")
        for (const JobState s : allJobStates)
            known << QLatin1String(jobStateName(s));
    if (key == "kind")
        for (std::size_t k = 1; k < failureKindCount; ++k)
            known << QLatin1String(failureKindName(static_cast<FailureKind>(k)));
    if (known.isEmpty())
        return {};
    for (const QString &name : known)
        if (globMatches(value, name.toLatin1()))
            return {};
    return problem(
        word, QStringLiteral("there is no %1 \"%2\"").arg(QString::fromLatin1(key), QString::fromUtf8(value)),
        QStringLiteral("one of ") + known.join(QLatin1Char(' ')));
}

std::optional<Problem> checkNumber(const QString &word, const QByteArray &value)
{
    for (const char ch : value)
        if ((ch < '0' || ch > '9') && ch != '*' && ch != '?' && ch != '-')
            return problem(word, QStringLiteral("\"%1\" is not a number").arg(QString::fromUtf8(value)),
                           QStringLiteral("write a number, a range as 10-20 or a glob as 5*"));
    return {};
}

} // namespace

bool globMatches(QByteArrayView pattern, QByteArrayView text)
{
    // The greedy walk with one way back: linear for one `*`, never exponential.
    qsizetype p = 0, t = 0, star = -1, mark = 0;
    while (t < text.size()) {
        if (p < pattern.size() && (pattern[p] == '?' || (pattern[p] == text[t] && pattern[p] != '*'))) {
            ++p;
            ++t;
        } else if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            mark = t;
        } else if (star >= 0) {
            p = star + 1;
            t = ++mark;
        } else {
            return false;
        }
    }
    while (p < pattern.size() && pattern[p] == '*')
        ++p;
    return p == pattern.size();
}

tl::expected<Selector, Problem> Selector::parse(const QString &text, const QVector<QByteArray> &fields)
{
    Selector s;
    bool open = false;
    const QVector<QString> all = words(text, open);
    if (open)
        return tl::make_unexpected(
            problem(text, QStringLiteral("a quote is not closed"), QStringLiteral("end it with \"")));
    for (const QString &word : all) {
        Term t;
        t.negated = word.startsWith(u'-');
        const QString rest = word.mid(t.negated ? 1 : 0);
        qsizetype cut = rest.indexOf(u':');
        if (const qsizetype equals = rest.indexOf(u'='); equals >= 0 && (cut < 0 || equals < cut))
            cut = equals;
        if (cut <= 0)
            return tl::make_unexpected(problem(word, QStringLiteral("a term is key:value"), keyList(fields)));
        t.key = rest.left(cut).toUtf8();
        t.values = valuesOf(rest.mid(cut + 1));
        bool known = false;
        for (const char *k : keys)
            known = known || t.key == k;
        t.field = !known && fields.contains(t.key);
        if (!known && !t.field)
            return tl::make_unexpected(
                problem(word, QStringLiteral("there is no key \"%1\"").arg(QString::fromUtf8(t.key)),
                        keyList(fields)));
        const bool number = t.key == "code" || t.key == "batch" || t.key == "run" || t.key == "row";
        for (const QByteArray &v : t.values) {
            if (v.isEmpty() && !t.field && t.key != "proxy")
                return tl::make_unexpected(problem(word, QStringLiteral("a value is missing"),
                                                   QStringLiteral("write key:value, several as key:a,b")));
            if (auto wrong = checkWord(word, t.key, v))
                return tl::make_unexpected(*wrong);
            if (known && number)
                if (auto wrong = checkNumber(word, v))
                    return tl::make_unexpected(*wrong);
        }
        s.terms.append(t);
    }
    return s;
}

} // namespace muster
