// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/refine/jsonpathevaluator.h"

#include <QElapsedTimer>

namespace muster::jsonpath {

namespace {

using Type = JsonValue::Type;

/// Characters, not bytes: every byte but those that continue a character.
qint64 characters(QByteArrayView utf8)
{
    return std::count_if(utf8.begin(), utf8.end(), [](char c) { return (c & 0xC0) != 0x80; });
}

} // namespace

bool Evaluator::spend(qint64 steps)
{
    m_steps += steps;
    if (m_steps > m_limits.steps && !isCostly())
        m_reason = QStringLiteral("query too costly: more than %1 steps").arg(m_limits.steps);
    return !isCostly();
}

bool Evaluator::add(Nodes &out, JsonValue node)
{
    if (!spend(1))
        return false;
    if (out.size() >= m_limits.nodes) {
        m_reason = QStringLiteral("query too costly: it finds more than %1 values").arg(m_limits.nodes);
        return false;
    }
    out.append(node);
    return true;
}

QVector<JsonValue> Evaluator::run(const Query &query, JsonValue current)
{
    Nodes nodes{query.absolute ? m_root : current};
    for (const Segment &segment : query.segments) {
        Nodes next;
        for (const JsonValue &node : std::as_const(nodes)) {
            applySegment(segment, node, next);
            if (isCostly())
                return {};
        }
        nodes = std::move(next);
    }
    return nodes;
}

void Evaluator::applySegment(const Segment &segment, JsonValue node, Nodes &out)
{
    if (!spend(1))
        return;
    for (const Selector &selector : segment.selectors)
        applySelector(selector, node, out);
    if (!segment.descendant)
        return;
    // As deep as the tree, which its parser bounds.
    for (qsizetype i = 0; i < node.size() && !isCostly(); ++i)
        applySegment(segment, node.at(i), out);
}

void Evaluator::applySelector(const Selector &selector, JsonValue node, Nodes &out)
{
    switch (selector.kind) {
    case Selector::Kind::Name:
        if (node.type() != Type::Object || !spend(node.size() / 8))
            return;
        if (const JsonValue found = node.member(selector.name); found.exists())
            add(out, found);
        return;
    case Selector::Kind::Wildcard:
        for (qsizetype i = 0; i < node.size(); ++i)
            if (!add(out, node.at(i)))
                return;
        return;
    case Selector::Kind::Index:
        if (node.type() != Type::Array)
            return;
        if (const JsonValue found =
                node.at(selector.index < 0 ? selector.index + node.size() : selector.index);
            found.exists())
            add(out, found);
        return;
    case Selector::Kind::Slice:
        applySlice(selector, node, out);
        return;
    case Selector::Kind::Filter:
        for (qsizetype i = 0; i < node.size(); ++i) {
            if (!spend(1))
                return;
            if (const JsonValue child = node.at(i); holds(*selector.filter, child))
                add(out, child);
        }
        return;
    }
}

// RFC 9535, 2.3.4.2.2.
void Evaluator::applySlice(const Selector &selector, JsonValue node, Nodes &out)
{
    if (node.type() != Type::Array || selector.step == 0)
        return;
    const qint64 size = node.size();
    const qint64 step = selector.step;
    const auto fromFront = [size](qint64 i) { return i >= 0 ? i : size + i; };
    const qint64 start = fromFront(selector.start.value_or(step > 0 ? 0 : size - 1));
    const qint64 end = selector.end ? fromFront(*selector.end) : (step > 0 ? size : -1);
    if (step > 0) {
        const qint64 upper = qBound<qint64>(0, end, size);
        for (qint64 i = qBound<qint64>(0, start, size); i < upper; i += step)
            if (!add(out, node.at(i)))
                return;
        return;
    }
    const qint64 lower = qBound<qint64>(-1, end, size - 1);
    for (qint64 i = qBound<qint64>(-1, start, size - 1); i > lower; i += step)
        if (!add(out, node.at(i)))
            return;
}

bool Evaluator::holds(const Expr &expr, JsonValue current)
{
    if (!spend(1))
        return false;
    const auto holdsHere = [this, current](const Expr &part) { return holds(part, current); };
    switch (expr.kind) {
    case Expr::Kind::Or:
        return std::any_of(expr.parts.begin(), expr.parts.end(), holdsHere);
    case Expr::Kind::And:
        return std::all_of(expr.parts.begin(), expr.parts.end(), holdsHere);
    case Expr::Kind::Not:
        return !holds(expr.parts.front(), current);
    case Expr::Kind::Test:
        return holdsTest(expr.left, current);
    case Expr::Kind::Compare: {
        const Value left = value(expr.left, current);
        const Value right = value(expr.right, current);
        const bool result = compare(left, expr.comparison, right, m_steps, m_limits.steps);
        return spend(0) && result;
    }
    }
    return false;
}

bool Evaluator::holdsTest(const Operand &operand, JsonValue current)
{
    if (operand.kind == Operand::Kind::Query)
        return !run(*operand.query, current).isEmpty();
    return matchesPattern(*operand.function, current);
}

Value Evaluator::value(const Operand &operand, JsonValue current)
{
    switch (operand.kind) {
    case Operand::Kind::Literal:
        return {operand.type, operand.text, {}, {}};
    case Operand::Kind::Function:
        return call(*operand.function, current);
    case Operand::Kind::Query:
        break;
    }
    const Nodes found = run(*operand.query, current);
    return found.size() == 1 ? Value::of(found.front()) : Value();
}

Value Evaluator::call(const Function &function, JsonValue current)
{
    const Operand &arg = function.args.front();
    if (function.name == Function::Name::Length) {
        const Value of = value(arg, current);
        if (of.type == Type::String)
            return Value::number(characters(of.text));
        return of.type == Type::Array || of.type == Type::Object ? Value::number(of.node.size()) : Value();
    }
    const Nodes found = run(*arg.query, current);
    if (function.name == Function::Name::Count)
        return Value::number(found.size());
    return found.size() == 1 ? Value::of(found.front()) : Value();
}

bool Evaluator::matchesPattern(const Function &function, JsonValue current)
{
    const Value text = value(function.args[0], current);
    if (text.type != Type::String || isCostly())
        return false;
    const IRegexp *regex = function.pattern ? &*function.pattern : nullptr;
    if (!regex) {
        const Value pattern = value(function.args[1], current);
        if (pattern.type != Type::String)
            return false;
        const bool whole = function.name == Function::Name::Match;
        if (!m_lastRegex || m_lastPattern != pattern.text || m_lastWhole != whole) {
            auto compiled = IRegexp::compile(QString::fromUtf8(pattern.text),
                                             whole ? IRegexp::Scope::Whole : IRegexp::Scope::Anywhere);
            // A text of the document that is no pattern matches nothing (RFC 9535, 2.4.6).
            if (!spend(100) || !compiled)
                return false;
            m_lastRegex = std::move(*compiled);
            m_lastPattern = pattern.text.toByteArray();
            m_lastWhole = whole;
        }
        regex = &*m_lastRegex;
    }
    RegexLimits limits;
    limits.time = std::chrono::duration_cast<std::chrono::milliseconds>(m_limits.regexTime - m_regexTime);
    QElapsedTimer timer;
    timer.start();
    const auto result = regex->test(QString::fromUtf8(text.text), limits);
    m_regexTime += std::chrono::nanoseconds(timer.nsecsElapsed());
    if (!result)
        m_reason = costlyWords(result.error());
    return result.value_or(false);
}

} // namespace muster::jsonpath
