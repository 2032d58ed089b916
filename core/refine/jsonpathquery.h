// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <QByteArray>
#include <vector>

#include "core/job/jsontree.h"
#include "core/refine/iregexp.h"

/// The syntax tree of a JSONPath query (RFC 9535), as the parser builds it and the evaluator walks it. Values
/// without behaviour; immutable once parsed.
namespace muster::jsonpath {

struct Expr;

struct Selector
{
    enum class Kind { Name, Wildcard, Index, Slice, Filter };
    Kind kind = Kind::Wildcard;
    QByteArray name;
    qint64 index = 0;
    std::optional<qint64> start, end;
    qint64 step = 1;
    std::shared_ptr<const Expr> filter;
};

struct Segment
{
    bool descendant = false;
    std::vector<Selector> selectors;
};

struct Query
{
    bool absolute = true; ///< begins at $, else at @
    std::vector<Segment> segments;

    /// Finds one node at most, so that its value can be compared.
    bool isSingular() const;
};

struct Operand;

/// A call of one of the RFC's five functions. Where the pattern of match or search is a literal it is
/// compiled with the query.
struct Function
{
    enum class Name { Length, Count, Match, Search, Value };
    Name name = Name::Length;
    std::vector<Operand> args;
    std::optional<IRegexp> pattern;

    bool isLogical() const { return name == Name::Match || name == Name::Search; }
};

struct Operand
{
    enum class Kind { Literal, Query, Function };
    Kind kind = Kind::Literal;
    JsonValue::Type type = JsonValue::Type::Null; ///< of a literal
    QByteArray text;                              ///< of a literal: characters or digits
    std::shared_ptr<const Query> query;
    std::shared_ptr<const Function> function;
};

enum class Comparison { Equal, NotEqual, Less, LessEqual, Greater, GreaterEqual };

struct Expr
{
    enum class Kind { Or, And, Not, Compare, Test };
    Kind kind = Kind::Test;
    std::vector<Expr> parts; ///< Or, And, Not
    Comparison comparison = Comparison::Equal;
    Operand left; ///< Compare; Test: a query that must find something, or a logical function
    Operand right;
};

} // namespace muster::jsonpath
