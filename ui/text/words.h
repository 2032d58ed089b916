// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "core/job/failure.h"
#include "core/job/jobstate.h"
#include "core/job/snapshot.h"
#include "core/job/timings.h"
#include "ui/palette/roles.h"

namespace muster {

/// How a gauge stands: made by ui/widgets/gaugedata from limiter, host and crawl.
enum class GaugeState : quint8 { Free, Draining, Waiting, Closed, QuotaSpent, Paused, Held, Parked };

/// How a thing is shown: the word, the glyph beside it, its colours. State is always all three.
struct Wording
{
    QString word;
    QString glyph; ///< name of an own icon
    Role wordRole = Role::Text;
    Role fillRole = Role::BlueFill;
};

/// The one place where enums become words, glyphs and colours (spec words, look.md 6). Translated text; the
/// English for files and logs is elsewhere.
namespace words {

Wording of(JobState state);
Wording waitingToRetry();
Wording of(CrawlState state);
Wording of(GaugeState state);
Wording of(HostState state);

/// "No first byte": the phrase for people; the exact key stands beside it (failureKindName).
QString of(FailureKind kind);
/// One sentence on what such a failure means for the person who sees it.
QString meaning(FailureKind kind);
QString of(WaitReason reason);

} // namespace words

} // namespace muster
