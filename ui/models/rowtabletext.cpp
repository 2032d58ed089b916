// SPDX-License-Identifier: GPL-3.0-or-later
// What the cells of RowTableModel say; its mechanics are in rowtablemodel.cpp.
#include "ui/models/rowtablemodel.h"
#include "ui/text/format.h"
#include "ui/text/words.h"

namespace muster {

namespace {

int alignment(int column)
{
    const bool number = column == RowTableModel::RowColumn || column == RowTableModel::CodeColumn ||
                        column == RowTableModel::TimeColumn;
    return int((number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
}

} // namespace

QString RowTableModel::waitText(const RowLine &line) const
{
    if (line.state == JobState::Queued) {
        const auto host = m_stoppedHosts.constFind(line.host);
        if (host != m_stoppedHosts.constEnd()) {
            const QString word = words::of(host->state).word;
            return host->until ? tr("%1 until %2").arg(word, format::clockFrom(*host->until, m_now)) : word;
        }
        if (line.isWaitingToRetry() && line.notBefore > m_now)
            return tr("until %1").arg(format::clockFrom(line.notBefore, m_now));
    }
    if (line.state == JobState::Duplicate)
        return line.duplicateOf > 0 ? tr("of row %1").arg(format::count(line.duplicateOf)) : QString();
    return line.waitedMs > 0 || line.attempts > 0 ? format::waited(line.waitedMs) : QString();
}

QString RowTableModel::text(const RowLine &line, int column) const
{
    switch (column) {
    case RowColumn:
        return format::count(line.row);
    case StateColumn:
        if (line.isWaitingToRetry())
            return line.notBefore > m_now ? tr("Retry in %1").arg(format::secondsLeft(line.notBefore - m_now))
                                          : tr("Retry now");
        return words::of(line.state).word;
    case HostColumn:
        return QString::fromUtf8(line.host);
    case RequestColumn:
        return line.request;
    case CodeColumn:
        return line.code > 0 ? QString::number(line.code) : QString();
    case TimeColumn:
        return line.tookMs >= 0 ? format::took(line.tookMs) : QString();
    case WaitColumn:
        return waitText(line);
    default:
        return {};
    }
}

QString RowTableModel::toolTip(const RowLine &line) const
{
    // As rich text, escaped: a URL from the net must not be able to be markup.
    QStringList lines{QString::fromUtf8(line.url).toHtmlEscaped()};
    if (line.kind != FailureKind::None) {
        const QString note = line.note.isEmpty() ? QString() : QStringLiteral(": ") + line.note;
        lines.append(QStringLiteral("%1%2 (%3)")
                         .arg(words::of(line.kind), note, QLatin1String(failureKindName(line.kind)))
                         .toHtmlEscaped());
    }
    return QStringLiteral("<qt>%1</qt>").arg(lines.join(QStringLiteral("<br>")));
}

QVariant RowTableModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    if (role == Qt::TextAlignmentRole)
        return alignment(index.column());
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole && role != LineRole)
        return {};
    const RowLine *line = lineAt(index.row());
    if (!line)
        return {};
    if (role == LineRole)
        return QVariant::fromValue(*line);
    return role == Qt::DisplayRole ? text(*line, index.column()) : toolTip(*line);
}

QVariant RowTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return alignment(section);
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case RowColumn:
        return tr("Row");
    case StateColumn:
        return tr("State");
    case HostColumn:
        return tr("Host");
    case RequestColumn:
        return tr("Request");
    case CodeColumn:
        return tr("Code");
    case TimeColumn:
        return tr("Time");
    case WaitColumn:
        return tr("Waited, waits for");
    default:
        return {};
    }
}

} // namespace muster
