// SPDX-License-Identifier: GPL-3.0-or-later
// The lower half of the parser: literals, queries and function calls inside a filter.
#include "core/refine/jsonpathparser.h"

namespace muster::jsonpath {

std::optional<Operand> Parser::operand()
{
    if (m_in.peek() == '$' || m_in.peek() == '@') {
        std::optional<Query> found = query();
        if (!found)
            return std::nullopt;
        Operand out;
        out.kind = Operand::Kind::Query;
        out.query = std::make_shared<const Query>(std::move(*found));
        return out;
    }
    if (const std::optional<QByteArray> name = m_in.function())
        return functionCall(*name);
    return literal();
}

std::optional<Operand> Parser::literal()
{
    Operand out;
    if (m_in.peek() == '\'' || m_in.peek() == '"') {
        const std::optional<QByteArray> text = m_in.stringLiteral();
        if (!text)
            return std::nullopt;
        out.type = JsonValue::Type::String;
        out.text = *text;
        return out;
    }
    static constexpr std::pair<const char *, JsonValue::Type> words[] = {
        {"true", JsonValue::Type::True}, {"false", JsonValue::Type::False}, {"null", JsonValue::Type::Null}};
    for (const auto &[word, type] : words) {
        if (!m_in.take(word))
            continue;
        out.type = type;
        return out;
    }
    const std::optional<QByteArray> number = m_in.number();
    if (!number)
        return std::nullopt;
    out.type = JsonValue::Type::Number;
    out.text = *number;
    return out;
}

std::optional<Operand> Parser::functionCall(const QByteArray &name)
{
    static constexpr std::pair<const char *, Function::Name> names[] = {{"length", Function::Name::Length},
                                                                        {"count", Function::Name::Count},
                                                                        {"match", Function::Name::Match},
                                                                        {"search", Function::Name::Search},
                                                                        {"value", Function::Name::Value}};
    Function function;
    bool known = false;
    for (const auto &[text, meaning] : names) {
        if (name != text)
            continue;
        function.name = meaning;
        known = true;
    }
    if (!known) {
        m_in.fail(
            QStringLiteral("there is no function %1(); there are length, count, match, search and value")
                .arg(QString::fromUtf8(name)));
        return std::nullopt;
    }
    if (++m_depth > 100) {
        m_in.fail(QStringLiteral("nested deeper than 100"));
        return std::nullopt;
    }
    const bool good = arguments(function) && checkArguments(function) && compilePattern(function);
    --m_depth;
    if (!good)
        return std::nullopt;
    Operand out;
    out.kind = Operand::Kind::Function;
    out.function = std::make_shared<const Function>(std::move(function));
    return out;
}

bool Parser::arguments(Function &function)
{
    m_in.take("(");
    m_in.skipBlank();
    if (m_in.take(")"))
        return true;
    do {
        m_in.skipBlank();
        // An expression in parentheses or behind ! is of the logical type, which no function here takes.
        if (m_in.peek() == '(' || m_in.peek() == '!')
            return m_in.fail(QStringLiteral("a value or a query is expected"));
        std::optional<Operand> next = operand();
        if (!next)
            return false;
        function.args.push_back(std::move(*next));
        m_in.skipBlank();
    } while (m_in.take(","));
    return m_in.take(")") || m_in.fail(QStringLiteral(", or ) is expected"));
}

bool Parser::checkArguments(Function &function)
{
    const std::size_t wanted = function.isLogical() ? 2 : 1;
    if (function.args.size() != wanted)
        return m_in.fail(QStringLiteral("the function takes %1 argument(s)").arg(wanted));
    const bool nodes = function.name == Function::Name::Count || function.name == Function::Name::Value;
    for (const Operand &arg : function.args) {
        if (nodes && arg.kind != Operand::Kind::Query)
            return m_in.fail(QStringLiteral("count() and value() take a query"));
        if (!nodes && !isComparable(arg))
            return false;
    }
    return true;
}

bool Parser::compilePattern(Function &function)
{
    if (!function.isLogical() || function.args[1].kind != Operand::Kind::Literal ||
        function.args[1].type != JsonValue::Type::String)
        return true;
    auto pattern = IRegexp::compile(QString::fromUtf8(function.args[1].text),
                                    function.name == Function::Name::Match ? IRegexp::Scope::Whole
                                                                           : IRegexp::Scope::Anywhere);
    if (!pattern)
        return m_in.fail(QStringLiteral("the pattern is not one: %1").arg(pattern.error().reason));
    function.pattern = std::move(*pattern);
    return true;
}

} // namespace muster::jsonpath
