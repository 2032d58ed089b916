// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/refine/jsonpath.h"

#include "core/refine/jsonpathevaluator.h"
#include "core/refine/jsonpathparser.h"

namespace muster {

tl::expected<JsonPath, ExprProblem> JsonPath::parse(const QString &text)
{
    jsonpath::Parser parser(text.toUtf8());
    std::optional<jsonpath::Query> query = parser.parse();
    if (!query)
        return tl::unexpected(ExprProblem{
            parser.reason(), QStringLiteral("mend the JSONPath at character %1").arg(parser.place() + 1),
            parser.place()});
    return JsonPath(std::make_shared<const jsonpath::Query>(std::move(*query)));
}

tl::expected<QVector<JsonValue>, QString> JsonPath::find(const JsonTree &tree,
                                                         const JsonPathLimits &limits) const
{
    jsonpath::Evaluator evaluator(tree.root(), limits);
    QVector<JsonValue> found = evaluator.run(*m_query, tree.root());
    if (evaluator.isCostly())
        return tl::unexpected(evaluator.reason());
    return found;
}

} // namespace muster
