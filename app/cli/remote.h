// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <optional>
#include <QJsonObject>
#include <QString>

#include "app/exitcode.h"
#include "core/store/project.h"

namespace muster::cli {

/// What the project's living writer answered; nothing where nobody writes it.
using Answered = std::optional<QJsonObject>;

/// Asks the writer of this project to carry out a verb; waits for its answer (5 s at most: exit 7).
OrStop<Answered> askWriter(const QString &project, const QByteArray &verb, const QJsonObject &arguments = {});

/// Opens the project for one change where nobody else writes it; holds the lock for as long as the call
/// takes.
OrStop<void> withProject(const QString &project, const std::function<OrStop<void>(Project &)> &work);

} // namespace muster::cli
