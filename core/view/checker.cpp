// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/view/checker.h"

#include "core/settings/document.h"

namespace muster {

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
    out.problems += parsed->warnings;
    if (compiled && rules) {
        out.requestTemplate = std::move(*compiled);
        out.rules = std::move(*rules);
    }
    return out;
}

} // namespace muster
