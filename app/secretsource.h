// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/exitcode.h"
#include "core/intake/template.h"
#include "core/settings/secretlookup.h"

namespace muster {

/// Looks the template's secrets up in this process's environment (spec 9). Lacking ones end the start with
/// their names: a crawl that sends `{secret:key}` unexpanded would waste every request.
OrStop<SecretLookup> secretsFor(const RequestTemplate &requestTemplate, const QString &secretsFile);

/// The places of this process: its environment, read once here and nowhere else.
SecretPlaces secretPlacesHere(const QString &secretsFile);

} // namespace muster
