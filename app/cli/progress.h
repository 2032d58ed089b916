// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "core/job/snapshot.h"
#include "core/report/statusjson.h"

namespace muster::cli {

/// Shows a running crawl on standard error (a bar on a terminal, a line each 10 s elsewhere) or as JSON lines
/// on standard output, one a second. Fed with every snapshot; keeps its own pace by the snapshots' time.
class Progress final
{
public:
    enum class Kind { Bar, Lines, Json, None };

    /// `auto bar lines json none`; auto: a bar on a terminal, lines elsewhere.
    static Kind kindOf(const std::string &name);
    Progress(Kind kind, WriterInfo writer);
    void show(const Snapshot &snapshot);
    /// The last state, whatever the pace; ends the bar's line.
    void close(const Snapshot &snapshot);

private:
    void line(const Snapshot &snapshot);
    void bar(const Snapshot &snapshot);

    const Kind m_kind;
    const WriterInfo m_writer;
    Utc m_next{};
    bool m_barOpen = false;
};

} // namespace muster::cli
