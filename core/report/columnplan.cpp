// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/columnplan.h"

#include <QHash>
#include <QSet>
#include <QStringList>

namespace muster {

namespace {

using Kind = ExportColumn::Kind;

/// `name`, or NAME.2, NAME.3 … where it is taken.
QByteArray unique(const QByteArray &name, QSet<QByteArray> &taken)
{
    QByteArray out = name;
    for (int n = 2; taken.contains(out); ++n)
        out = name + '.' + QByteArray::number(n);
    taken.insert(out);
    return out;
}

QVector<ExportColumn> allColumns(std::span<const FixedColumn> fixed, const QVector<QByteArray> &inputs,
                                 const QVector<QByteArray> &fields)
{
    QVector<ExportColumn> out;
    QSet<QByteArray> taken;
    QSet<QByteArray> fixedNames;
    for (const FixedColumn &column : fixed) {
        const QByteArray name(column.name);
        fixedNames.insert(name);
        out.append({Kind::Fixed, int(out.size()), name, unique(name, taken), 0});
    }
    QHash<QByteArray, int> seen;
    for (qsizetype i = 0; i < inputs.size(); ++i) {
        QByteArray head = inputs[i];
        if (head.isEmpty())
            head = "column" + QByteArray::number(i + 1);
        else if (fixedNames.contains(QString::fromUtf8(head).toLower().toUtf8()))
            head = "in." + head;
        out.append({Kind::Input, int(i), inputs[i], unique(head, taken), seen[inputs[i]]++});
    }
    for (qsizetype i = 0; i < fields.size(); ++i)
        out.append({Kind::Field, int(i), fields[i], unique(fields[i], taken), 0});
    return out;
}

std::optional<Kind> groupOf(const QString &name)
{
    if (name == QLatin1String("@fixed"))
        return Kind::Fixed;
    if (name == QLatin1String("@input"))
        return Kind::Input;
    if (name == QLatin1String("@fields"))
        return Kind::Field;
    return std::nullopt;
}

Problem unknown(const QString &name, const QVector<ExportColumn> &all)
{
    QStringList names;
    for (const ExportColumn &column : all)
        names.append(QString::fromUtf8(column.header));
    return {Problem::Severity::Error, QStringLiteral("--columns"),
            QStringLiteral("there is no column \"%1\"").arg(name),
            QStringLiteral("write names out of %1, or @fixed, @input, @fields")
                .arg(names.join(QStringLiteral(", ")))};
}

} // namespace

tl::expected<ColumnPlan, Problem> ColumnPlan::make(std::span<const FixedColumn> fixed,
                                                   const QVector<QByteArray> &inputs,
                                                   const QVector<QByteArray> &fields,
                                                   const QVector<QString> &wanted)
{
    const QVector<ExportColumn> all = allColumns(fixed, inputs, fields);
    ColumnPlan plan;
    QSet<QByteArray> added;
    const auto add = [&plan, &added](const ExportColumn &column) {
        if (added.contains(column.header))
            return;
        added.insert(column.header);
        plan.m_columns.append(column);
    };
    for (const QString &name : wanted) {
        const std::optional<Kind> group = groupOf(name);
        const QByteArray head = name.toUtf8();
        bool found = false;
        for (const ExportColumn &column : all) {
            if (group ? column.kind != *group : column.header != head)
                continue;
            add(column);
            found = true;
        }
        if (!found && !group)
            return tl::unexpected(unknown(name, all));
    }
    if (plan.m_columns.isEmpty())
        return tl::unexpected(Problem{Problem::Severity::Error, QStringLiteral("--columns"),
                                      QStringLiteral("no column is left"),
                                      QStringLiteral("name at least one, such as row or @fixed")});
    return plan;
}

bool ColumnPlan::has(ExportColumn::Kind kind) const
{
    return std::any_of(m_columns.begin(), m_columns.end(),
                       [kind](const ExportColumn &column) { return column.kind == kind; });
}

} // namespace muster
