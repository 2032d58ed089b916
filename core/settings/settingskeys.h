// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <QByteArray>
#include <QString>
#include <QVector>
#include <vector>

#include "core/settings/jsonnode.h"

namespace muster {

/// What a key's value is. `words` may add single words to any of them ("auto").
enum class KeyType : quint8 {
    Block, ///< members of its own
    List,  ///< blocks, by name, id or index
    Map,   ///< texts under free names
    Text,
    Bool,
    Integer,   ///< from `low` to `high`
    Number,    ///< from `low` to `high`
    Choice,    ///< one of `words`
    Name,      ///< [a-z0-9_-]+
    Rate,      ///< "10/s" (rate.h)
    Statuses,  ///< list of 404, "520-524", "2xx"
    Status,    ///< one of those
    Codes,     ///< list of single statuses
    Texts,     ///< list of texts
    Cost,      ///< a whole number or the name of an input column
    Separator, ///< one character
    Scalar,    ///< text, number, true, false or null
};

/// One row of the one table of settings keys: the defaults, `check`, the manual and the dialogs are made from
/// it. `*` in a name stands for a list's item or a map's entry. Constant data; any thread.
struct SettingsKey
{
    const char *name = ""; ///< "limiters.*.rate"
    KeyType type = KeyType::Text;
    const char *unit = "";     ///< "s", "MiB", "%"
    const char *fallback = ""; ///< the default as JSON; empty: none, absent means "not set"
    double low = 0;
    double high = 0;
    const char *words = "";      ///< separated by |
    const char *laterWords = ""; ///< words whose code comes later
    const char *example = "";    ///< a good value as JSON; empty: the default
    const char *zero = "";       ///< what a person who writes 0 may have wanted
    const char *id = "";         ///< of a list: the member that names an item
    bool later = false;          ///< accepted only at its default for now
    bool nullable = false;       ///< null is the same as leaving it out
    bool required = false;       ///< in its block
    const char *help = "";

    QString path() const { return QString::fromLatin1(name); }
    QString last() const; ///< the part after the last dot
    bool isContainer() const;
    bool hasRange() const
    {
        return type == KeyType::Integer || type == KeyType::Number || type == KeyType::Cost;
    }
    /// A value that passes on its own: the example, else the default.
    QByteArray goodValue() const;
    QStringList wordList() const { return split(words); }
    QStringList wordsNow() const; ///< without those that come later
    QStringList laterWordList() const { return split(laterWords); }

private:
    static QStringList split(const char *list);
};

/// All rows, in the order of spec 11, blocks before their members.
const std::vector<SettingsKey> &settingsKeys();
/// The row of a pattern such as `limiters.*.rate`, or null.
const SettingsKey *settingsKey(const QString &pattern);
/// The rows directly below a pattern; of the whole document for an empty one.
QVector<const SettingsKey *> settingsKeysBelow(const QString &pattern);
/// A document of the defaults alone, in order; lists as their defaults, blocks that are off as null.
const JsonNode &defaultDocument();

/// The known name nearest to what was written, by edit distance (swapped neighbours count once).
QString nearestName(const QString &written, const QStringList &known, int *distance = nullptr);

/// "a whole number from 1 to 100000" - what `check` and the manual say about a key.
QString expectation(const SettingsKey &key);
/// The manual of all keys as plain text, at most 100 characters a line.
QString settingsManual();

} // namespace muster
