// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QVector>

#include "core/job/answer.h"

namespace muster::practice {

/// One answer of the practice service, before it is written to a socket.
struct Page
{
    int status = 200;
    QByteArray type = "application/json";
    QByteArray body;
    QVector<RawHeader> headers;
};

/// The three services, one to a host, so that what one of them refuses does not stop the others.
enum class Service { Rates, Geocoder, Pages };

/// A refusal counter that steps once a fixed second: at most `perSecond` requests in each, then refused.
/// Honest: it says how long until the next second. Time is an argument (milliseconds, any origin).
class FixedWindow final
{
public:
    explicit FixedWindow(int perSecond)
        : m_perSecond(perSecond)
    {}
    /// 0: let in; else milliseconds until the window opens again.
    qint64 ask(qint64 nowMs);

private:
    int m_perSecond;
    qint64 m_window = -1;
    int m_used = 0;
};

/// The answer of a service to a path with query, given what its window said. Pure.
Page answerOf(Service service, const QByteArray &pathAndQuery, qint64 refusedForMs);

} // namespace muster::practice
