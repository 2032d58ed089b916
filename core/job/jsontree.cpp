// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/job/jsontree.h"

#include <nlohmann/json.hpp>

namespace muster {

namespace {

struct Node
{
    JsonValue::Type type = JsonValue::Type::Null;
    quint32 at = 0;   ///< text: offset in the pool; containers: first place in `children`
    quint32 size = 0; ///< text: bytes; containers: number of children
    quint32 nameAt = 0;
    quint32 nameSize = 0;
};

// long double: nlohmann refuses numbers that its float type cannot hold, and 1e400 is valid JSON.
using Json =
    nlohmann::basic_json<std::map, std::vector, std::string, bool, std::int64_t, std::uint64_t, long double>;

bool isIn(char c, char from, char to)
{
    return c >= from && c <= to;
}

int hexUnit(const char *digits)
{
    int unit = 0;
    for (int i = 0; i < 4; ++i) {
        const char c = digits[i];
        const int digit = isIn(c, '0', '9')   ? c - '0'
                          : isIn(c, 'a', 'f') ? c - 'a' + 10
                          : isIn(c, 'A', 'F') ? c - 'A' + 10
                                              : -1;
        if (digit < 0)
            return -1;
        unit = unit * 16 + digit;
    }
    return unit;
}

/// Servers cut texts in the middle of an emoji; one lone half must not cost the whole answer.
void mendLoneSurrogates(QByteArray &text)
{
    if (!text.contains("\\ud") && !text.contains("\\uD"))
        return;
    char *const data = text.data();
    const qsizetype size = text.size();
    const auto unitAt = [&](qsizetype i) {
        return i + 6 <= size && data[i] == '\\' && data[i + 1] == 'u' ? hexUnit(data + i + 2) : -1;
    };
    for (qsizetype i = text.indexOf('\\'); i >= 0 && i + 1 < size; i = text.indexOf('\\', i)) {
        const int unit = unitAt(i);
        if (unit < 0xD800 || unit > 0xDFFF) {
            i += 2;
            continue;
        }
        const int next = unitAt(i + 6);
        if (unit < 0xDC00 && next >= 0xDC00 && next <= 0xDFFF) {
            i += 12;
            continue;
        }
        std::memcpy(data + i + 2, "fffd", 4);
        i += 6;
    }
}

} // namespace

struct JsonTree::Data
{
    std::string pool;
    std::vector<Node> nodes;
    std::vector<quint32> children;
    quint32 root = 0;
};

namespace {

/// Receives nlohmann's events and lays the tree out flat. Returning false ends the parse.
class Builder final
{
public:
    Builder(JsonTree::Data &data, const JsonLimits &limits)
        : m_data(data)
        , m_limits(limits)
    {}

    bool null() { return add(JsonValue::Type::Null); }
    bool boolean(bool v) { return add(v ? JsonValue::Type::True : JsonValue::Type::False); }
    // nlohmann hands integers over without their text; only minus zero cannot be told from the value.
    bool number_integer(std::int64_t v) { return add(JsonValue::Type::Number, v ? std::to_string(v) : "-0"); }
    bool number_unsigned(std::uint64_t v) { return add(JsonValue::Type::Number, std::to_string(v)); }
    bool number_float(long double, std::string text)
    {
        // The lexer writes the decimal sign of the C locale into the text.
        for (char &c : text)
            if (!isIn(c, '0', '9') && c != '-' && c != '+' && c != 'e' && c != 'E')
                c = '.';
        return add(JsonValue::Type::Number, text);
    }
    bool string(const std::string &v) { return add(JsonValue::Type::String, v); }
    bool binary(const Json::binary_t &) { return false; }
    bool key(const std::string &v)
    {
        m_nameAt = store(v);
        m_nameSize = static_cast<quint32>(v.size());
        return true;
    }
    bool start_object(std::size_t) { return open(JsonValue::Type::Object); }
    bool start_array(std::size_t) { return open(JsonValue::Type::Array); }
    bool end_object() { return close(); }
    bool end_array() { return close(); }
    bool parse_error(std::size_t at, const std::string &, const nlohmann::detail::exception &)
    {
        fail(JsonError::Kind::Syntax, static_cast<qsizetype>(at),
             "not JSON at byte " + QByteArray::number(qlonglong(at)));
        return false;
    }
    const JsonError &error() const { return m_error; }

private:
    struct Open
    {
        quint32 node;
        std::size_t firstPending;
    };

