// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/job/jsontree.h"
#include "core/refine/jsonpathquery.h"

namespace muster::jsonpath {

/// What stands on one side of a comparison: a value of the document, a literal, a number that a function
/// found, or nothing (type Absent). `text` points into the document or the query, or into `own`.
struct Value
{
    JsonValue::Type type = JsonValue::Type::Absent;
    QByteArrayView text;
    JsonValue node; ///< arrays and objects
    QByteArray own;

    static Value of(JsonValue node);
    static Value number(qint64 n);
};

/// RFC 9535, 2.3.5.2.2. Numbers are compared exactly where both are whole, else as doubles. `steps` grows by
/// the number of values looked at; where it passes `most`, the answer is void.
bool compare(const Value &left, Comparison comparison, const Value &right, qint64 &steps, qint64 most);

/// -1, 0 or 1; both texts are JSON numbers.
int compareNumbers(QByteArrayView a, QByteArrayView b);

} // namespace muster::jsonpath
