// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "app/console.h"

namespace muster::cli {

/// Options of a command whose code comes later: accepted by the parser, so that the answer is a sentence and
/// not "unknown option". Kept beside the command's own options.
class LaterOptions final
{
public:
    void add(CLI::App *command, const std::string &option)
    {
        command->add_option(option, m_values.emplace_back(), "comes with a later version")->expected(0, 1);
        m_options.push_back(command->get_option(option));
    }
    /// True where one of them was used; says which.
    bool used() const
    {
        for (const CLI::Option *o : m_options)
            if (o->count() > 0) {
                say(QStringLiteral("%1 comes with a later version")
                        .arg(QString::fromStdString(o->get_name())));
                return true;
            }
        return false;
    }

private:
    std::list<std::vector<std::string>> m_values; ///< the parser keeps pointers to them
    std::vector<CLI::Option *> m_options;
};

} // namespace muster::cli
