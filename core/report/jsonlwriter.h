// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/linewriter.h"

namespace muster {

/// JSON Lines: {fixed…, "input": {}, "fields": {}} a line. Numbers are numbers, what is not there is null
/// (fixed) or left out (fields); fields are the JSON that refining made, digits kept.
class JsonlWriter final : public LineWriter
{
public:
    void begin(const ColumnPlan &plan, QByteArray &out) override;
    void row(const ColumnPlan &plan, QVector<ExportCell> &cells, QByteArray &out) override;
};

} // namespace muster
