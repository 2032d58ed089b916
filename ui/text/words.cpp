// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/text/words.h"

#include <QCoreApplication>

namespace muster::words {

namespace {

QString text(const char *source)
{
    return QCoreApplication::translate("muster::words", source);
}

Wording wording(const char *word, const char *glyph, Role wordRole, Role fillRole)
{
    return {text(word), QLatin1String(glyph), wordRole, fillRole};
}

} // namespace

Wording of(JobState state)
{
    switch (state) {
    case JobState::Queued:
        return wording("Queued", "queued", Role::BlueWord, Role::BlueFill);
    case JobState::InFlight:
        return wording("In flight", "flight", Role::BlueWord, Role::BlueFill);
    case JobState::Done:
        return wording("Done", "done", Role::OkWord, Role::OkFill);
    case JobState::Failed:
        return wording("Failed", "failed", Role::BadWord, Role::BadFill);
    case JobState::Skipped:
        return wording("Skipped", "skipped", Role::GreyWord, Role::GreyFill);
    case JobState::Duplicate:
        return wording("Duplicate", "duplicate", Role::GreyWord, Role::GreyFill);
    case JobState::Refused:
        return wording("Refused", "refused", Role::GreyWord, Role::GreyFill);
    }
    Q_UNREACHABLE();
}

Wording waitingToRetry()
{
    return wording("Waiting to retry", "retry", Role::WaitWord, Role::WaitFill);
}

Wording of(CrawlState state)
{
    switch (state) {
    case CrawlState::Idle:
        return wording("Idle", "free", Role::Text2, Role::GreyFill);
    case CrawlState::Running:
        return wording("Running", "start", Role::OkWord, Role::OkFill);
    case CrawlState::Paused:
        return wording("Paused", "pause", Role::HeldWord, Role::HeldFill);
    case CrawlState::Draining:
        return wording("Stopping", "stop", Role::BlueWord, Role::BlueFill);
    case CrawlState::Offline:
        return wording("Offline", "warning", Role::WaitWord, Role::WaitFill);
    case CrawlState::Finished:
        return wording("Finished", "done", Role::OkWord, Role::OkFill);
    }
    Q_UNREACHABLE();
}

Wording of(GaugeState state)
{
    switch (state) {
    case GaugeState::Free:
        return wording("Free", "free", Role::Text, Role::BlueFill);
    case GaugeState::Draining:
        return wording("Draining", "draining", Role::BlueWord, Role::BlueFill);
    case GaugeState::Waiting:
        return wording("Waiting", "waiting", Role::WaitWord, Role::WaitFill);
    case GaugeState::Closed:
        return wording("Closed", "closed", Role::BadWord, Role::BadFill);
    case GaugeState::QuotaSpent:
        return wording("Quota spent", "quota", Role::WaitWord, Role::WaitFill);
    case GaugeState::Paused:
        return wording("Paused", "pause", Role::HeldWord, Role::GreyFill);
    case GaugeState::Held:
        return wording("Held", "held", Role::HeldWord, Role::GreyFill);
    case GaugeState::Parked:
        return wording("Parked", "held", Role::HeldWord, Role::GreyFill);
    }
    Q_UNREACHABLE();
}

Wording of(HostState state)
{
    switch (state) {
    case HostState::Open:
        return wording("Open", "free", Role::Text, Role::OkFill);
    case HostState::Closed:
        return of(GaugeState::Closed);
    case HostState::Held:
        return of(GaugeState::Held);
    case HostState::Parked:
        return of(GaugeState::Parked);
    }
    Q_UNREACHABLE();
}

QString of(WaitReason reason)
{
    switch (reason) {
    case WaitReason::Queue:
        return text("the queue");
    case WaitReason::Bucket:
        return text("tokens");
    case WaitReason::Quota:
        return text("a quota");
    case WaitReason::AtOnce:
        return text("a free place");
    case WaitReason::HostClosed:
        return text("a closed host");
    case WaitReason::RetryTime:
        return text("the time to retry");
    case WaitReason::Proxy:
        return text("a proxy");
    case WaitReason::Connection:
        return text("a connection");
    case WaitReason::Connect:
        return text("connecting");
    case WaitReason::FirstByte:
        return text("the first byte");
    case WaitReason::Body:
        return text("the body");
    case WaitReason::Refine:
        return text("refining");
    case WaitReason::Record:
        return text("recording");
    case WaitReason::Held:
        return text("a held host");
    case WaitReason::Hours:
        return text("the hours");
    case WaitReason::Disk:
        return text("disk space");
    case WaitReason::Offline:
        return text("the network");
    }
    Q_UNREACHABLE();
}

} // namespace muster::words
