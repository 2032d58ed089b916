// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QJsonValue>
#include <QString>
#include <tl/expected.hpp>
#include <vector>

#include "core/settings/problem.h"

namespace muster {

/// A JSON value that keeps what a settings document needs and QJsonDocument loses: the order of members,
/// members that occur twice, and the text of numbers. A value; any thread.
struct JsonNode
{
    enum class Kind { Null, Bool, Integer, Number, Text, List, Object };

    Kind kind = Kind::Null;
    bool truth = false;
    qint64 integer = 0;          ///< of an Integer
    double number = 0;           ///< of an Integer or Number
    QString text;                ///< of a Text; the digits of a number
    std::vector<QString> names;  ///< of an Object, beside `items`
    std::vector<JsonNode> items; ///< of a List or Object

    static JsonNode ofText(const QString &text);
    static JsonNode ofBool(bool truth);
    static JsonNode ofInteger(qint64 integer);
    static JsonNode ofNumber(double number);
    static JsonNode list(std::vector<JsonNode> items = {});
    static JsonNode object();

    bool isNumber() const { return kind == Kind::Integer || kind == Kind::Number; }
    bool isText() const { return kind == Kind::Text; }
    bool isObject() const { return kind == Kind::Object; }
    bool isList() const { return kind == Kind::List; }
    bool isNull() const { return kind == Kind::Null; }

    /// The first member of that name, or null.
    const JsonNode *find(const QString &name) const;
    JsonNode *find(const QString &name);
    /// Sets or appends a member of an object and returns it.
    JsonNode &set(const QString &name, JsonNode value);

    QByteArray toJson() const;           ///< one line
    QByteArray toIndentedJson() const;   ///< two blanks a level, newline at the end
    QJsonValue toJsonValue() const;      ///< numbers as Qt holds them
    bool means(const JsonNode &o) const; ///< equal as values: 1 and 1.0, members in any order
};

/// Reads JSON of a person's own making: at most 8 MiB and 64 levels. The problem names line and column.
tl::expected<JsonNode, Problem> parseJson(const QByteArray &json);
JsonNode jsonNodeOf(const QJsonValue &value);

} // namespace muster
