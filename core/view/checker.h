// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <QByteArray>

#include "core/intake/template.h"
#include "core/refine/ruleset.h"
#include "core/settings/problem.h"
#include "core/settings/settings.h"

namespace muster {

/// A settings document looked at from every side: keys and ranges, the request template, the rules. What a
/// crawl starts from, what `check` prints, what a dialog shows under its fields. A value.
struct Checked
{
    Settings settings;
    std::optional<RequestTemplate> requestTemplate; ///< absent where there are errors
    std::shared_ptr<const RuleSet> rules;           ///< likewise
    Problems problems;                              ///< errors first, then warnings

    bool ok() const { return requestTemplate.has_value() && rules != nullptr; }
};

/// What a document alone cannot tell: columns that its template or its export names and the imported rows
/// lack. `columns`: of all batches; empty where nothing but lists was imported.
Problems checkBeside(const Checked &checked, const QVector<QByteArray> &columns);

/// Every mistake of the document at once, each with its key, its reason and its mend. Pure; any thread.
Checked checkDocument(const QByteArray &json);

} // namespace muster
