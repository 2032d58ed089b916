// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/refine/ruleset.h"
#include "tests/support/fakefetcher.h"

namespace muster {

/// An answer of the fake fetcher with that status.
inline FakeFetcher::Script status(int code, const QByteArray &retryAfter = {})
{
    FakeFetcher::Script script;
    script.status = code;
    script.retryAfter = retryAfter;
    return script;
}

/// A flight that ends without an answer.
inline FakeFetcher::Script failing(FailureKind kind, const QByteArray &detail = {})
{
    FakeFetcher::Script script;
    script.failure = {kind, detail, 0, {}};
    return script;
}

/// Rules by words in the body: a limit message, an error page, a missing field.
class FakeRules final : public RuleSet
{
public:
    std::optional<Failure> failing(const Answer &answer) const override
    {
        if (answer.body.contains("rate limit"))
            return Failure{FailureKind::RateLimited, "rule 1", 0, {}};
        if (answer.body.contains("captcha"))
            return Failure{FailureKind::ErrorRule, "rule 2", 0, {}};
        return std::nullopt;
    }
    tl::expected<Refined, Failure> refine(const Answer &answer) const override
    {
        if (answer.body.contains("nothing"))
            return tl::unexpected(Failure{FailureKind::Refine, "missing", 0, {}});
        return Refined{"{\"n\":1}", {}};
    }
    bool isEmpty() const override { return false; }
};

} // namespace muster
