// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/view/checker.h"

#include <algorithm>
#include <QRegularExpression>

#include "core/intake/encodingfinder.h"
#include "core/settings/document.h"
#include "core/settings/exportcolumns.h"

namespace muster {

namespace {

Problem mistake(const QString &place, const QString &reason, const QString &mend)
{
    return {Problem::Severity::Error, place, reason, mend};
}

/// A template that names its own scheme is tried once with invented values: what is wrong with it then is
/// wrong with every row.
Problems triedOut(const Settings &settings, const RequestTemplate &requestTemplate)
{
    static const QRegularExpression ownScheme(QStringLiteral("^[A-Za-z][A-Za-z0-9+.-]*:"));
    if (!ownScheme.match(settings.request.url).hasMatch())
        return {};
    const auto names = std::make_shared<const QVector<QByteArray>>(requestTemplate.columns());
    const InputColumns input(names, QVector<QByteArray>(names->size(), QByteArrayLiteral("1")));
    const auto made = requestTemplate.render(QByteArrayLiteral("http://host.example/"), input);
    if (made)
        return {};
    return {mistake(QStringLiteral("request.url"), made.error().section(QStringLiteral("; "), 0, 0),
                    made.error().section(QStringLiteral("; "), 1))};
}

Problems inputMistakes(const InputSettings &input)
{
    if (input.encoding == QLatin1String("auto") || isKnownEncoding(input.encoding.toUtf8()))
        return {};
    return {mistake(QStringLiteral("input.encoding"),
                    QStringLiteral("\"%1\" is no encoding known here").arg(input.encoding),
                    QStringLiteral("write \"auto\", or a name such as UTF-8, GB18030, windows-1254"))};
}

bool isExported(const QString &name, const Settings &settings, const QVector<QByteArray> &columns)
{
    const bool field = std::any_of(settings.fields.begin(), settings.fields.end(),
                                   [&](const FieldSettings &f) { return f.name == name; });
    const QByteArray plain = name.startsWith(QLatin1String("in.")) ? name.mid(3).toUtf8() : name.toUtf8();
    return field || name.startsWith(QLatin1Char('@')) || isFixedExportColumn(name) ||
           columns.contains(name.toUtf8()) || columns.contains(plain);
}

} // namespace

Problems checkBeside(const Checked &checked, const QVector<QByteArray> &columns)
{
    Problems problems;
    if (checked.requestTemplate)
        for (const QByteArray &name : checked.requestTemplate->missingColumns(columns))
            problems += mistake(QStringLiteral("request"),
                                QStringLiteral("there is no column \"%1\"").arg(QString::fromUtf8(name)),
                                QStringLiteral("the imported rows have: ") +
                                    QString::fromUtf8(columns.toList().join(", ")));
    for (const QString &name : checked.settings.exportSettings.columns)
        if (!isExported(name, checked.settings, columns))
            problems += mistake(
                QStringLiteral("export.columns"), QStringLiteral("there is no column \"%1\"").arg(name),
                QStringLiteral("take it out, or write the name of a field or an input column"));
    return problems;
}

Checked checkDocument(const QByteArray &json)
{
    Checked out;
    auto parsed = parseSettings(json);
    if (!parsed) {
        out.problems = std::move(parsed.error());
        return out;
    }
    out.settings = std::move(parsed->settings);
    auto compiled = RequestTemplate::compile(out.settings);
    auto rules = compileRules(out.settings);
    if (!compiled)
        out.problems += compiled.error();
    if (!rules)
        out.problems += rules.error();
    if (compiled)
        out.problems += triedOut(out.settings, *compiled);
    out.problems += inputMistakes(out.settings.input);
    const bool wrong = hasErrors(out.problems);
    out.problems += parsed->warnings;
    if (!wrong) {
        out.requestTemplate = std::move(*compiled);
        out.rules = std::move(*rules);
    }
    return out;
}

} // namespace muster
