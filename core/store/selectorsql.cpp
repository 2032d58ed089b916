// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/selectorsql.h"

#include "core/job/failure.h"

namespace muster {

namespace {

bool isGlob(const QByteArray &v)
{
    return v.contains('*') || v.contains('?');
}

bool isNumberKey(const QByteArray &key)
{
    return key == "code" || key == "batch" || key == "run" || key == "row";
}

/// `column` is text of ours.
QString textTest(const QString &column, const QByteArray &value, QVariantList &values)
{
    if (!isGlob(value)) {
        values << QString::fromUtf8(value);
        return column + QStringLiteral("=?");
    }
    QByteArray pattern = value;
    pattern.replace('[', "[[]"); // SQLite's sets are not ours
    values << QString::fromUtf8(pattern);
    return column + QStringLiteral(" GLOB ?");
}

QString numberColumn(const QByteArray &key)
{
    if (key == "code")
        return QStringLiteral("o.code");
    if (key == "batch")
        return QStringLiteral("coalesce(a.batch, 0)");
    return key == "run" ? QStringLiteral("o.run") : QStringLiteral("a.row");
}

/// 5*, 10-20; plain numbers are dealt with before.
QString numberTest(const QString &column, const QByteArray &value, QVariantList &values)
{
    if (const qsizetype dash = value.indexOf('-'); dash > 0) {
        bool ok = false;
        bool also = false;
        const qint64 low = value.left(dash).toLongLong(&ok);
        const qint64 high = value.mid(dash + 1).toLongLong(&also);
        if (ok && also) {
            values << low << high;
            return column + QStringLiteral(" BETWEEN ? AND ?");
        }
    }
    return textTest(QStringLiteral("CAST(%1 AS TEXT)").arg(column), value, values);
}

/// Names to the stored numbers of the kinds that fit.
QString kindTest(const QByteArray &value, QVariantList &values)
{
    QStringList marks;
    const auto take = [&](std::size_t k) {
        marks << QStringLiteral("?");
        values << static_cast<int>(k);
    };
    for (std::size_t k = 1; k < failureKindCount; ++k) {
        const QByteArray name(failureKindName(static_cast<FailureKind>(k)));
        if (globMatches(value, name))
            take(k);
    }
    return marks.isEmpty() ? QStringLiteral("0") : QStringLiteral("o.kind IN (%1)").arg(marks.join(u','));
}

QString test(const Selector::Term &t, const QByteArray &v, QVariantList &values)
{
    if (t.field) {
        // A quoted label: names of fields may hold dots.
        values << QStringLiteral("$.\"%1\"").arg(QString::fromUtf8(t.key));
        const QString column = QStringLiteral(
            "coalesce((SELECT CAST(json_extract(x.fields, ?) AS TEXT) FROM result x WHERE x.row=o.row AND "
            "x.fields IS NOT NULL ORDER BY x.run DESC LIMIT 1), '')");
        return textTest(column, v, values);
    }
    if (t.key == "state")
        return textTest(QStringLiteral("a.state"), v, values);
    if (t.key == "kind")
        return kindTest(v, values);
    if (isNumberKey(t.key))
        return numberTest(numberColumn(t.key), v, values);
    if (t.key == "host") {
        QVariantList one;
        const QString name = textTest(QStringLiteral("h.name"), v, one);
        values << one;
        return QStringLiteral("a.host IN (SELECT h.host FROM host h WHERE %1)").arg(name);
    }
    if (t.key == "proxy")
        return textTest(QStringLiteral("coalesce(o.proxy, '')"), v, values);
    return textTest(QStringLiteral("a.url"), v, values);
}

} // namespace

SelectorSql toSql(const Selector &where)
{
    SelectorSql sql;
    QStringList all;
    for (const Selector::Term &t : where.terms) {
        QStringList any;
        QByteArray numbers; // thousands of selected rows are one bound list
        for (const QByteArray &v : t.values) {
            bool plain = false;
            const qint64 n = v.toLongLong(&plain);
            if (plain && !t.field && isNumberKey(t.key))
                numbers += (numbers.isEmpty() ? "[" : ",") + QByteArray::number(n);
            else
                any << test(t, v, sql.values);
        }
        if (!numbers.isEmpty()) {
            any << numberColumn(t.key) + QStringLiteral(" IN (SELECT value FROM json_each(?))");
            sql.values << QString::fromLatin1(numbers + ']');
        }
        all << QStringLiteral("%1(%2)").arg(t.negated ? QStringLiteral("NOT ") : QString(),
                                            any.join(QStringLiteral(" OR ")));
    }
    sql.condition = all.isEmpty() ? QStringLiteral("1") : all.join(QStringLiteral(" AND "));
    return sql;
}

} // namespace muster
