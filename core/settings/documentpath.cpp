// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/settings/document.h"

#include <algorithm>
#include <QStringList>

#include "core/settings/documentwalk.h"
#include "core/settings/keycheck.h"
#include "core/settings/settingskeys.h"

namespace muster {

namespace {

/// A dotted key resolved against a document: the pattern of the table, and the steps that lead there.
struct Path
{
    QString pattern;
    QStringList names; ///< members and items as written
};

Problem unknownKey(const QString &key, const QString &reason, const QString &mend)
{
    return {Problem::Severity::Error, key, reason, mend};
}

std::optional<std::size_t> itemIndex(const JsonNode &list, const char *id, const QString &name)
{
    for (std::size_t i = 0; i < list.items.size(); ++i) {
        if (itemName(list, i, id) == name)
            return i;
    }
    bool digits = false;
    const uint index = name.toUInt(&digits);
    return digits && index < list.items.size() ? std::optional<std::size_t>(index) : std::nullopt;
}

std::optional<std::size_t> memberIndex(const JsonNode &block, const QString &name)
{
    const auto it = std::find(block.names.begin(), block.names.end(), name);
    return it == block.names.end() ? std::nullopt
                                   : std::optional(static_cast<std::size_t>(it - block.names.begin()));
}

QString itemNames(const JsonNode &list, const char *id)
{
    QStringList names;
    for (std::size_t i = 0; i < list.items.size() && i < 20; ++i)
        names.append(itemName(list, i, id));
    return names.isEmpty() ? QStringLiteral("the list is empty, set it whole")
                           : QStringLiteral("write one of ") + names.join(QStringLiteral(", "));
}

/// Walks a dotted key. Between its steps the visitor may fill in what a document leaves out.
class Resolver final
{
public:
    explicit Resolver(const QString &key)
        : m_key(key)
    {}

    /// The node at the key, made where it is absent; the error says which step is not known.
    tl::expected<JsonNode *, Problem> resolve(JsonNode &document)
    {
        QStringList steps = m_key.split(QLatin1Char('.'));
        JsonNode *node = &document;
        const SettingsKey *row = nullptr;
        QString pattern;
        while (!steps.isEmpty()) {
            if (row && row->type == KeyType::List) {
                const auto index = itemIndex(*node, row->id, steps.first());
                if (!index)
                    return tl::unexpected(
                        unknownKey(m_key, QStringLiteral("%1 has no item \"%2\"").arg(pattern, steps.first()),
                                   itemNames(*node, row->id)));
                node = &node->items[*index];
                pattern += QStringLiteral(".*");
                steps.removeFirst();
                row = nullptr;
                continue;
            }
            const bool map = row && row->type == KeyType::Map;
            const QString name = map ? steps.join(QLatin1Char('.')) : steps.first();
            const QString next = map                 ? pattern + QStringLiteral(".*")
                                 : pattern.isEmpty() ? name
                                                     : pattern + QLatin1Char('.') + name;
            row = name == QLatin1String("*") ? nullptr : settingsKey(next);
            if (!row)
                return tl::unexpected(noSuchKey(pattern));
            steps = map ? QStringList() : steps.mid(1);
            pattern = next;
            if (auto below = step(*node, name, *row, !steps.isEmpty()))
                node = *below;
            else
                return tl::unexpected(below.error());
        }
        return node;
    }

private:
    Problem noSuchKey(const QString &parent) const
    {
        QStringList names;
        for (const SettingsKey *k : settingsKeysBelow(parent))
            names.append(k->last());
        if (names.isEmpty())
            return unknownKey(m_key, QStringLiteral("%1 has no keys below it").arg(parent),
                              QStringLiteral("write %1").arg(parent));
        const QString wrong =
            m_key.section(QLatin1Char('.'), parent.count(QLatin1Char('.')) + (parent.isEmpty() ? 0 : 1),
                          parent.count(QLatin1Char('.')) + (parent.isEmpty() ? 0 : 1));
        return unknownKey(m_key, QStringLiteral("there is no such key"),
                          QStringLiteral("write %1").arg(nearestName(wrong, names)));
    }

