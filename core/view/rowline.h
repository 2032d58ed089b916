// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QMetaType>
#include <QString>
#include <QVector>

#include "core/job/failure.h"
#include "core/job/jobstate.h"
#include "core/job/moment.h"

namespace muster {

/// One row as a table shows it: what fits on a line, without fields, headers or attempts, so that thousands
/// of them are cheap to keep. A value; crosses threads by copy.
struct RowLine
{
    qint64 row = 0; ///< its number for ever; 0: no row
    JobState state = JobState::Queued;
    Utc notBefore{}; ///< of a queued row that waits to retry; epoch: at once
    QByteArray host;
    QByteArray url;  ///< the row's own spelling, secrets by name
    QString request; ///< what tells it from its neighbours, decoded
    int code = 0;    ///< 0: no answer
    FailureKind kind = FailureKind::None;
    QString note;        ///< completes the failure's sentence
    int attempts = 0;    ///< tries of this run; 0: not sent yet
    qint64 tookMs = -1;  ///< last try from first to last byte; -1: none
    qint64 waitedMs = 0; ///< sum of all its waits
    qint64 duplicateOf = 0;

    bool isWaitingToRetry() const { return state == JobState::Queued && notBefore > Utc{}; }
    bool operator==(const RowLine &) const = default;
};

/// "Lange Str. 60" out of `https://maps.example.com/geocode?address=Lange+Str.+60`: the query's values where
/// there is a query, else the path, else the host; percent-decoded, control characters replaced.
QString requestText(const QByteArray &url);

} // namespace muster

Q_DECLARE_METATYPE(muster::RowLine)
