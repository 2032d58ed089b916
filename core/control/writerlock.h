// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <QString>
#include <tl/expected.hpp>

#include "core/job/writerinfo.h"

namespace muster {

/// "muster-cli (process 17 on pc, since 2026-01-02 03:04:05 UTC)".
QString describe(const WriterInfo &info);

struct LockRefusal
{
    std::optional<WriterInfo>
        holder; ///< set when somebody has it and says who; else it cannot be taken at all
    bool held = false;
    QString what; ///< one sentence
};

/// The one writer of a project: an flock on `.NAME.lock` beside the file that every path to it leads to. The
/// kernel lets go of it when its holder dies, so a stale one never blocks; no process number is ever looked
/// at. The file tells who holds it and goes when it is released. Any thread; owned by the application, taken
/// before the project is opened and released after it is closed.
class WriterLock final
{
public:
    ~WriterLock();
    Q_DISABLE_COPY_MOVE(WriterLock)

    /// `info.pid` and `info.host` are filled in here.
    static tl::expected<std::unique_ptr<WriterLock>, LockRefusal> take(const QString &project,
                                                                       WriterInfo info);
    /// Who has it at this moment; nothing where nobody does.
    static std::optional<WriterInfo> holder(const QString &project);

    const WriterInfo &info() const { return m_info; }
    static QString lockPath(const QString &project);

private:
    WriterLock(int fd, QString path, WriterInfo info);
    int m_fd;
    QString m_path;
    WriterInfo m_info;
};

} // namespace muster
