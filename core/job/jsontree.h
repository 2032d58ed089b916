// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <QByteArray>
#include <QVector>
#include <tl/expected.hpp>
#include <utility>

namespace muster {

/// How large a JSON text may be before it is refused. A bound that is hit is `JsonError::Limit`.
struct JsonLimits
{
    int depth = 512;
    qsizetype nodes = 4'000'000;
    qsizetype bytes = 256 * 1024 * 1024;
};

struct JsonError
{
    enum class Kind { Syntax, Limit };
    Kind kind = Kind::Syntax;
    qsizetype at = 0;  ///< byte at which it was found, from 0
    QByteArray reason; ///< "deeper than 512", "not JSON at byte 17"
};

class JsonTree;

/// One value of a JsonTree: a pointer and an index, copied freely, valid as long as its tree. A value that is
/// not there has type Absent, and asking it for members gives Absent again.
class JsonValue final
{
public:
    enum class Type : quint8 { Absent, Null, False, True, Number, String, Array, Object };

    JsonValue() = default;

    Type type() const;
    bool exists() const { return m_tree != nullptr; }
    bool isContainer() const { return type() == Type::Array || type() == Type::Object; }
    /// Of a string its characters (UTF-8, escapes resolved), of a number its digits as they came.
    QByteArrayView text() const;
    /// Elements or members, those with a name that comes twice included.
    qsizetype size() const;
    JsonValue at(qsizetype i) const; ///< the i-th element, or the i-th member's value
    QByteArrayView name(qsizetype i) const;
    /// The member of that name; where it comes twice, the last.
    JsonValue member(QByteArrayView name) const;
    /// As a person reads it in a cell: a string without quotes, a number with its digits, null as nothing,
    /// arrays and objects as compact JSON.
    QByteArray cell() const;
    /// Compact JSON text, digits, order and repeated names kept.
    QByteArray json() const;
    void appendJson(QByteArray &out) const;
    /// Two values of one tree are the same place.
    bool isSamePlace(const JsonValue &o) const { return m_tree == o.m_tree && m_index == o.m_index; }

private:
    friend class JsonTree; // the tree alone makes values; no test is a friend
    JsonValue(const JsonTree *tree, quint32 index)
        : m_tree(tree)
        , m_index(index)
    {}
    const JsonTree *m_tree = nullptr;
    quint32 m_index = 0;
};

/// A parsed JSON text: immutable, so any thread may read it. It keeps what QJsonDocument loses: the digits of
/// numbers (1.10, 20-digit ids, -0), the order of members, names that come twice. Lone surrogate escapes
/// become U+FFFD. RFC 8259; the syntax is judged by nlohmann-json.
class JsonTree final
{
public:
    ~JsonTree();
    JsonTree(JsonTree &&) = delete;
    Q_DISABLE_COPY(JsonTree)
    /// `text` is UTF-8; a byte order mark in front is passed over.
    static tl::expected<std::shared_ptr<const JsonTree>, JsonError> parse(QByteArray text,
                                                                          const JsonLimits &limits = {});
    JsonValue root() const;
    qsizetype nodeCount() const;

    struct Data;

private:
    friend class JsonValue;
    explicit JsonTree(std::unique_ptr<Data> data);
    std::unique_ptr<Data> m_data;
};

/// `text` as a JSON string literal, quotes included; control characters escaped, the rest as it is.
void appendJsonString(QByteArray &out, QByteArrayView text);

/// Writes one JSON object, members in the order they are added.
class JsonObjectWriter final
{
public:
    void addText(QByteArrayView name, QByteArrayView text); ///< as a JSON string
    void addRaw(QByteArrayView name, QByteArrayView json);  ///< `json` is JSON text already
    bool isEmpty() const { return m_out.size() == 1; }
    QByteArray take(); ///< the object's text; the writer is empty again

private:
    void begin(QByteArrayView name);
    QByteArray m_out = "{";
};

/// One member of a `fields` object: as a cell shows it, and as JSON.
struct JsonField
{
    QByteArray name;
    QByteArray cell;
    QByteArray json;
    bool operator==(const JsonField &) const = default;
};
/// The members of a stored `fields` object in their order; nothing of a text that is no object.
QVector<JsonField> readFields(const QByteArray &object);

} // namespace muster
