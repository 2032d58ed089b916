// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/settings/sampledocument.h"

#include <QRegularExpression>
#include <QStringList>

#include "core/settings/document.h"

namespace muster {

namespace {

JsonNode exampleOf(const SettingsKey &key)
{
    return *parseJson(*key.example != '\0' ? QByteArray(key.example) : QByteArray(key.fallback));
}

JsonNode requiredMembers(const QString &pattern)
{
    JsonNode block = JsonNode::object();
    for (const SettingsKey *k : settingsKeysBelow(pattern)) {
        if (k->required)
            block.set(k->last(), exampleOf(*k));
    }
    return block;
}

JsonNode &sampleStep(JsonNode &block, const QString &pattern, const QString &name)
{
    const SettingsKey &row = *settingsKey(pattern);
    if (!block.find(name)) {
        if (row.type == KeyType::List)
            block.set(name, JsonNode::list({requiredMembers(pattern + QStringLiteral(".*"))}));
        else
            block.set(name, requiredMembers(pattern));
    }
    JsonNode &below = *block.find(name);
    return row.type == KeyType::List ? below.items.front() : below;
}

} // namespace

QByteArray sampleDocument(const SettingsKey &key, const QByteArray &value, const QString &spelling)
{
    JsonNode document = JsonNode::object();
    JsonNode *block = &document;
    QString pattern;
    const QStringList steps = key.path().split(QLatin1Char('.'));
    for (const QString &name : steps.mid(0, steps.size() - 1)) {
        pattern = pattern.isEmpty() ? name : pattern + QLatin1Char('.') + name;
        if (name != QLatin1String("*")) // the item is made with its list
            block = &sampleStep(*block, pattern, name);
    }
    // An entry of a map has a name of its own.
    const QString own = key.last() == QLatin1String("*") ? QStringLiteral("X-Sample") : key.last();
    JsonNode parsed = *parseJson(value);
    if (spelling.isEmpty()) {
        block->set(own, std::move(parsed));
    } else {
        block->set(spelling, std::move(parsed));
        JsonNode without = JsonNode::object();
        for (std::size_t i = 0; i < block->names.size(); ++i) {
            if (block->names[i] != own)
                without.set(block->names[i], block->items[i]);
        }
        *block = std::move(without);
    }
    return document.toIndentedJson();
}

std::optional<QByteArray> withMend(const QByteArray &json, const Problem &problem)
{
    const qsizetype dot = problem.place.lastIndexOf(QLatin1Char('.'));
    static const QRegularExpression rename(QStringLiteral("^write (\\S+), or leave it out$"));
    const auto result = [](const tl::expected<QByteArray, Problem> &r) {
        return r ? std::optional(*r) : std::nullopt;
    };
    if (problem.reason == QLatin1String("there is no such key")) {
        const QRegularExpressionMatch to = rename.match(problem.mend);
        const auto document = parseJson(json);
        if (!to.hasMatch() || !document)
            return std::nullopt;
        const QByteArray written = QByteArray("\"") + problem.place.mid(dot + 1).toUtf8() + "\":";
        QByteArray renamed = document->toJson();
        const qsizetype at = renamed.indexOf(written);
        if (at < 0)
            return std::nullopt;
        const QByteArray right = QByteArray("\"") + to.captured(1).toUtf8() + "\":";
        return renamed.replace(at, written.size(), right);
    }
    static const QString example = QStringLiteral(", for example ");
    if (const qsizetype at = problem.mend.lastIndexOf(example); at >= 0)
        return result(settingsWith(json, problem.place, problem.mend.mid(at + example.size()).toUtf8()));
    static const QRegularExpression leave(QStringLiteral("^leave (\\S+) out( \\(|$)"));
    if (const QRegularExpressionMatch out = leave.match(problem.mend); out.hasMatch())
        return result(
            settingsWithout(json, out.captured(1) == QLatin1String("it") ? problem.place : out.captured(1)));
    return std::nullopt;
}

} // namespace muster
