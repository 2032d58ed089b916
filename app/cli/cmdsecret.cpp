// SPDX-License-Identifier: GPL-3.0-or-later
#include <CLI/CLI.hpp>
#include <QFile>
#include <QJsonDocument>
#include <unistd.h>

#include "app/cli/commands.h"
#include "app/cli/remote.h"
#include "app/console.h"
#include "app/secretsource.h"
#include "core/settings/secretallowlist.h"
#include "core/settings/secretfile.h"

namespace muster::cli {

namespace {

struct SecretCommand
{
    std::string name, project;
    std::vector<std::string> hosts;
};

OrStop<Secret> valueFromInput()
{
    QFile in;
    if (!in.open(stdin, QIODevice::ReadOnly))
        return stopWith(ExitCode::Unreadable, QStringLiteral("standard input cannot be read"));
    QByteArray value = in.readLine(64 * 1024);
    while (value.endsWith('\n') || value.endsWith('\r'))
        value.chop(1);
    if (value.isEmpty())
        return stopWith(ExitCode::Usage,
                        QStringLiteral("the value comes on standard input and may not be empty"));
    return Secret(value);
}

OrStop<void> allowHosts(const SecretCommand &c)
{
    return withProject(text(c.project), [&c](Project &project) -> OrStop<void> {
        const auto kept = project.secretHosts();
        if (!kept)
            return stopWith(kept.error());
        auto list = SecretAllowList::fromJson(QJsonDocument::fromJson(*kept).array());
        if (!list)
            return stopWith(ExitCode::Unreadable, sentence(list.error()));
        for (const std::string &host : c.hosts)
            if (const auto problem =
                    list->allow(QByteArray::fromStdString(c.name), QByteArray::fromStdString(host)))
                return stopWith(ExitCode::Usage, sentence(*problem));
        if (const auto set =
                project.setSecretHosts(QJsonDocument(list->toJson()).toJson(QJsonDocument::Compact));
            !set)
            return stopWith(set.error());
        return {};
    });
}

/// With --project and --host alone the value stays as it is stored.
OrStop<void> setSecret(const SecretCommand &c)
{
    if (c.project.empty() != c.hosts.empty())
        return stopWith(
            ExitCode::Usage,
            QStringLiteral(
                "--project and --host go together: which project may send the secret to which host"));
    if (c.project.empty() || ::isatty(STDIN_FILENO) == 0) {
        const auto value = valueFromInput();
        if (!value)
            return tl::unexpected(value.error());
        const QString file = secretPlacesHere({}).storedFile;
        if (const auto problem = storeSecret(file, QByteArray::fromStdString(c.name), *value))
            return stopWith(ExitCode::CannotWrite, sentence(*problem));
        say(QStringLiteral("kept in %1, mode 0600").arg(file));
    }
    return c.project.empty() ? OrStop<void>() : allowHosts(c);
}

} // namespace

void addSecret(CLI::App &app, int &code)
{
    auto *command = app.add_subcommand("secret", "keep a secret for {secret:NAME}");
    command->require_subcommand(1);
    auto c = std::make_shared<SecretCommand>();
    auto *set = command->add_subcommand("set", "the value comes on standard input, never as an argument");
    set->add_option("NAME", c->name, "small letters, digits and _")->required();
    set->add_option("--project", c->project, "the project that may send it");
    set->add_option("--host", c->hosts, "host glob that it may go to");
    set->callback([=, &code] {
        const auto done = setSecret(*c);
        code = done ? endWith(ExitCode::Ok) : endWith(done.error());
    });
}

} // namespace muster::cli
