// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/refine/jsonpathvalue.h"

namespace muster::jsonpath {

namespace {

using Type = JsonValue::Type;

bool isWhole(QByteArrayView number)
{
    return std::all_of(number.begin(), number.end(),
                       [](char c) { return c == '-' || (c >= '0' && c <= '9'); });
}

int sign(qsizetype n)
{
    return n < 0 ? -1 : n > 0 ? 1 : 0;
}

int compareBytes(QByteArrayView a, QByteArrayView b)
{
    // UTF-8 sorts as its code points do.
    const int head = std::memcmp(a.data(), b.data(), std::size_t(qMin(a.size(), b.size())));
    return head != 0 ? sign(head) : sign(a.size() - b.size());
}

int compareWhole(QByteArrayView a, QByteArrayView b)
{
    const bool minusA = a.front() == '-' && a != QByteArrayView("-0");
    const bool minusB = b.front() == '-' && b != QByteArrayView("-0");
    if (minusA != minusB)
        return minusA ? -1 : 1;
    const QByteArrayView digitsA = a.sliced(a.front() == '-' ? 1 : 0);
    const QByteArrayView digitsB = b.sliced(b.front() == '-' ? 1 : 0);
    // No leading zeros in JSON: the longer one is the larger one.
    const int larger = digitsA.size() != digitsB.size() ? sign(digitsA.size() - digitsB.size())
                                                        : compareBytes(digitsA, digitsB);
    return minusA ? -larger : larger;
}

bool equal(const Value &a, const Value &b, qint64 &steps, qint64 most);

bool equalMembers(JsonValue a, JsonValue b, qint64 &steps, qint64 most)
{
    // Of members that share a name the last counts, so both ways: each must have what the other has.
    for (qsizetype i = 0; i < a.size(); ++i) {
        steps += 1 + (a.size() + b.size()) / 8;
        const QByteArrayView name = a.name(i);
        const JsonValue other = b.member(name);
        if (steps > most || !other.exists() ||
            !equal(Value::of(a.member(name)), Value::of(other), steps, most))
            return false;
    }
    for (qsizetype i = 0; i < b.size(); ++i) {
        steps += 1 + a.size() / 8;
        if (steps > most || !a.member(b.name(i)).exists())
            return false;
    }
    return true;
}

bool equal(const Value &a, const Value &b, qint64 &steps, qint64 most)
{
    steps += 1 + qMin(a.text.size(), b.text.size()) / 64;
    if (steps > most || a.type != b.type)
        return false;
    switch (a.type) {
    case Type::Number:
        return compareNumbers(a.text, b.text) == 0;
    case Type::String:
        return a.text == b.text;
    case Type::Object:
        return equalMembers(a.node, b.node, steps, most);
    case Type::Array:
        if (a.node.size() != b.node.size())
            return false;
        for (qsizetype i = 0; i < a.node.size(); ++i)
            if (!equal(Value::of(a.node.at(i)), Value::of(b.node.at(i)), steps, most))
                return false;
        return true;
    default:
        return true;
    }
}

bool less(const Value &a, const Value &b)
{
    if (a.type != b.type)
        return false;
    if (a.type == Type::Number)
        return compareNumbers(a.text, b.text) < 0;
    return a.type == Type::String && compareBytes(a.text, b.text) < 0;
}

} // namespace

Value Value::of(JsonValue node)
{
    return {node.type(), node.text(), node, {}};
}

Value Value::number(qint64 n)
{
    Value out;
    out.type = Type::Number;
    out.own = QByteArray::number(n);
    out.text = out.own;
    return out;
}

int compareNumbers(QByteArrayView a, QByteArrayView b)
{
    if (isWhole(a) && isWhole(b))
        return compareWhole(a, b);
    const double x = a.toByteArray().toDouble();
    const double y = b.toByteArray().toDouble();
    return x < y ? -1 : x > y ? 1 : 0;
}

bool compare(const Value &left, Comparison comparison, const Value &right, qint64 &steps, qint64 most)
{
    switch (comparison) {
    case Comparison::Equal:
        return equal(left, right, steps, most);
    case Comparison::NotEqual:
        return !equal(left, right, steps, most);
    case Comparison::Less:
        return less(left, right);
    case Comparison::LessEqual:
        return less(left, right) || equal(left, right, steps, most);
    case Comparison::Greater:
        return less(right, left);
    case Comparison::GreaterEqual:
        return less(right, left) || equal(left, right, steps, most);
    }
    return false;
}

} // namespace muster::jsonpath
