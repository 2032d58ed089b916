// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/settings/jsonnode.h"
#include "core/settings/problem.h"
#include "core/settings/settings.h"

namespace muster {

/// What belongs together inside one document, errors and warnings: cost within burst, names of fields and
/// columns, headers, method and body, rates that stand in each other's way. `found` are the problems of the
/// single keys: what already has one is not told twice.
Problems checkTogether(const JsonNode &document, const Settings &settings, const Problems &found);

/// The parts of it; `clean(place)` says that no single key at or below that place has a problem.
class Findings final
{
public:
    explicit Findings(const Problems &found)
        : m_found(found)
    {}
    bool clean(const QString &place) const;
    void error(const QString &place, const QString &reason, const QString &mend);
    void warning(const QString &place, const QString &reason, const QString &mend);
    Problems take() { return std::move(m_new); }

private:
    const Problems &m_found;
    Problems m_new;
};

void checkRequest(const Settings &settings, Findings &findings);
void checkLimiters(const JsonNode &document, const Settings &settings, Findings &findings);
void checkRefining(const JsonNode &document, const Settings &settings, Findings &findings);

} // namespace muster