    bool fail(JsonError::Kind kind, qsizetype at, QByteArray reason)
    {
        m_error = {kind, at, std::move(reason)};
        return false;
    }
    quint32 store(const std::string &text)
    {
        const auto at = static_cast<quint32>(m_data.pool.size());
        m_data.pool += text;
        return at;
    }
    bool add(JsonValue::Type type, const std::string &text = {})
    {
        if (qsizetype(m_data.nodes.size()) >= m_limits.nodes)
            return fail(JsonError::Kind::Limit, 0,
                        "more than " + QByteArray::number(m_limits.nodes) + " values");
        const auto index = static_cast<quint32>(m_data.nodes.size());
        m_data.nodes.push_back({type, store(text), static_cast<quint32>(text.size()), m_nameAt, m_nameSize});
        m_nameAt = m_nameSize = 0;
        if (m_open.empty())
            m_data.root = index;
        else
            m_pending.push_back(index);
        return true;
    }
    bool open(JsonValue::Type type)
    {
        if (int(m_open.size()) >= m_limits.depth)
            return fail(JsonError::Kind::Limit, 0, "deeper than " + QByteArray::number(m_limits.depth));
        if (!add(type))
            return false;
        m_open.push_back({static_cast<quint32>(m_data.nodes.size() - 1), m_pending.size()});
        return true;
    }
    bool close()
    {
        const Open top = m_open.back();
        m_open.pop_back();
        Node &node = m_data.nodes[top.node];
        node.at = static_cast<quint32>(m_data.children.size());
        node.size = static_cast<quint32>(m_pending.size() - top.firstPending);
        m_data.children.insert(m_data.children.end(), m_pending.begin() + qsizetype(top.firstPending),
                               m_pending.end());
        m_pending.resize(top.firstPending);
        return true;
    }

    JsonTree::Data &m_data;
    const JsonLimits &m_limits;
    std::vector<Open> m_open;
    std::vector<quint32> m_pending; ///< children of the open containers, innermost last
    quint32 m_nameAt = 0;
    quint32 m_nameSize = 0;
    JsonError m_error;
};

} // namespace

JsonTree::JsonTree(std::unique_ptr<Data> data)
    : m_data(std::move(data))
{}

JsonTree::~JsonTree() = default;

tl::expected<std::shared_ptr<const JsonTree>, JsonError> JsonTree::parse(QByteArray text,
                                                                         const JsonLimits &limits)
{
    // Offsets are 32 bits wide; no limit may reach past them.
    const qsizetype most = qMin<qsizetype>(limits.bytes, std::numeric_limits<qint32>::max());
    if (text.size() > most)
        return tl::unexpected(
            JsonError{JsonError::Kind::Limit, most, "longer than " + QByteArray::number(most) + " bytes"});
    mendLoneSurrogates(text);
    auto data = std::make_unique<Data>();
    Builder builder(*data, limits);
    const char *const begin = text.constData();
    if (!Json::sax_parse(begin, begin + text.size(), &builder))
        return tl::unexpected(builder.error());
    return std::shared_ptr<const JsonTree>(new JsonTree(std::move(data)));
}

JsonValue JsonTree::root() const
{
    return {this, m_data->root};
}

qsizetype JsonTree::nodeCount() const
{
    return static_cast<qsizetype>(m_data->nodes.size());
}

JsonValue::Type JsonValue::type() const
{
    return m_tree ? m_tree->m_data->nodes[m_index].type : Type::Absent;
}

QByteArrayView JsonValue::text() const
{
    const Type t = type();
    if (t != Type::String && t != Type::Number)
        return {};
    const Node &node = m_tree->m_data->nodes[m_index];
    return {m_tree->m_data->pool.data() + node.at, qsizetype(node.size)};
}

qsizetype JsonValue::size() const
{
    return isContainer() ? qsizetype(m_tree->m_data->nodes[m_index].size) : 0;
}

JsonValue JsonValue::at(qsizetype i) const
{
    if (i < 0 || i >= size())
        return {};
    const JsonTree::Data &data = *m_tree->m_data;
    return {m_tree, data.children[data.nodes[m_index].at + std::size_t(i)]};
}

QByteArrayView JsonValue::name(qsizetype i) const
{
    const JsonValue child = at(i);
    if (!child.exists())
        return {};
    const Node &node = m_tree->m_data->nodes[child.m_index];
    return {m_tree->m_data->pool.data() + node.nameAt, qsizetype(node.nameSize)};
}

JsonValue JsonValue::member(QByteArrayView wanted) const
{
    if (type() != Type::Object)
        return {};
    for (qsizetype i = size() - 1; i >= 0; --i)
        if (name(i) == wanted)
            return at(i);
    return {};
}

QByteArray JsonValue::cell() const
{
    switch (type()) {
    case Type::String:
    case Type::Number:
        return text().toByteArray();
    case Type::Absent:
    case Type::Null:
        return {};
    default:
        return json();
    }
}

QByteArray JsonValue::json() const
{
    QByteArray out;
    appendJson(out);
    return out;
}

// Recursion is as deep as the tree, which the parser bounds.
void JsonValue::appendJson(QByteArray &out) const
{
    switch (type()) {
    case Type::Absent:
    case Type::Null:
        out += "null";
        return;
    case Type::False:
        out += "false";
        return;
    case Type::True:
        out += "true";
        return;
    case Type::Number:
        out += text();
        return;
    case Type::String:
        appendJsonString(out, text());
        return;
    case Type::Array:
    case Type::Object:
        break;
    }
    const bool object = type() == Type::Object;
    out += object ? '{' : '[';
    for (qsizetype i = 0; i < size(); ++i) {
        if (i > 0)
            out += ',';
        if (object) {
            appendJsonString(out, name(i));
            out += ':';
        }
        at(i).appendJson(out);
    }
    out += object ? '}' : ']';
}

} // namespace muster
