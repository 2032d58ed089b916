// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/refine/jsonpathquery.h"
#include "core/refine/jsonpathscanner.h"

namespace muster::jsonpath {

/// Recursive descent over RFC 9535's grammar, with its rules of types. Nesting is bounded, so that a hostile
/// query cannot use up the stack. One thread; one object for one parse.
class Parser final
{
public:
    explicit Parser(QByteArray text)
        : m_in(std::move(text))
    {}
    /// Nothing where the text is no query; reason() and place() then say why.
    std::optional<Query> parse();
    QString reason() const { return m_in.reason(); }
    qsizetype place() const { return m_in.failedCharacter(); }

private:
    template <typename T>
    using Maybe = std::optional<T>;

    Maybe<Query> query();
    bool segments(Query &query);
    Maybe<Segment> segment();
    bool bracketed(Segment &segment);
    Maybe<Selector> selector();
    Maybe<Selector> sliceOrIndex();

    Maybe<Expr> orExpr();
    Maybe<Expr> andExpr();
    Maybe<Expr> basicExpr();
    Maybe<Expr> testOrComparison();
    Maybe<Comparison> comparison();
    Maybe<Operand> operand();
    Maybe<Operand> literal();
    Maybe<Operand> functionCall(const QByteArray &name);
    bool arguments(Function &function);
    bool checkArguments(Function &function);
    bool compilePattern(Function &function);
    bool isComparable(const Operand &operand);

    Scanner m_in;
    int m_depth = 0;
};

} // namespace muster::jsonpath
