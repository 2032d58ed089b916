// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/settings/settingskeys.h"

#include <algorithm>
#include <numeric>
#include <QStringList>

#include "core/settings/keytables.h"

namespace muster {

QString SettingsKey::last() const
{
    const QString p = path();
    return p.mid(p.lastIndexOf(QLatin1Char('.')) + 1);
}

bool SettingsKey::isContainer() const
{
    return type == KeyType::Block || type == KeyType::List || type == KeyType::Map;
}

QByteArray SettingsKey::goodValue() const
{
    if (type == KeyType::Block && *fallback == '\0' && *example == '\0')
        return "{}";
    return later || *example == '\0' ? QByteArray(fallback) : QByteArray(example);
}

QStringList SettingsKey::wordsNow() const
{
    QStringList now = wordList();
    now.removeIf([later = laterWordList()](const QString &w) { return later.contains(w); });
    return now;
}

QStringList SettingsKey::split(const char *list)
{
    return QString::fromLatin1(list).split(QLatin1Char('|'), Qt::SkipEmptyParts);
}

const std::vector<SettingsKey> &settingsKeys()
{
    static const std::vector<SettingsKey> all = [] {
        std::vector<SettingsKey> keys;
        for (const auto &rows : {keytables::base(), keytables::request(), keytables::limiters(),
                                 keytables::hosts(), keytables::refine(), keytables::rest()})
            keys.insert(keys.end(), rows.begin(), rows.end());
        return keys;
    }();
    return all;
}

const SettingsKey *settingsKey(const QString &pattern)
{
    const QByteArray wanted = pattern.toLatin1();
    const auto &keys = settingsKeys();
    const auto it = std::find_if(keys.begin(), keys.end(), [&wanted](const SettingsKey &k) {
        return QByteArrayView(k.name) == QByteArrayView(wanted);
    });
    return it == keys.end() ? nullptr : &*it;
}

QVector<const SettingsKey *> settingsKeysBelow(const QString &pattern)
{
    const QByteArray prefix = pattern.isEmpty() ? QByteArray() : pattern.toLatin1() + '.';
    QVector<const SettingsKey *> below;
    for (const SettingsKey &k : settingsKeys()) {
        const QByteArrayView name(k.name);
        if (name.startsWith(prefix) && !name.sliced(prefix.size()).contains('.'))
            below.append(&k);
    }
    return below;
}

namespace {

JsonNode defaultsOf(const QString &pattern)
{
    JsonNode block = JsonNode::object();
    for (const SettingsKey *k : settingsKeysBelow(pattern)) {
        if (*k->fallback != '\0')
            block.set(k->last(), *parseJson(k->fallback));
        else if (k->type == KeyType::Block)
            block.set(k->last(), defaultsOf(k->path()));
    }
    return block;
}

/// Damerau-Levenshtein, restricted: https://en.wikipedia.org/wiki/Damerau-Levenshtein_distance
int editDistance(const QString &a, const QString &b)
{
    const auto width = static_cast<std::size_t>(b.size()) + 1;
    std::vector<int> before(width), above(width), row(width);
    std::iota(above.begin(), above.end(), 0);
    for (qsizetype i = 1; i <= a.size(); ++i) {
        row[0] = static_cast<int>(i);
        for (qsizetype j = 1; j <= b.size(); ++j) {
            const auto at = static_cast<std::size_t>(j);
            const int differs = a[i - 1] == b[j - 1] ? 0 : 1;
            row[at] = std::min({above[at] + 1, row[at - 1] + 1, above[at - 1] + differs});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[at] = std::min(row[at], before[at - 2] + 1);
        }
        std::swap(before, above);
        std::swap(above, row);
    }
    return above.back();
}

} // namespace

const JsonNode &defaultDocument()
{
    static const JsonNode document = defaultsOf(QString());
    return document;
}

QString nearestName(const QString &written, const QStringList &known, int *distance)
{
    // A hostile name of megabytes would cost time and is near nothing.
    const QString lower = written.left(100).toLower();
    QString best;
    int least = std::numeric_limits<int>::max();
    for (const QString &k : known) {
        if (const int d = editDistance(lower, k.toLower()); d < least) {
            least = d;
            best = k;
        }
    }
    if (distance)
        *distance = least;
    return best;
}

} // namespace muster
