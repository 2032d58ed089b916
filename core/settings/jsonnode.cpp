// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/settings/jsonnode.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <QJsonArray>
#include <QJsonObject>

namespace muster {

JsonNode JsonNode::ofText(const QString &text)
{
    JsonNode n;
    n.kind = Kind::Text;
    n.text = text;
    return n;
}

JsonNode JsonNode::ofBool(bool truth)
{
    JsonNode n;
    n.kind = Kind::Bool;
    n.truth = truth;
    return n;
}

JsonNode JsonNode::ofInteger(qint64 integer)
{
    JsonNode n;
    n.kind = Kind::Integer;
    n.integer = integer;
    n.number = static_cast<double>(integer);
    n.text = QString::number(integer);
    return n;
}

JsonNode JsonNode::ofNumber(double number)
{
    // Whole numbers stay digits: `60`, never `6e+01`.
    if (number == std::floor(number) && std::abs(number) < 1e15)
        return ofInteger(static_cast<qint64>(number));
    JsonNode n;
    n.kind = Kind::Number;
    n.number = number;
    n.text = QString::number(number, 'g', QLocale::FloatingPointShortest);
    return n;
}

JsonNode JsonNode::list(std::vector<JsonNode> items)
{
    JsonNode n;
    n.kind = Kind::List;
    n.items = std::move(items);
    return n;
}

JsonNode JsonNode::object()
{
    JsonNode n;
    n.kind = Kind::Object;
    return n;
}

const JsonNode *JsonNode::find(const QString &name) const
{
    const auto it = std::find(names.begin(), names.end(), name);
    return it == names.end() ? nullptr : &items[static_cast<std::size_t>(it - names.begin())];
}

JsonNode *JsonNode::find(const QString &name)
{
    return const_cast<JsonNode *>(std::as_const(*this).find(name));
}

JsonNode &JsonNode::set(const QString &name, JsonNode value)
{
    if (JsonNode *there = find(name)) {
        *there = std::move(value);
        return *there;
    }
    names.push_back(name);
    items.push_back(std::move(value));
    return items.back();
}

bool JsonNode::means(const JsonNode &o) const
{
    if (isNumber() && o.isNumber())
        return kind == Kind::Integer && o.kind == Kind::Integer ? integer == o.integer : number == o.number;
    if (kind != o.kind || truth != o.truth || text != o.text || items.size() != o.items.size())
        return false;
    if (!isObject())
        return std::equal(items.begin(), items.end(), o.items.begin(),
                          [](const JsonNode &a, const JsonNode &b) { return a.means(b); });
    for (std::size_t i = 0; i < names.size(); ++i) {
        const JsonNode *other = o.find(names[i]);
        if (!other || !items[i].means(*other))
            return false;
    }
    return true;
}

namespace {

/// Appends a value; `indent` below 0 puts all on one line.
void write(const JsonNode &n, int indent, QByteArray &out)
{
    const auto quoted = [](const QString &s) {
        const QByteArray utf8 = s.toUtf8();
        return QByteArray::fromStdString(nlohmann::json(utf8.toStdString()).dump());
    };
    const auto line = [&out](int depth) {
        if (depth >= 0)
            out += '\n' + QByteArray(2 * depth, ' ');
    };
    switch (n.kind) {
    case JsonNode::Kind::Null:
        out += "null";
        return;
    case JsonNode::Kind::Bool:
        out += n.truth ? "true" : "false";
        return;
    case JsonNode::Kind::Integer:
    case JsonNode::Kind::Number:
        out += n.text.toLatin1();
        return;
    case JsonNode::Kind::Text:
        out += quoted(n.text);
        return;
    case JsonNode::Kind::List:
    case JsonNode::Kind::Object:
        break;
    }
    out += n.isList() ? '[' : '{';
    // Lists of plain values stay on their line: status codes and columns read best so.
    const bool flat = n.isList() && std::none_of(n.items.begin(), n.items.end(), [](const JsonNode &i) {
                          return i.isList() || i.isObject();
                      });
    const int inner = indent < 0 || flat ? -1 : indent + 1;
    for (std::size_t i = 0; i < n.items.size(); ++i) {
        if (i > 0)
            out += indent < 0 || !flat ? "," : ", ";
        line(inner);
        if (n.isObject())
            out += quoted(n.names[i]) + (indent < 0 ? ":" : ": ");
        write(n.items[i], inner, out);
    }
    if (!n.items.empty())
        line(inner < 0 ? -1 : indent);
    out += n.isList() ? ']' : '}';
}

/// Builds the tree from nlohmann's events; owns the path of open containers.
class TreeBuilder final
{
public:
    static constexpr std::size_t deepest = 64;
    JsonNode root;
    bool tooDeep = false;
    std::size_t errorAt = 0;
    bool outOfRange = false;

