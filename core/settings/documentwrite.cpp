// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/settings/documentread.h"

#include "core/settings/settingskeys.h"

namespace muster {

namespace {

JsonNode of(const QString &v)
{
    return JsonNode::ofText(v);
}
JsonNode of(bool v)
{
    return JsonNode::ofBool(v);
}
JsonNode of(int v)
{
    return JsonNode::ofInteger(v);
}
JsonNode of(qint64 v)
{
    return JsonNode::ofInteger(v);
}
JsonNode of(double v)
{
    return JsonNode::ofNumber(v);
}

/// Digits as a number, so that the document reads as people write it.
JsonNode numberOrText(const QString &v)
{
    bool digits = false;
    const qint64 number = v.toLongLong(&digits);
    return digits ? of(number) : of(v);
}

JsonNode texts(const QVector<QString> &values, JsonNode (*make)(const QString &))
{
    JsonNode list = JsonNode::list();
    for (const QString &v : values)
        list.items.push_back(make(v));
    return list;
}

/// Sets members of a block by their keys.
class Writer final
{
public:
    explicit Writer(JsonNode &block)
        : m_block(block)
    {}
    template <typename T>
    void put(const char *key, const T &value)
    {
        node(key, of(value));
    }
    template <typename T>
    void put(const char *key, const std::optional<T> &value)
    {
        if (value)
            put(key, *value);
    }
    /// Left out where empty: an absent condition is not an empty one.
    void putSet(const char *key, const QString &value)
    {
        if (!value.isEmpty())
            put(key, value);
    }
    void node(const char *key, JsonNode value) { m_block.set(QLatin1String(key), std::move(value)); }
    Writer below(const char *key) { return Writer(*m_block.find(QLatin1String(key))); }

private:
    JsonNode &m_block;
};

void writeRequest(Writer w, const RequestSettings &s)
{
    w.put("url", s.url);
    w.put("method", s.method);
    JsonNode headers = JsonNode::object();
    for (const auto &[name, value] : s.headers)
        headers.set(name, of(value));
    w.node("headers", std::move(headers));
    w.put("body", s.body);
    if (s.fallback) {
        JsonNode fallback = JsonNode::object();
        JsonNode on = JsonNode::list();
        for (const int status : s.fallback->on)
            on.items.push_back(of(status));
        fallback.set(QStringLiteral("on"), std::move(on));
        fallback.set(QStringLiteral("method"), of(s.fallback->method));
        w.node("fallback", std::move(fallback));
    }
    w.node("read", numberOrText(s.read));
    w.put("userAgent", s.userAgent);
    w.put("contact", s.contact);
    w.put("connectTimeout", s.connectTimeout);
    w.put("firstByteTimeout", s.firstByteTimeout);
    w.put("silenceTimeout", s.silenceTimeout);
    w.put("totalTimeout", s.totalTimeout);
    w.put("maxBodyMiB", s.maxBodyMiB);
    w.put("redirects", s.redirects);
    w.node("accept", texts(s.accept, numberOrText));
    w.put("idempotent", s.idempotent);
    w.put("allowPrivate", s.allowPrivate);
    w.put("duplicates", s.duplicates);
}

void writeSmallBlocks(Writer w, const Settings &s)
{
    w.put("version", s.version);
    w.put("name", s.name);
    Writer team = w.below("team");
    team.put("memberCap", s.team.memberCap);
    team.put("drawAhead", s.team.drawAhead);
    team.put("maxRetries", s.team.maxRetries);
    Writer input = w.below("input");
    input.put("format", s.input.format);
    input.put("encoding", s.input.encoding);
    input.put("separator", s.input.separator);
    input.put("header", s.input.header);
    input.put("column", s.input.column);
    input.put("scheme", s.input.scheme);
    input.put("trim", s.input.trim);
    Writer retry = w.below("retry");
    retry.node("statuses", texts(s.retry.statuses, numberOrText));
    retry.put("base", s.retry.base);
    retry.put("factor", s.retry.factor);
    retry.put("max", s.retry.max);
    retry.put("jitter", s.retry.jitter);
    retry.put("budgetPercent", s.retry.budgetPercent);
    retry.put("parkAfter", s.retry.parkAfter);
    Writer out = w.below("export");
    out.node("columns", texts(s.exportSettings.columns, JsonNode::ofText));
    out.put("separator", s.exportSettings.separator);
    out.put("bom", s.exportSettings.bom);
    out.put("guard", s.exportSettings.guard);
}

JsonNode limiter(const LimiterSettings &s)
{
    JsonNode node = JsonNode::object();
    Writer w(node);
    w.put("name", s.name);
    w.put("match", s.match);
    w.put("scope", s.scope);
    w.put("rate", s.rate);
    w.put("burst", s.burst);
    w.put("start", s.start);
    w.node("cost", s.costColumn.isEmpty() ? of(s.cost) : of(s.costColumn));
    w.put("atOnce", s.atOnce);
    w.put("enabled", s.enabled);
    return node;
}

JsonNode errorRule(const ErrorRuleSettings &s)
{
    JsonNode when = JsonNode::object();
    Writer c(when);
    c.putSet("jsonpath", s.when.jsonpath);
    c.putSet("pointer", s.when.pointer);
    c.putSet("regex", s.when.regex);
    if (!s.when.status.isEmpty())
        c.node("status", numberOrText(s.when.status));
    if (s.when.equals)
        c.node("equals", jsonNodeOf(*s.when.equals));
    c.putSet("matches", s.when.matches);
    c.put("exists", s.when.exists);
    c.put("below", s.when.below);
    c.put("above", s.when.above);
    JsonNode node = JsonNode::object();
    node.set(QStringLiteral("when"), std::move(when));
    node.set(QStringLiteral("treatAs"), of(s.treatAs));
    return node;
}

JsonNode field(const FieldSettings &s)
{
    JsonNode node = JsonNode::object();
    Writer w(node);
    w.put("name", s.name);
    w.put("of", s.of);
    w.put("from", s.from);
    w.put("expr", s.expr);
    w.put("take", s.take);
    w.put("missing", s.missing);
    w.put("default", s.defaultValue);
    w.put("join", s.join);
    w.put("group", s.group);
    w.put("type", s.type);
    w.put("locale", s.locale);
    w.put("match", s.match);
    return node;
}

template <typename Item>
JsonNode listOf(const QVector<Item> &items, JsonNode (*make)(const Item &))
{
    JsonNode list = JsonNode::list();
    for (const Item &item : items)
        list.items.push_back(make(item));
    return list;
}

} // namespace

JsonNode documentOf(const Settings &settings)
{
    JsonNode document = defaultDocument();
    Writer w(document);
    writeSmallBlocks(w, settings);
    writeRequest(w.below("request"), settings.request);
    w.node("limiters", listOf(settings.limiters, limiter));
    w.node("errorRules", listOf(settings.errorRules, errorRule));
    w.node("fields", listOf(settings.fields, field));
    return document;
}

} // namespace muster
