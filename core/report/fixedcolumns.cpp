// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/fixedcolumns.h"

#include <charconv>
#include <numeric>

#include "core/job/describe.h"

namespace muster {

namespace {

using Form = FixedColumn::Form;

void number(qint64 n, QByteArray &out)
{
    char digits[24];
    const auto end = std::to_chars(digits, digits + sizeof digits, n).ptr;
    out.append(digits, end - digits);
}

/// Numbers of things count from 1: 0 means that there is none.
void numberOrNone(qint64 n, QByteArray &out)
{
    if (n != 0)
        number(n, out);
}

qint64 sum(const Waits &waits)
{
    return std::accumulate(waits.ms.begin(), waits.ms.end(), qint64(0));
}

void triedMs(const RowView &row, qint32 ms, QByteArray &out)
{
    if (row.attempts > 0)
        number(ms, out);
}

bool always(const ExportLine &)
{
    return true;
}
/// The URL of a found page came from the net, that of a row from its list.
bool foundPage(const ExportLine &line)
{
    return line.row->batch == 0;
}

// clang-format off
constexpr FixedColumn rowColumns[] = {
    {"row", Form::Number, nullptr, [](const ExportLine &l, QByteArray &o) { number(l.row->row, o); }},
    {"record", Form::Number, nullptr, [](const ExportLine &l, QByteArray &o) { numberOrNone(l.record + 1, o); }},
    {"batch", Form::Number, nullptr, [](const ExportLine &l, QByteArray &o) { numberOrNone(l.row->batch, o); }},
    {"line", Form::Number, nullptr, [](const ExportLine &l, QByteArray &o) { numberOrNone(l.row->line, o); }},
    {"url", Form::Text, foundPage, [](const ExportLine &l, QByteArray &o) { o += l.row->url; }},
    {"state", Form::Text, nullptr, [](const ExportLine &l, QByteArray &o) { o += jobStateName(l.row->state); }},
    {"code", Form::Number, nullptr, [](const ExportLine &l, QByteArray &o) { numberOrNone(l.row->code, o); }},
    {"first_code", Form::Number, nullptr, [](const ExportLine &l, QByteArray &o) { numberOrNone(l.row->firstCode, o); }},
    {"redirects", Form::Number, nullptr, [](const ExportLine &l, QByteArray &o) { triedMs(*l.row, l.row->redirects, o); }},
    {"kind", Form::Text, nullptr, [](const ExportLine &l, QByteArray &o) { o += failureKindName(l.row->failure.kind); }},
    {"error", Form::Text, always, [](const ExportLine &l, QByteArray &o) { o += describe(l.row->failure).toUtf8(); }},
    {"final_url", Form::Text, always, [](const ExportLine &l, QByteArray &o) { o += l.row->finalUrl; }},
    {"content_type", Form::Text, always, [](const ExportLine &l, QByteArray &o) { o += l.row->contentType; }},
    {"bytes", Form::Number, nullptr, [](const ExportLine &l, QByteArray &o) { if (l.row->bytes >= 0) number(l.row->bytes, o); }},
    {"attempts", Form::Number, nullptr, [](const ExportLine &l, QByteArray &o) { number(l.row->attempts, o); }},
    {"started_at", Form::Text, nullptr, [](const ExportLine &l, QByteArray &o) { appendTime(l.row->timings.startedAt, o); }},
    {"wait_ms", Form::Number, nullptr, [](const ExportLine &l, QByteArray &o) { number(sum(l.row->waits), o); }},
    {"connect_ms", Form::Number, nullptr, [](const ExportLine &l, QByteArray &o) { triedMs(*l.row, l.row->timings.connectMs, o); }},
    {"first_byte_ms", Form::Number, nullptr, [](const ExportLine &l, QByteArray &o) { triedMs(*l.row, l.row->timings.firstByteMs, o); }},
    {"body_ms", Form::Number, nullptr, [](const ExportLine &l, QByteArray &o) { triedMs(*l.row, l.row->timings.bodyMs, o); }},
    {"total_ms", Form::Number, nullptr, [](const ExportLine &l, QByteArray &o) { triedMs(*l.row, l.row->timings.totalMs, o); }},
    {"proxy", Form::Text, nullptr, [](const ExportLine &l, QByteArray &o) { o += l.row->proxy; }},
    {"found_on", Form::Number, nullptr, [](const ExportLine &l, QByteArray &o) { numberOrNone(l.row->foundOn, o); }},
    {"depth", Form::Number, nullptr, [](const ExportLine &l, QByteArray &o) { number(l.row->depth, o); }},
    {"run", Form::Number, nullptr, [](const ExportLine &l, QByteArray &o) { numberOrNone(l.row->run, o); }},
    {"seq", Form::Number, nullptr, [](const ExportLine &l, QByteArray &o) { numberOrNone(l.row->seq, o); }},
};

constexpr FixedColumn attemptColumns[] = {
    {"row", Form::Number, nullptr, [](const ExportLine &l, QByteArray &o) { number(l.attempt->row, o); }},
    {"attempt", Form::Number, nullptr, [](const ExportLine &l, QByteArray &o) { number(l.attempt->number, o); }},
    {"url", Form::Text, foundPage, [](const ExportLine &l, QByteArray &o) { o += l.row->url; }},
    {"asked_url", Form::Text, always, [](const ExportLine &l, QByteArray &o) { o += l.attempt->record.url; }},
    {"code", Form::Number, nullptr, [](const ExportLine &l, QByteArray &o) { numberOrNone(l.attempt->record.code, o); }},
    {"kind", Form::Text, nullptr, [](const ExportLine &l, QByteArray &o) { o += failureKindName(l.attempt->record.failure.kind); }},
    {"error", Form::Text, always, [](const ExportLine &l, QByteArray &o) { o += describe(l.attempt->record.failure).toUtf8(); }},
    {"counted", Form::Text, nullptr, [](const ExportLine &l, QByteArray &o) { o += l.attempt->record.counted ? "true" : "false"; }},
    {"sends", Form::Number, nullptr, [](const ExportLine &l, QByteArray &o) { number(l.attempt->record.sends, o); }},
    {"redirects", Form::Number, nullptr, [](const ExportLine &l, QByteArray &o) { number(l.attempt->record.hops.size(), o); }},
    {"bytes", Form::Number, nullptr, [](const ExportLine &l, QByteArray &o) { number(l.attempt->record.bytes, o); }},
    {"started_at", Form::Text, nullptr, [](const ExportLine &l, QByteArray &o) { appendTime(l.attempt->record.timings.startedAt, o); }},
    {"wait_ms", Form::Number, nullptr, [](const ExportLine &l, QByteArray &o) { number(sum(l.attempt->record.waits), o); }},
    {"connect_ms", Form::Number, nullptr, [](const ExportLine &l, QByteArray &o) { number(l.attempt->record.timings.connectMs, o); }},
    {"first_byte_ms", Form::Number, nullptr, [](const ExportLine &l, QByteArray &o) { number(l.attempt->record.timings.firstByteMs, o); }},
    {"body_ms", Form::Number, nullptr, [](const ExportLine &l, QByteArray &o) { number(l.attempt->record.timings.bodyMs, o); }},
    {"total_ms", Form::Number, nullptr, [](const ExportLine &l, QByteArray &o) { number(l.attempt->record.timings.totalMs, o); }},
    {"proxy", Form::Text, nullptr, [](const ExportLine &l, QByteArray &o) { o += l.attempt->record.proxy; }},
};

constexpr FixedColumn failureColumns[] = {
    {"kind", Form::Text, nullptr, [](const ExportLine &l, QByteArray &o) { o += failureKindName(l.group->kind); }},
    {"host", Form::Text, always, [](const ExportLine &l, QByteArray &o) { o += l.group->host; }},
    {"code", Form::Number, nullptr, [](const ExportLine &l, QByteArray &o) { numberOrNone(l.group->code, o); }},
    {"count", Form::Number, nullptr, [](const ExportLine &l, QByteArray &o) { number(l.group->count, o); }},
};
// clang-format on

void padded(int n, int width, QByteArray &out)
{
    char digits[8];
    for (int i = width - 1; i >= 0; --i, n /= 10)
        digits[i] = char('0' + n % 10);
    out.append(digits, width);
}

} // namespace

std::span<const FixedColumn> fixedColumns(ExportWhat what)
{
    switch (what) {
    case ExportWhat::Rows:
    case ExportWhat::Jobs:
        return rowColumns;
    case ExportWhat::Attempts:
        return attemptColumns;
    case ExportWhat::Failures:
        return failureColumns;
    }
    return {};
}

void appendTime(Utc time, QByteArray &out)
{
    if (toMs(time) == 0)
        return;
    const auto day = std::chrono::floor<std::chrono::days>(time);
    const std::chrono::year_month_day date(day);
    const auto ms = int((time - day).count());
    padded(int(date.year()), 4, out);
    out += '-';
    padded(int(unsigned(date.month())), 2, out);
    out += '-';
    padded(int(unsigned(date.day())), 2, out);
    out += 'T';
    padded(ms / 3'600'000, 2, out);
    out += ':';
    padded(ms / 60'000 % 60, 2, out);
    out += ':';
    padded(ms / 1000 % 60, 2, out);
    out += '.';
    padded(ms % 1000, 3, out);
    out += 'Z';
}

} // namespace muster
