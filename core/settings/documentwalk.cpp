// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/settings/documentwalk.h"

#include <algorithm>
#include <QSet>
#include <QStringList>

#include "core/settings/keycheck.h"
#include "core/settings/settingskeys.h"

namespace muster {

namespace {

const QString *idOf(const JsonNode &item, const char *id)
{
    const JsonNode *name = item.isObject() && *id != '\0' ? item.find(QLatin1String(id)) : nullptr;
    return name && name->isText() && isSettingsName(name->text) ? &name->text : nullptr;
}

QString joined(const QString &path, const QString &name)
{
    return path.isEmpty() ? name : path + QLatin1Char('.') + name;
}

/// The full name of a key of another block that is called exactly like this.
QString elsewhere(const QString &name)
{
    for (const SettingsKey &k : settingsKeys()) {
        if (k.last() == name && !k.path().contains(QLatin1Char('*')))
            return k.path();
    }
    return {};
}

class Walk final
{
public:
    Problems problems;

    /// Where the walk stands: the row's pattern, the place in this document, the key that comes later.
    struct At
    {
        QString pattern;
        QString place;
        QString later;
    };

    void block(const JsonNode &object, const At &at)
    {
        const QVector<const SettingsKey *> known = settingsKeysBelow(at.pattern);
        QSet<QString> seen;
        for (std::size_t i = 0; i < object.names.size(); ++i) {
            const QString &name = object.names[i];
            const QString place = joined(at.place, name);
            if (twice(seen, name, place))
                continue;
            const auto row = std::find_if(known.begin(), known.end(),
                                          [&name](const SettingsKey *k) { return k->last() == name; });
            if (row == known.end())
                unknown(name, place, known);
            else if (!adaptsNothing(**row, object))
                value(**row, object.items[i], {(*row)->path(), place, laterOf(**row, at, place)});
        }
        for (const SettingsKey *k : known) {
            if (k->required && !seen.contains(k->last()))
                add(joined(at.place, k->last()), QStringLiteral("it is required here"),
                    at.later.isEmpty() ? QStringLiteral("write %1, for example %2")
                                             .arg(expectation(*k), QString::fromUtf8(k->example))
                                       : QStringLiteral("leave %1 out").arg(at.later));
        }
    }

private:
    void add(const QString &place, const QString &reason, const QString &mend)
    {
        problems.append({Problem::Severity::Error, place, reason, mend});
    }

    bool twice(QSet<QString> &seen, const QString &name, const QString &place)
    {
        const bool again = seen.contains(name);
        seen.insert(name);
        if (again)
            add(place, QStringLiteral("it is there twice"), QStringLiteral("keep one of them"));
        return again;
    }

    static QString laterOf(const SettingsKey &k, const At &at, const QString &place)
    {
        return !at.later.isEmpty() ? at.later : k.later ? place : QString();
    }

    /// `adapt` is true where there is a rate (spec 3); without one both values mean the same.
    static bool adaptsNothing(const SettingsKey &k, const JsonNode &limiter)
    {
        if (QLatin1String(k.name) != QLatin1String("limiters.*.adapt"))
            return false;
        const JsonNode *rate = limiter.find(QStringLiteral("rate"));
        const JsonNode *adapt = limiter.find(QStringLiteral("adapt"));
        const bool paced = rate && !rate->isNull() && rate->text != QLatin1String("unlimited");
        return !paced && adapt->kind == JsonNode::Kind::Bool;
    }

    void unknown(const QString &name, const QString &place, const QVector<const SettingsKey *> &known)
    {
        QStringList names;
        QStringList present; // those whose code is here: a mend must hold
        for (const SettingsKey *k : known) {
            names.append(k->last());
            if (!k->later)
                present.append(k->last());
        }
        int distance = 0;
        QString near = nearestName(name, names, &distance);
        if (distance > 2 && !present.isEmpty())
            near = nearestName(name, present);
        const QString other = distance > 2 ? elsewhere(name) : QString();
        add(name.isEmpty()       ? place + QStringLiteral("\"\"")
            : place.size() > 200 ? place.left(200) + QStringLiteral("...")
                                 : place,
            QStringLiteral("there is no such key"),
            QStringLiteral("write %1, or leave it out").arg(other.isEmpty() ? near : other));
    }

    void value(const SettingsKey &k, const JsonNode &v, const At &at)
    {
        if (const auto problem = checkValue(k, v, at.place, at.later))
            problems.append(*problem);
        if (k.type == KeyType::Block && v.isObject())
            block(v, at);
        if (k.type == KeyType::Map && v.isObject())
            map(v, at);
        if (k.type == KeyType::List && v.isList())
            list(k, v, at);
    }

    void map(const JsonNode &v, const At &at)
    {
        const SettingsKey *entry = settingsKey(at.pattern + QStringLiteral(".*"));
        QSet<QString> seen;
        for (std::size_t i = 0; i < v.names.size(); ++i) {
            const QString place = joined(at.place, v.names[i]);
            if (!twice(seen, v.names[i], place))
                value(*entry, v.items[i], {entry->path(), place, at.later});
        }
    }

    void list(const SettingsKey &k, const JsonNode &v, const At &at)
    {
        for (std::size_t i = 0; i < v.items.size(); ++i) {
            const JsonNode &item = v.items[i];
            if (!item.isObject())
                continue; // told at the list
            const QString place = joined(at.place, itemName(v, i, k.id));
            block(item, {at.pattern + QStringLiteral(".*"), place, at.later});
            const QString *id = idOf(item, k.id);
            if (id && place != joined(at.place, *id))
                add(joined(place, QLatin1String(k.id)), QStringLiteral("\"%1\" is there twice").arg(*id),
                    at.later.isEmpty()
                        ? QStringLiteral("give each its own name, for example \"%1-2\"").arg(*id)
                        : QStringLiteral("leave %1 out").arg(at.later));
        }
    }
};

} // namespace

QString itemName(const JsonNode &list, std::size_t index, const char *id)
{
    const QString *name = idOf(list.items[index], id);
    const bool first =
        name && std::none_of(list.items.begin(), list.items.begin() + static_cast<std::ptrdiff_t>(index),
                             [&](const JsonNode &before) {
                                 const QString *other = idOf(before, id);
                                 return other && *other == *name;
                             });
    return first ? *name : QString::number(index);
}

Problems checkKeys(const JsonNode &document)
{
    Walk walk;
    walk.block(document, {});
    return walk.problems;
}

} // namespace muster
