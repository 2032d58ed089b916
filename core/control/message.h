// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <QByteArray>
#include <QJsonObject>
#include <QString>
#include <tl/expected.hpp>

namespace muster {

/// The fixed set of things a running writer can be asked for (spec 9).
enum class ControlVerb : quint8 {
    Status,
    Why,
    Settings,
    Undo,
    Import,
    Proxies,
    Retry,
    Skip,
    Accept,
    First,
    Again,
    Pilot,
    Refine,
    Copy,
    Hold,
    Release,
    Pause,
    Resume,
    Stop,
    Raise,
};
inline constexpr std::size_t controlVerbCount = 20;
const char *controlVerbName(ControlVerb verb);
std::optional<ControlVerb> controlVerbFromName(QByteArrayView name);

/// The longest line either side takes.
inline constexpr qsizetype mostCommandBytes = 1024 * 1024;
inline constexpr qsizetype mostReplyBytes = 16 * 1024 * 1024;

/// One line of JSON from the console to the writer: {"verb": "pause", "args": {…}}. A value.
struct Command
{
    ControlVerb verb = ControlVerb::Status;
    QJsonObject args;
    bool operator==(const Command &) const = default;

    QByteArray toLine() const;
    static tl::expected<Command, QString> fromLine(const QByteArray &line);
};

/// One line back, after the commit: {"ok": true, "data": {…}} or {"ok": false, "error": "…"}. A value.
struct Reply
{
    bool ok = true;
    QJsonObject data;
    QString error; ///< one sentence where not ok
    bool operator==(const Reply &) const = default;

    static Reply failed(const QString &why) { return {false, {}, why}; }
    QByteArray toLine() const;
    static tl::expected<Reply, QString> fromLine(const QByteArray &line);
};

} // namespace muster
