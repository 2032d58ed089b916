// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/exitcode.h"
#include "core/intake/template.h"
#include "core/settings/secretallowlist.h"
#include "core/settings/secretlookup.h"

namespace muster {

/// Looks the template's secrets up in this process's environment (spec 9). Lacking ones end the start with
/// their names: a crawl that sends `{secret:key}` unexpanded would waste every request.
OrStop<SecretLookup> secretsFor(const RequestTemplate &requestTemplate, const QString &secretsFile);

/// Stored secrets that this project may not send to the host that its template names: found before the first
/// request. A template whose host is a column's is looked at when each request is made.
Problems secretHostProblems(const Settings &settings, const SecretLookup &lookup,
                            const SecretAllowList &allowed);

/// The places of this process: its environment, read once here and nowhere else.
SecretPlaces secretPlacesHere(const QString &secretsFile);

} // namespace muster
