// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <QHash>
#include <QVector>

#include "core/net/fetcher.h"
#include "tests/support/agenda.h"

namespace muster {

/// A Fetcher whose answers are written down by URL and whose time is the manual clock's. It logs each start
/// and counts how many were open at once, as a server would.
class FakeFetcher final : public Fetcher
{
public:
    /// One scripted end of a flight.
    struct Script
    {
        int status = 200;
        QByteArray body = "{}";
        QByteArray retryAfter; ///< null: no such header
        QByteArray redirectTo;
        Failure failure;
        Millis delay{20};
        Millis sentAfter{1}; ///< when the request is on the wire: an abort before it sent nothing
        int sends = 1;
        void sendsNothing() { sends = 0; }
    };
    struct Start
    {
        Mono at{};
        QByteArray url;
        QByteArray method;
        QByteArray host;
        FlightPlan plan;
    };

    explicit FakeFetcher(Agenda &agenda)
        : m_agenda(agenda)
    {}
    /// What the URL answers, one after the other; the last one stays.
    void script(const QByteArray &url, QVector<Script> answers) { m_scripts[url] = std::move(answers); }
    void scriptHost(const QByteArray &host, const Script &answer) { m_hosts[host] = answer; }

    void start(FlightPlan plan, Done done) override;
    void abort(FlightId id) override;
    int inFlight() const override { return static_cast<int>(m_open.size()); }

    const QVector<Start> &starts() const { return m_starts; }
    QVector<Mono> startsAt(const QByteArray &host) const;
    int startsOf(const QByteArray &url) const;
    int mostOpen(const QByteArray &host = {}) const { return m_mostOpen.value(host); }
    Script fallback; ///< for URLs and hosts without a script
    bool keepsStarts = true;

private:
    struct Flight
    {
        Done done;
        Script script;
        QByteArray host;
        QByteArray url;
        QByteArray method;
        Moment startedAt;
    };
    Script next(const QByteArray &url, const QByteArray &host);
    void end(FlightId id, bool aborted);
    void count(const QByteArray &host, int by);

    Agenda &m_agenda;
    QHash<QByteArray, QVector<Script>> m_scripts;
    QHash<QByteArray, Script> m_hosts;
    std::map<FlightId, Flight> m_open;
    QVector<Start> m_starts;
    QHash<QByteArray, int> m_openNow, m_mostOpen;
};

} // namespace muster

Q_DECLARE_METATYPE(muster::FakeFetcher::Script)
