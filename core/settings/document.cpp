// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/settings/document.h"

#include "core/settings/crosscheck.h"
#include "core/settings/documentread.h"
#include "core/settings/documentwalk.h"
#include "core/settings/keycheck.h"
#include "core/settings/settingskeys.h"

namespace muster {

namespace {

/// A document of another version is not read at all: its keys may mean something else.
std::optional<Problem> otherVersion(const JsonNode &document)
{
    const SettingsKey &key = *settingsKey(QStringLiteral("version"));
    const JsonNode *version = document.find(key.path());
    if (!version)
        return std::nullopt;
    auto problem = checkValue(key, *version, key.path(), QString());
    if (problem && version->isNumber() && version->number > 1)
        problem->mend =
            QStringLiteral("open it with a newer Muster, or write the version of this one, for example 1");
    return problem;
}

} // namespace

tl::expected<ParsedSettings, Problems> parseSettings(const QByteArray &json)
{
    const auto document = parseJson(json);
    if (!document)
        return tl::unexpected(Problems{document.error()});
    if (!document->isObject())
        return tl::unexpected(Problems{{Problem::Severity::Error, QStringLiteral("document"),
                                        shown(*document) + QStringLiteral(" is no block of settings"),
                                        QStringLiteral("write keys and values in { }, for example {}")}});
    if (const auto problem = otherVersion(*document))
        return tl::unexpected(Problems{*problem});
    Problems problems = checkKeys(*document);
    Settings settings = readDocument(*document);
    problems += checkTogether(*document, settings, problems);
    if (hasErrors(problems))
        return tl::unexpected(problems);
    return ParsedSettings{std::move(settings), std::move(problems)};
}

QByteArray settingsToJson(const Settings &settings)
{
    return documentOf(settings).toIndentedJson();
}

} // namespace muster