    tl::expected<JsonNode *, Problem> step(JsonNode &node, const QString &name, const SettingsKey &row,
                                           bool further)
    {
        if (!node.isObject())
            return tl::unexpected(unknownKey(m_key, QStringLiteral("what holds it is no block"),
                                             QStringLiteral("set that first")));
        JsonNode *below = node.find(name);
        if (!below)
            below = &node.set(name, absent(row));
        // A block that is off is switched on by what is set below it.
        if (further && below->isNull() && row.isContainer())
            *below = row.type == KeyType::List ? JsonNode::list() : JsonNode::object();
        if (further && row.isContainer() && (row.type == KeyType::List) != below->isList())
            return tl::unexpected(unknownKey(m_key, QStringLiteral("%1 is %2").arg(row.path(), shown(*below)),
                                             QStringLiteral("set %1 first").arg(row.path())));
        return below;
    }

    /// What an absent key means: its default; for a block all of its defaults are left to the table.
    static JsonNode absent(const SettingsKey &row)
    {
        if (*row.fallback != '\0')
            return *parseJson(row.fallback);
        return row.type == KeyType::Block ? JsonNode::object() : JsonNode();
    }

    QString m_key;
};

tl::expected<JsonNode, Problem> parsedBlock(const QByteArray &json)
{
    auto document = parseJson(json);
    if (document && !document->isObject())
        return tl::unexpected(unknownKey(QStringLiteral("document"),
                                         QStringLiteral("it is no block of settings"),
                                         QStringLiteral("write keys and values in { }")));
    return document;
}

/// A block as a person wants to see it: with the defaults of what it leaves out.
void fillDefaults(JsonNode &block, const JsonNode &defaults)
{
    for (std::size_t i = 0; i < defaults.names.size(); ++i) {
        JsonNode *there = block.find(defaults.names[i]);
        if (!there)
            block.set(defaults.names[i], defaults.items[i]);
        else if (there->isObject() && defaults.items[i].isObject())
            fillDefaults(*there, defaults.items[i]);
    }
}

} // namespace

tl::expected<QByteArray, Problem> settingsValue(const QByteArray &json, const QString &key)
{
    auto document = parsedBlock(json);
    if (!document)
        return tl::unexpected(document.error());
    fillDefaults(*document, defaultDocument());
    if (key.isEmpty())
        return document->toIndentedJson();
    const auto node = Resolver(key).resolve(*document);
    if (!node)
        return tl::unexpected(node.error());
    return (*node)->isObject() || (*node)->isList() ? (*node)->toIndentedJson() : (*node)->toJson() + '\n';
}

tl::expected<QByteArray, Problem> settingsWith(const QByteArray &json, const QString &key,
                                               const QByteArray &value)
{
    auto document = parsedBlock(json);
    if (!document)
        return tl::unexpected(document.error());
    const auto node = Resolver(key).resolve(*document);
    if (!node)
        return tl::unexpected(node.error());
    auto parsed = parseJson(value);
    **node = parsed ? std::move(*parsed) : JsonNode::ofText(QString::fromUtf8(value));
    return document->toIndentedJson();
}

tl::expected<QByteArray, Problem> settingsWithout(const QByteArray &json, const QString &key)
{
    auto document = parsedBlock(json);
    if (!document)
        return tl::unexpected(document.error());
    const qsizetype dot = key.lastIndexOf(QLatin1Char('.'));
    JsonNode *parent = &*document;
    const QString parentKey = key.left(std::max<qsizetype>(dot, 0));
    const SettingsKey *list = nullptr;
    if (dot > 0) {
        const auto node = Resolver(parentKey).resolve(*document);
        if (!node)
            return tl::unexpected(node.error());
        parent = *node;
        list = settingsKey(parentKey);
    }
    const QString name = key.mid(dot + 1);
    const auto at =
        parent->isList() ? itemIndex(*parent, list ? list->id : "", name) : memberIndex(*parent, name);
    if (at) {
        parent->items.erase(parent->items.begin() + static_cast<std::ptrdiff_t>(*at));
        if (parent->isObject())
            parent->names.erase(parent->names.begin() + static_cast<std::ptrdiff_t>(*at));
    }
    return document->toIndentedJson();
}

} // namespace muster
