// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/settings/documentread.h"

#include <limits>

namespace muster {

namespace {

/// Takes members of one block; a missing block has none.
class Block final
{
public:
    explicit Block(const JsonNode *node)
        : m_node(node && node->isObject() ? node : nullptr)
    {}

    const JsonNode *at(const char *key) const { return m_node ? m_node->find(QLatin1String(key)) : nullptr; }

    void take(const char *key, QString &to) const
    {
        if (const JsonNode *n = at(key); n && n->isText())
            to = n->text;
    }
    void take(const char *key, bool &to) const
    {
        if (const JsonNode *n = at(key); n && n->kind == JsonNode::Kind::Bool)
            to = n->truth;
    }
    void take(const char *key, double &to) const
    {
        if (const JsonNode *n = at(key); n && n->isNumber())
            to = n->number;
    }
    void take(const char *key, qint64 &to) const
    {
        if (const JsonNode *n = at(key); n && n->isNumber() && std::abs(n->number) < 9e15)
            to = static_cast<qint64>(n->number);
    }
    void take(const char *key, int &to) const
    {
        qint64 wide = to;
        take(key, wide);
        if (std::abs(wide) <= std::numeric_limits<int>::max())
            to = static_cast<int>(wide);
    }
    template <typename T>
    void take(const char *key, std::optional<T> &to) const
    {
        const JsonNode *n = at(key);
        T value{};
        if (n && !n->isNull()) {
            take(key, value);
            to = value;
        }
    }
    /// Texts, and numbers by their digits.
    void take(const char *key, QVector<QString> &to) const
    {
        const JsonNode *n = at(key);
        if (!n || !n->isList())
            return;
        to.clear();
        for (const JsonNode &item : n->items)
            to.append(item.isNumber() ? QString::number(static_cast<qint64>(item.number)) : item.text);
    }

private:
    const JsonNode *m_node;
};

template <typename Item, typename Read>
QVector<Item> readList(const JsonNode *list, const Read &read)
{
    QVector<Item> items;
    if (list && list->isList()) {
        for (const JsonNode &node : list->items)
            items.append(read(Block(&node)));
    }
    return items;
}

/// "5xx" as first and last status: the retry rules know numbers only.
QString asRange(const QString &pattern)
{
    const QString text = pattern.trimmed();
    if (text.size() != 3 || !text.endsWith(QLatin1String("xx"), Qt::CaseInsensitive))
        return text;
    return text[0] + QStringLiteral("00-") + text[0] + QStringLiteral("99");
}

void readInput(const Block &b, InputSettings &s)
{
    b.take("format", s.format);
    b.take("encoding", s.encoding);
    b.take("separator", s.separator);
    b.take("header", s.header);
    b.take("column", s.column);
    b.take("scheme", s.scheme);
    b.take("trim", s.trim);
}

void readHeaders(const JsonNode *map, RequestSettings &s)
{
    if (!map || !map->isObject())
        return;
    for (std::size_t i = 0; i < map->names.size(); ++i)
        s.headers.append({map->names[i], map->items[i].text});
}

void readFallback(const JsonNode *node, RequestSettings &s)
{
    if (!node || !node->isObject())
        return;
    const Block b(node);
    FallbackSettings f{{400, 403, 404, 405, 500, 501}, QStringLiteral("GET")};
    QVector<QString> on;
    b.take("on", on);
    if (b.at("on"))
        f.on.clear();
    for (const QString &status : on)
        f.on.append(status.toInt());
    b.take("method", f.method);
    s.fallback = f;
}

void readRequest(const Block &b, RequestSettings &s)
{
    b.take("url", s.url);
    b.take("method", s.method);
    readHeaders(b.at("headers"), s);
    b.take("body", s.body);
    readFallback(b.at("fallback"), s);
    if (const JsonNode *read = b.at("read"); read && (read->isText() || read->isNumber()))
        s.read = read->isNumber() ? QString::number(static_cast<qint64>(read->number)) : read->text;
    b.take("userAgent", s.userAgent);
    b.take("contact", s.contact);
    b.take("connectTimeout", s.connectTimeout);
    b.take("firstByteTimeout", s.firstByteTimeout);
    b.take("silenceTimeout", s.silenceTimeout);
    b.take("totalTimeout", s.totalTimeout);
    b.take("maxBodyMiB", s.maxBodyMiB);
    b.take("redirects", s.redirects);
    b.take("accept", s.accept);
    b.take("idempotent", s.idempotent);
    b.take("allowPrivate", s.allowPrivate);
    b.take("duplicates", s.duplicates);
}

void readRetry(const Block &b, RetrySettings &s)
{
    b.take("statuses", s.statuses);
    for (QString &status : s.statuses)
        status = asRange(status);
    b.take("base", s.base);
    b.take("factor", s.factor);
    b.take("max", s.max);
    b.take("jitter", s.jitter);
    b.take("budgetPercent", s.budgetPercent);
    b.take("parkAfter", s.parkAfter);
}

LimiterSettings readLimiter(const Block &b)
{
    LimiterSettings s;
    b.take("name", s.name);
    b.take("match", s.match);
    b.take("scope", s.scope);
    b.take("rate", s.rate);
    b.take("burst", s.burst);
    b.take("start", s.start);
    b.take("cost", s.cost);
    b.take("cost", s.costColumn);
    b.take("atOnce", s.atOnce);
    b.take("enabled", s.enabled);
    return s;
}

ErrorRuleSettings readErrorRule(const Block &b)
{
    ErrorRuleSettings s;
    const Block when(b.at("when"));
    when.take("jsonpath", s.when.jsonpath);
    when.take("pointer", s.when.pointer);
    when.take("regex", s.when.regex);
    when.take("status", s.when.status);
    if (const JsonNode *n = when.at("status"); n && n->isNumber())
        s.when.status = QString::number(static_cast<qint64>(n->number));
    if (const JsonNode *n = when.at("equals"))
        s.when.equals = n->toJsonValue();
    when.take("matches", s.when.matches);
    when.take("exists", s.when.exists);
    when.take("below", s.when.below);
    when.take("above", s.when.above);
    b.take("treatAs", s.treatAs);
    return s;
}

FieldSettings readField(const Block &b)
{
    FieldSettings s;
    b.take("name", s.name);
    b.take("of", s.of);
    b.take("from", s.from);
    b.take("expr", s.expr);
    b.take("take", s.take);
    b.take("missing", s.missing);
    b.take("default", s.defaultValue);
    b.take("join", s.join);
    b.take("group", s.group);
    b.take("type", s.type);
    b.take("locale", s.locale);
    b.take("match", s.match);
    return s;
}

} // namespace

Settings readDocument(const JsonNode &document)
{
    const Block b(&document);
    Settings s;
    b.take("version", s.version);
    b.take("name", s.name);
    const Block team(b.at("team"));
    team.take("memberCap", s.team.memberCap);
    team.take("drawAhead", s.team.drawAhead);
    team.take("maxRetries", s.team.maxRetries);
    readInput(Block(b.at("input")), s.input);
    readRequest(Block(b.at("request")), s.request);
    readRetry(Block(b.at("retry")), s.retry);
    if (const JsonNode *limiters = b.at("limiters"); limiters && limiters->isList())
        s.limiters = readList<LimiterSettings>(limiters, readLimiter);
    s.errorRules = readList<ErrorRuleSettings>(b.at("errorRules"), readErrorRule);
    s.fields = readList<FieldSettings>(b.at("fields"), readField);
    const Block out(b.at("export"));
    out.take("columns", s.exportSettings.columns);
    out.take("separator", s.exportSettings.separator);
    out.take("bom", s.exportSettings.bom);
    out.take("guard", s.exportSettings.guard);
    return s;
}

} // namespace muster
