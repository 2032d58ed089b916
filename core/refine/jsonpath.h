// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <memory>
#include <QString>
#include <QVector>
#include <tl/expected.hpp>

#include "core/job/jsontree.h"

namespace muster {

namespace jsonpath {
struct Query;
}

/// What is wrong with an expression, and where: `at` in characters from 0, or -1.
struct ExprProblem
{
    QString reason;
    QString mend;
    qsizetype at = -1;
};

/// What one evaluation may cost. A bound that is hit is an error, never an empty result.
struct JsonPathLimits
{
    qint64 steps = 10'000'000;                ///< values looked at
    qsizetype nodes = 1'000'000;              ///< values found, at any place of the query
    std::chrono::milliseconds regexTime{250}; ///< all match() and search() together
};

/// A JSONPath query (RFC 9535), parsed once. Immutable: any thread may use it.
class JsonPath final
{
public:
    static tl::expected<JsonPath, ExprProblem> parse(const QString &text);
    /// The values found, in the order of the RFC; the error is a sentence for a note.
    tl::expected<QVector<JsonValue>, QString> find(const JsonTree &tree,
                                                   const JsonPathLimits &limits = {}) const;

private:
    explicit JsonPath(std::shared_ptr<const jsonpath::Query> query)
        : m_query(std::move(query))
    {}
    std::shared_ptr<const jsonpath::Query> m_query;
};

/// A JSON Pointer (RFC 6901), parsed once. Immutable.
class JsonPointer final
{
public:
    static tl::expected<JsonPointer, ExprProblem> parse(const QString &text);
    JsonValue find(const JsonTree &tree) const; ///< Absent where it leads nowhere

private:
    QVector<QByteArray> m_tokens;
};

} // namespace muster