    bool null() { return put(JsonNode()); }
    bool boolean(bool v) { return put(JsonNode::ofBool(v)); }
    bool number_integer(qint64 v) { return put(JsonNode::ofInteger(v)); }
    bool number_unsigned(quint64 v)
    {
        if (v <= static_cast<quint64>(std::numeric_limits<qint64>::max()))
            return put(JsonNode::ofInteger(static_cast<qint64>(v)));
        return number_float(static_cast<double>(v), std::to_string(v));
    }
    bool number_float(double v, const std::string &digits)
    {
        JsonNode n;
        n.kind = JsonNode::Kind::Number;
        n.number = v;
        n.text = QString::fromStdString(digits);
        return put(std::move(n));
    }
    bool string(const std::string &v) { return put(JsonNode::ofText(QString::fromStdString(v))); }
    bool binary(const std::vector<std::uint8_t> &) { return false; }
    bool start_object(std::size_t) { return open(JsonNode::object()); }
    bool start_array(std::size_t) { return open(JsonNode::list()); }
    bool end_object() { return close(); }
    bool end_array() { return close(); }
    bool key(const std::string &v)
    {
        m_open.back().names.push_back(QString::fromStdString(v));
        return true;
    }
    bool parse_error(std::size_t at, const std::string &, const nlohmann::detail::exception &e)
    {
        errorAt = at;
        outOfRange = e.id / 100 == 4; // the library's own families: 1 syntax, 4 range
        return false;
    }

private:
    bool put(JsonNode n)
    {
        if (m_open.empty())
            root = std::move(n);
        else
            m_open.back().items.push_back(std::move(n));
        return true;
    }
    bool open(JsonNode n)
    {
        tooDeep = m_open.size() >= deepest;
        if (!tooDeep)
            m_open.push_back(std::move(n));
        return !tooDeep;
    }
    bool close()
    {
        JsonNode n = std::move(m_open.back());
        m_open.pop_back();
        return put(std::move(n));
    }

    std::vector<JsonNode> m_open;
};

Problem syntaxProblem(const QByteArray &json, const TreeBuilder &built)
{
    // nlohmann counts the bytes read, the offending one included.
    const qsizetype at = std::clamp<qsizetype>(static_cast<qsizetype>(built.errorAt) - 1, 0, json.size());
    const QByteArray before = json.left(at);
    const qsizetype lineStart = before.lastIndexOf('\n') + 1;
    const qsizetype column = QString::fromUtf8(before.mid(lineStart)).size() + 1;
    return {Problem::Severity::Error,
            QStringLiteral("line %1, column %2").arg(before.count('\n') + 1).arg(column),
            built.outOfRange ? QStringLiteral("this number is too large") : QStringLiteral("this is no JSON"),
            built.outOfRange ? QStringLiteral("write a smaller one")
                             : QStringLiteral("look there for a missing comma, quote or bracket")};
}

} // namespace

QByteArray JsonNode::toJson() const
{
    QByteArray out;
    write(*this, -1, out);
    return out;
}

QByteArray JsonNode::toIndentedJson() const
{
    QByteArray out;
    write(*this, 0, out);
    return out + '\n';
}

QJsonValue JsonNode::toJsonValue() const
{
    switch (kind) {
    case Kind::Null:
        return QJsonValue::Null;
    case Kind::Bool:
        return truth;
    case Kind::Integer:
        return integer;
    case Kind::Number:
        return number;
    case Kind::Text:
        return text;
    case Kind::List: {
        QJsonArray array;
        for (const JsonNode &i : items)
            array.append(i.toJsonValue());
        return array;
    }
    case Kind::Object:
        break;
    }
    QJsonObject o;
    for (std::size_t i = 0; i < items.size(); ++i)
        o.insert(names[i], items[i].toJsonValue());
    return o;
}

JsonNode jsonNodeOf(const QJsonValue &value)
{
    switch (value.type()) {
    case QJsonValue::Bool:
        return JsonNode::ofBool(value.toBool());
    case QJsonValue::Double:
        // A qint64 inside the value would lose digits as a double.
        return value.toInteger(-1) == value.toInteger(-2) ? JsonNode::ofInteger(value.toInteger())
                                                          : JsonNode::ofNumber(value.toDouble());
    case QJsonValue::String:
        return JsonNode::ofText(value.toString());
    case QJsonValue::Array: {
        JsonNode n = JsonNode::list();
        for (const QJsonValue &v : value.toArray())
            n.items.push_back(jsonNodeOf(v));
        return n;
    }
    case QJsonValue::Object: {
        JsonNode n = JsonNode::object();
        const QJsonObject o = value.toObject();
        for (auto it = o.begin(); it != o.end(); ++it)
            n.set(it.key(), jsonNodeOf(it.value()));
        return n;
    }
    case QJsonValue::Null:
    case QJsonValue::Undefined:
        break;
    }
    return {};
}

tl::expected<JsonNode, Problem> parseJson(const QByteArray &json)
{
    constexpr qsizetype largest = 8 * 1024 * 1024;
    const auto refuse = [](const QString &reason, const QString &mend) {
        return tl::unexpected(Problem{Problem::Severity::Error, QStringLiteral("document"), reason, mend});
    };
    if (json.size() > largest)
        return refuse(QStringLiteral("it is larger than 8 MiB"),
                      QStringLiteral("give the list of things to fetch to `import`, not to the settings"));
    TreeBuilder built;
    if (nlohmann::json::sax_parse(json.begin(), json.end(), &built))
        return std::move(built.root);
    if (built.tooDeep)
        return refuse(QStringLiteral("it is nested deeper than %1 levels").arg(TreeBuilder::deepest),
                      QStringLiteral("settings need five levels: look for brackets that are not closed"));
    return tl::unexpected(syntaxProblem(json, built));
}

} // namespace muster
