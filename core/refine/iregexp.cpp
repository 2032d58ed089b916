// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/refine/iregexp.h"

namespace muster {

namespace {

QString withPcreDots(const QString &pattern)
{
    QString out;
    bool inClass = false;
    for (qsizetype i = 0; i < pattern.size(); ++i) {
        const QChar c = pattern[i];
        if (c == QLatin1Char('\\') && i + 1 < pattern.size()) {
            out += c;
            out += pattern[++i];
            continue;
        }
        if (c == QLatin1Char('['))
            inClass = true;
        else if (c == QLatin1Char(']'))
            inClass = false;
        if (c == QLatin1Char('.') && !inClass)
            out += QStringLiteral("[^\\n\\r]");
        else
            out += c;
    }
    return out;
}

} // namespace

tl::expected<IRegexp, RegexProblem> IRegexp::compile(const QString &pattern, Scope scope)
{
    // Judged as it was written first: a pattern such as a)|(b must not become one by what is put around it.
    auto own = BoundedRegex::compile(pattern);
    if (!own)
        return tl::unexpected(own.error());
    const QString dots = withPcreDots(pattern);
    auto regex = BoundedRegex::compile(
        scope == Scope::Whole ? QString(QStringLiteral("\\A(?:") % dots % QStringLiteral(")\\z")) : dots);
    if (!regex)
        return tl::unexpected(regex.error());
    return IRegexp(std::move(*regex));
}

} // namespace muster
