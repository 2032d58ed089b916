// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/refine/jsonpath.h"
#include "core/refine/jsonpathquery.h"
#include "core/refine/jsonpathvalue.h"

namespace muster::jsonpath {

/// Walks a query over a tree, counting every value it looks at. Once a bound is hit it finds nothing more and
/// isCostly() says so: the result is then void. One evaluation on one thread.
class Evaluator final
{
public:
    Evaluator(JsonValue root, const JsonPathLimits &limits)
        : m_root(root)
        , m_limits(limits)
    {}
    QVector<JsonValue> run(const Query &query, JsonValue current);
    bool isCostly() const { return !m_reason.isEmpty(); }
    QString reason() const { return m_reason; }

private:
    using Nodes = QVector<JsonValue>;

    bool spend(qint64 steps); ///< false once the bound is hit
    bool add(Nodes &out, JsonValue node);
    void applySegment(const Segment &segment, JsonValue node, Nodes &out);
    void applySelector(const Selector &selector, JsonValue node, Nodes &out);
    void applySlice(const Selector &selector, JsonValue node, Nodes &out);
    bool holds(const Expr &expr, JsonValue current);
    bool holdsTest(const Operand &operand, JsonValue current);
    Value value(const Operand &operand, JsonValue current);
    Value call(const Function &function, JsonValue current);
    bool matchesPattern(const Function &function, JsonValue current);

    const JsonValue m_root;
    const JsonPathLimits m_limits;
    qint64 m_steps = 0;
    std::chrono::nanoseconds m_regexTime{0};
    QString m_reason;
    // The last pattern that came out of the document, for it is mostly the same one each time.
    QByteArray m_lastPattern;
    bool m_lastWhole = false;
    std::optional<IRegexp> m_lastRegex;
};

} // namespace muster::jsonpath
