// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/refine/jsonpathparser.h"

#include <QScopeGuard>

namespace muster::jsonpath {

namespace {
constexpr int mostNested = 100;
}

bool Query::isSingular() const
{
    for (const Segment &s : segments) {
        if (s.descendant || s.selectors.size() != 1)
            return false;
        const Selector::Kind kind = s.selectors.front().kind;
        if (kind != Selector::Kind::Name && kind != Selector::Kind::Index)
            return false;
    }
    return true;
}

std::optional<Query> Parser::parse()
{
    if (m_in.peek() != '$') {
        m_in.fail(QStringLiteral("a JSONPath begins with $"));
        return std::nullopt;
    }
    std::optional<Query> found = query();
    if (found && !m_in.atEnd()) {
        m_in.fail(QStringLiteral("this is not expected here"));
        return std::nullopt;
    }
    return found;
}

std::optional<Query> Parser::query()
{
    Query out;
    out.absolute = m_in.take("$");
    if (!out.absolute && !m_in.take("@")) {
        m_in.fail(QStringLiteral("$ or @ is expected"));
        return std::nullopt;
    }
    if (!segments(out))
        return std::nullopt;
    return out;
}

bool Parser::segments(Query &query)
{
    while (true) {
        const qsizetype before = m_in.place();
        m_in.skipBlank();
        if (m_in.peek() != '[' && m_in.peek() != '.') {
            m_in.goBack(before); // the blanks belong to what comes after the query
            return true;
        }
        std::optional<Segment> next = segment();
        if (!next)
            return false;
        query.segments.push_back(std::move(*next));
    }
}

std::optional<Segment> Parser::segment()
{
    Segment out;
    out.descendant = m_in.take("..");
    const bool dot = !out.descendant && m_in.take(".");
    if (!dot && m_in.take("[")) {
        if (!bracketed(out))
            return std::nullopt;
        return out;
    }
    Selector selector;
    if (m_in.take("*")) {
        selector.kind = Selector::Kind::Wildcard;
    } else {
        const std::optional<QByteArray> name = m_in.name();
        if (!name)
            return std::nullopt;
        selector.kind = Selector::Kind::Name;
        selector.name = *name;
    }
    out.selectors.push_back(std::move(selector));
    return out;
}

bool Parser::bracketed(Segment &segment)
{
    do {
        m_in.skipBlank();
        std::optional<Selector> next = selector();
        if (!next)
            return false;
        segment.selectors.push_back(std::move(*next));
        m_in.skipBlank();
    } while (m_in.take(","));
    return m_in.take("]") || m_in.fail(QStringLiteral("] or , is expected"));
}

std::optional<Selector> Parser::selector()
{
    Selector out;
    if (m_in.take("*"))
        return out;
    if (m_in.peek() == '\'' || m_in.peek() == '"') {
        const std::optional<QByteArray> name = m_in.stringLiteral();
        if (!name)
            return std::nullopt;
        out.kind = Selector::Kind::Name;
        out.name = *name;
        return out;
    }
    if (m_in.take("?")) {
        m_in.skipBlank();
        std::optional<Expr> expr = orExpr();
        if (!expr)
            return std::nullopt;
        out.kind = Selector::Kind::Filter;
        out.filter = std::make_shared<const Expr>(std::move(*expr));
        return out;
    }
    return sliceOrIndex();
}

std::optional<Selector> Parser::sliceOrIndex()
{
    Selector out;
    const auto number = [this](std::optional<qint64> &into) {
        if (m_in.peek() != '-' && (m_in.peek() < '0' || m_in.peek() > '9'))
            return true;
        into = m_in.integer();
        return into.has_value();
    };
    if (!number(out.start))
        return std::nullopt;
    const qsizetype behind = m_in.place();
    m_in.skipBlank();
    if (!m_in.take(":")) {
        m_in.goBack(behind);
        if (!out.start) {
            m_in.fail(QStringLiteral("a name in quotes, a number, *, ? or : is expected"));
            return std::nullopt;
        }
        out.kind = Selector::Kind::Index;
        out.index = *out.start;
        return out;
    }
    out.kind = Selector::Kind::Slice;
    m_in.skipBlank();
    if (!number(out.end))
        return std::nullopt;
    m_in.skipBlank();
    std::optional<qint64> step;
    if (m_in.take(":")) {
        m_in.skipBlank();
        if (!number(step))
            return std::nullopt;
    }
    out.step = step.value_or(1);
    return out;
}

std::optional<Expr> Parser::orExpr()
{
    ++m_depth;
    const auto leave = qScopeGuard([this] { --m_depth; });
    if (m_depth > mostNested) {
        m_in.fail(QStringLiteral("nested deeper than %1").arg(mostNested));
        return std::nullopt;
    }
    Expr out;
    out.kind = Expr::Kind::Or;
    do {
        m_in.skipBlank();
        std::optional<Expr> part = andExpr();
        if (!part)
            return std::nullopt;
        out.parts.push_back(std::move(*part));
        m_in.skipBlank();
    } while (m_in.take("||"));
    return out.parts.size() == 1 ? Expr(out.parts.front()) : out;
}

std::optional<Expr> Parser::andExpr()
{
    Expr out;
    out.kind = Expr::Kind::And;
    do {
        m_in.skipBlank();
        std::optional<Expr> part = basicExpr();
        if (!part)
            return std::nullopt;
        out.parts.push_back(std::move(*part));
        m_in.skipBlank();
    } while (m_in.take("&&"));
    return out.parts.size() == 1 ? Expr(out.parts.front()) : out;
}

std::optional<Expr> Parser::basicExpr()
{
    const bool negated = m_in.peek() == '!' && m_in.peek(1) != '=' && m_in.take("!");
    if (negated)
        m_in.skipBlank();
    std::optional<Expr> inner;
    if (m_in.take("(")) {
        m_in.skipBlank();
        inner = orExpr();
        if (inner && !m_in.take(")"))
            m_in.fail(QStringLiteral(") is expected"));
    } else {
        inner = testOrComparison();
        if (inner && negated && inner->kind == Expr::Kind::Compare)
            m_in.fail(QStringLiteral("a comparison behind ! stands in parentheses"));
    }
    if (!inner || m_in.failed())
        return std::nullopt;
    if (!negated)
        return inner;
    Expr out;
    out.kind = Expr::Kind::Not;
    out.parts.push_back(std::move(*inner));
    return out;
}

std::optional<Expr> Parser::testOrComparison()
{
    Expr out;
    const qsizetype begin = m_in.place();
    std::optional<Operand> left = operand();
    if (!left)
        return std::nullopt;
    out.left = std::move(*left);
    const qsizetype behind = m_in.place();
    m_in.skipBlank();
    const std::optional<Comparison> op = comparison();
    if (!op) {
        m_in.goBack(behind);
        const bool logical = out.left.kind == Operand::Kind::Query ||
                             (out.left.kind == Operand::Kind::Function && out.left.function->isLogical());
        if (!logical) {
            m_in.goBack(begin);
            m_in.fail(QStringLiteral("a value alone is neither true nor false: compare it"));
            return std::nullopt;
        }
        return out;
    }
    out.kind = Expr::Kind::Compare;
    out.comparison = *op;
    m_in.skipBlank();
    std::optional<Operand> right = operand();
    if (!right)
        return std::nullopt;
    out.right = std::move(*right);
    if (!isComparable(out.left) || !isComparable(out.right))
        return std::nullopt;
    return out;
}

bool Parser::isComparable(const Operand &operand)
{
    if (operand.kind == Operand::Kind::Query && !operand.query->isSingular())
        return m_in.fail(QStringLiteral("a query that may find several values cannot be compared"));
    if (operand.kind == Operand::Kind::Function && operand.function->isLogical())
        return m_in.fail(QStringLiteral("match() and search() are true or false by themselves"));
    return true;
}

std::optional<Comparison> Parser::comparison()
{
    static constexpr std::pair<const char *, Comparison> signs[] = {
        {"==", Comparison::Equal},        {"!=", Comparison::NotEqual}, {"<=", Comparison::LessEqual},
        {">=", Comparison::GreaterEqual}, {"<", Comparison::Less},      {">", Comparison::Greater}};
    for (const auto &[sign, meaning] : signs)
        if (m_in.take(sign))
            return meaning;
    return std::nullopt;
}

} // namespace muster::jsonpath
