// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/settings/crosscheck.h"

#include <algorithm>
#include <QSet>
#include <QStringList>

#include "core/settings/documentwalk.h"
#include "core/settings/exportcolumns.h"
#include "core/settings/settingskeys.h"

namespace muster {

bool Findings::clean(const QString &place) const
{
    return std::none_of(m_found.begin(), m_found.end(), [&place](const Problem &p) {
        return p.place == place || p.place.startsWith(place + QLatin1Char('.'));
    });
}

void Findings::error(const QString &place, const QString &reason, const QString &mend)
{
    m_new.append({Problem::Severity::Error, place, reason, mend});
}

void Findings::warning(const QString &place, const QString &reason, const QString &mend)
{
    m_new.append({Problem::Severity::Warning, place, reason, mend});
}

namespace {

void checkCondition(const ErrorCondition &c, const JsonNode &when, const QString &place, Findings &findings)
{
    const auto has = [&when](const char *key) {
        const JsonNode *n = when.find(QLatin1String(key));
        return n && !n->isNull();
    };
    const bool value = has("jsonpath") || has("pointer");
    if (!value && !has("regex") && !has("status")) {
        findings.error(
            place, QStringLiteral("it names nothing to look at"),
            QStringLiteral("add jsonpath, pointer, regex or status, for example \"regex\": \"rate limit\""));
        return;
    }
    for (const char *key : {"jsonpath", "pointer", "regex", "matches"}) {
        if (has(key) && when.find(QLatin1String(key))->text.isEmpty())
            findings.error(
                place + QLatin1Char('.') + QLatin1String(key), QStringLiteral("it is empty"),
                QStringLiteral("write an expression, or leave it out; the whole answer is jsonpath \"$\""));
    }
    for (const char *key : {"equals", "matches", "below", "above"}) {
        if (has(key) && !value && !has("regex"))
            findings.error(place + QLatin1Char('.') + QLatin1String(key),
                           QStringLiteral("there is no value that it could be held against"),
                           QStringLiteral("add jsonpath or pointer, or leave it out"));
    }
    if (c.below && c.above && *c.above >= *c.below)
        findings.error(place + QStringLiteral(".above"),
                       QStringLiteral("no number is above %1 and below %2").arg(*c.above).arg(*c.below),
                       QStringLiteral("write a number below %1, or leave one of them out").arg(*c.below));
}

void checkField(const FieldSettings &f, const QString &place, Findings &findings)
{
    if (isFixedExportColumn(f.name))
        findings.error(place + QStringLiteral(".name"),
                       QStringLiteral("\"%1\" is a fixed column of every export").arg(f.name),
                       QStringLiteral("write another name, for example \"%1-found\"").arg(f.name));
    if (f.name == QLatin1String("host"))
        findings.warning(place + QStringLiteral(".name"),
                         QStringLiteral("in selectors host means the host of a row, not this field"),
                         QStringLiteral("write another name, for example \"host-found\""));
    if (f.expr.isEmpty() && f.from != QLatin1String("pointer"))
        findings.error(place + QStringLiteral(".expr"), QStringLiteral("it is empty"),
                       QStringLiteral("write where the value is, for example \"$.lat\""));
    if (f.match.trimmed().isEmpty())
        findings.error(place + QStringLiteral(".match"),
                       QStringLiteral("it is empty and would match nothing"),
                       QStringLiteral("write \"*\" for all, or leave it out"));
}

void checkColumns(const Settings &s, Findings &findings)
{
    const QString place = QStringLiteral("export.columns");
    if (!findings.clean(place))
        return;
    if (s.exportSettings.columns.isEmpty())
        findings.error(place, QStringLiteral("an export without columns would be empty"),
                       QStringLiteral("name columns, or leave it out (it then is all)"));
    const QStringList groups{QStringLiteral("@fixed"), QStringLiteral("@input"), QStringLiteral("@fields")};
    QSet<QString> seen;
    for (const QString &column : s.exportSettings.columns) {
        if (column.startsWith(QLatin1Char('@')) && !groups.contains(column))
            findings.error(place, QStringLiteral("there is no group \"%1\"").arg(column),
                           QStringLiteral("write \"%1\", or leave it out").arg(nearestName(column, groups)));
        if (column.isEmpty())
            findings.error(place, QStringLiteral("one of the names is empty"),
                           QStringLiteral("leave it out"));
        if (seen.contains(column))
            findings.error(place, QStringLiteral("\"%1\" is there twice").arg(column),
                           QStringLiteral("keep one of them"));
        seen.insert(column);
    }
}

} // namespace

void checkRefining(const JsonNode &document, const Settings &s, Findings &findings)
{
    if (const JsonNode *rules = document.find(QStringLiteral("errorRules")); rules && rules->isList()) {
        for (std::size_t i = 0; i < rules->items.size(); ++i) {
            const QString place = QStringLiteral("errorRules.%1.when").arg(i);
            const JsonNode *when = rules->items[i].find(QStringLiteral("when"));
            if (when && when->isObject() && findings.clean(place))
                checkCondition(s.errorRules[static_cast<qsizetype>(i)].when, *when, place, findings);
        }
    }
    if (const JsonNode *fields = document.find(QStringLiteral("fields")); fields && fields->isList()) {
        for (std::size_t i = 0; i < fields->items.size(); ++i) {
            const QString place = QStringLiteral("fields.") + itemName(*fields, i, "name");
            if (findings.clean(place))
                checkField(s.fields[static_cast<qsizetype>(i)], place, findings);
        }
    }
    checkColumns(s, findings);
    if (s.retry.base > s.retry.max && findings.clean(QStringLiteral("retry")))
        findings.error(QStringLiteral("retry.base"),
                       QStringLiteral("%1 is above retry.max %2").arg(s.retry.base).arg(s.retry.max),
                       QStringLiteral("write a number up to %1, or raise retry.max").arg(s.retry.max));
}

Problems checkTogether(const JsonNode &document, const Settings &settings, const Problems &found)
{
    Findings findings(found);
    checkRequest(settings, findings);
    checkLimiters(document, settings, findings);
    checkRefining(document, settings, findings);
    return findings.take();
}

} // namespace muster
