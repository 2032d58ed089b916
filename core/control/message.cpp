// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/control/message.h"

#include <array>
#include <QJsonDocument>

namespace muster {

namespace {

constexpr std::array<const char *, controlVerbCount> names{
    "status", "why",   "settings", "undo", "import", "proxies", "retry", "skip",   "accept", "first",
    "again",  "pilot", "refine",   "copy", "hold",   "release", "pause", "resume", "stop",   "raise"};

tl::expected<QJsonObject, QString> objectOf(const QByteArray &line)
{
    QJsonParseError error;
    const QJsonDocument document = QJsonDocument::fromJson(line, &error);
    if (error.error != QJsonParseError::NoError)
        return tl::make_unexpected(QStringLiteral("the line is no JSON: ") + error.errorString());
    if (!document.isObject())
        return tl::make_unexpected(QStringLiteral("the line is no JSON object"));
    return document.object();
}

QByteArray lineOf(const QJsonObject &object)
{
    return QJsonDocument(object).toJson(QJsonDocument::Compact) + '\n';
}

} // namespace

const char *controlVerbName(ControlVerb verb)
{
    return names[static_cast<std::size_t>(verb)];
}

std::optional<ControlVerb> controlVerbFromName(QByteArrayView name)
{
    for (std::size_t i = 0; i < names.size(); ++i)
        if (name == QByteArrayView(names[i]))
            return static_cast<ControlVerb>(i);
    return std::nullopt;
}

QByteArray Command::toLine() const
{
    return lineOf(
        {{QStringLiteral("verb"), QLatin1String(controlVerbName(verb))}, {QStringLiteral("args"), args}});
}

tl::expected<Command, QString> Command::fromLine(const QByteArray &line)
{
    const auto object = objectOf(line);
    if (!object)
        return tl::make_unexpected(object.error());
    const QString name = object->value(QLatin1String("verb")).toString();
    const std::optional<ControlVerb> verb = controlVerbFromName(name.toUtf8());
    if (!verb)
        return tl::make_unexpected(QStringLiteral("there is no command \"%1\"").arg(name.left(40)));
    const QJsonValue args = object->value(QLatin1String("args"));
    if (!args.isUndefined() && !args.isObject())
        return tl::make_unexpected(QStringLiteral("\"args\" is no JSON object"));
    return Command{*verb, args.toObject()};
}

QByteArray Reply::toLine() const
{
    QJsonObject object{{QStringLiteral("ok"), ok}};
    if (!data.isEmpty())
        object.insert(QStringLiteral("data"), data);
    if (!ok)
        object.insert(QStringLiteral("error"), error);
    return lineOf(object);
}

tl::expected<Reply, QString> Reply::fromLine(const QByteArray &line)
{
    const auto object = objectOf(line);
    if (!object)
        return tl::make_unexpected(object.error());
    if (!object->value(QLatin1String("ok")).isBool())
        return tl::make_unexpected(QStringLiteral("the answer does not say whether it went well"));
    return Reply{object->value(QLatin1String("ok")).toBool(), object->value(QLatin1String("data")).toObject(),
                 object->value(QLatin1String("error")).toString()};
}

} // namespace muster
