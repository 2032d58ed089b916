// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/exitcode.h"
#include "core/job/intakerow.h"
#include "core/team/overwatch.h"
#include "core/view/checker.h"

namespace muster {

/// What the team follows, from a checked document.
Orders ordersFrom(const Checked &checked);

/// Checks a project's document; its problems as one exit with a line for each.
OrStop<Checked> checkedOrStop(const QByteArray &document);

/// The same for a document that a project is to have: also against the columns of its rows.
OrStop<Checked> checkedFor(const QString &project, const QByteArray &document);

/// Whether two documents make the same requests of the same rows.
bool sameTemplate(const Settings &a, const Settings &b);

/// How a row's request is made anew when the template changes: by the same rules as at import.
IntakeRow renderedAnew(const Checked &checked, const Job &job);

} // namespace muster
