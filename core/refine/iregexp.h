// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/refine/boundedregex.h"

namespace muster {

/// A pattern of JSONPath's match() and search() (RFC 9485), run by PCRE as section 5.4 there says: an
/// unescaped dot is any character but line ends, match() means the whole text. Immutable.
class IRegexp final
{
public:
    enum class Scope { Whole, Anywhere };

    static tl::expected<IRegexp, RegexProblem> compile(const QString &pattern, Scope scope);
    tl::expected<bool, BoundedRegex::Costly> test(const QString &text, const RegexLimits &limits) const
    {
        return m_regex.matches(text, limits);
    }

private:
    explicit IRegexp(BoundedRegex regex)
        : m_regex(std::move(regex))
    {}
    BoundedRegex m_regex;
};

} // namespace muster
