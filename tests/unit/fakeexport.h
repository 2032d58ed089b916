// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QBuffer>

#include "core/report/exporter.h"

namespace muster {

const QByteArray fixedHead =
    "row,record,batch,line,url,state,code,first_code,redirects,kind,error,final_url,"
    "content_type,bytes,attempts,started_at,wait_ms,connect_ms,first_byte_ms,body_ms,"
    "total_ms,proxy,found_on,depth,run,seq";

/// Rows made up on the way; may fail behind some of them.
class FakeSource final : public ExportSource
{
public:
    StoreResult<QVector<QByteArray>> inputColumns() const override
    {
        if (broken)
            return tl::unexpected(StoreError{StoreError::Kind::Gone, QStringLiteral("the file is gone")});
        return inputs;
    }
    StoreResult<void> forEach(const Selector &,
                              const std::function<bool(const RowView &)> &each) const override
    {
        for (qint64 i = 0; i < repeat; ++i)
            for (RowView row : rows) {
                if (failAfter == 0)
                    return tl::unexpected(StoreError{StoreError::Kind::Corrupt, QStringLiteral("torn page")});
                --failAfter;
                if (repeat > 1)
                    row.row = i + 1;
                if (!each(row))
                    return {};
            }
        return {};
    }
    StoreResult<void>
    forEachAttempt(const Selector &,
                   const std::function<bool(const RowView &, const AttemptView &)> &each) const override
    {
        for (const AttemptView &attempt : attempts)
            if (!each(rows.front(), attempt))
                break;
        return {};
    }
    StoreResult<QVector<FailureGroup>> failures(int) const override
    {
        if (broken)
            return tl::unexpected(StoreError{StoreError::Kind::Gone, QStringLiteral("the file is gone")});
        return groups;
    }

    QVector<QByteArray> inputs;
    QVector<RowView> rows;
    QVector<AttemptView> attempts;
    QVector<FailureGroup> groups;
    qint64 repeat = 1;
    mutable qint64 failAfter = -1;
    bool broken = false;
};

inline RowView doneRow()
{
    RowView row;
    row.row = 3;
    row.batch = 1;
    row.line = 4;
    row.run = 1;
    row.seq = 9;
    row.attempts = 2;
    row.redirects = 1;
    row.code = 200;
    row.firstCode = 301;
    row.state = JobState::Done;
    row.url = "http://a.example/x?k={secret:maps}";
    row.finalUrl = "http://a.example/y";
    row.contentType = "=text/html";
    row.bytes = 0;
    row.timings = {utcFromMs(1'764'536'048'007), 1, 2, 3, 6};
    row.waits[WaitReason::Bucket] = 40;
    row.waits[WaitReason::Queue] = 2;
    const auto names =
        std::make_shared<const QVector<QByteArray>>(QVector<QByteArray>{"id", "URL", "id", ""});
    row.input = InputColumns(names, {"007", "=1+1", "second"});
    row.fields = "{\"lat\":1.10,\"name\":\"=x\",\"gone\":1}";
    return row;
}

inline RowView queuedRow()
{
    RowView row;
    row.row = 4;
    row.foundOn = 3;
    row.depth = 1;
    row.url = "=cmd";
    return row;
}

inline QByteArray exported(const FakeSource &source, const ExportOptions &options,
                           ExportCounts *counts = nullptr)
{
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    const auto done = Exporter(source, options).toDevice(buffer);
    if (!done)
        return sentence(done.error().problem).toUtf8();
    if (counts)
        *counts = *done;
    return buffer.data();
}

/// Refuses everything behind a number of bytes, as a full disk does.
class FullDevice final : public QIODevice
{
public:
    explicit FullDevice(qint64 room)
        : m_room(room)
    {
        open(QIODevice::WriteOnly | QIODevice::Unbuffered);
    }
    qint64 readData(char *, qint64) override { return -1; }
    qint64 writeData(const char *, qint64 size) override
    {
        const qint64 taken = qMin(size, m_room);
        m_room -= taken;
        if (taken == 0)
            setErrorString(QStringLiteral("No space left on device"));
        return taken > 0 ? taken : -1;
    }

private:
    qint64 m_room;
};

} // namespace muster
