// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <QtTest/QtTest>

#include "core/net/qnamfetcher.h"
#include "tests/support/faultserver.h"

namespace muster {

/// A fault server and a fetcher for one test function, and one flight at a time between them.
class FlightBench final
{
public:
    explicit FlightBench(QnamFetcher::Options options = {},
                         const std::function<void(FaultServer &)> &prepare = {})
    {
        if (prepare)
            prepare(server);
        if (!server.start())
            qFatal("the fault server did not start");
        fetcher = std::make_unique<QnamFetcher>(std::move(options));
    }

    FlightPlan plan(const QByteArray &path, const QByteArray &listener = "main")
    {
        FlightPlan p;
        p.id = ++m_last;
        p.request.url.text = server.url(path, listener);
        return p;
    }
    /// Starts it and waits for its end.
    FlightResult fly(FlightPlan p)
    {
        std::optional<FlightResult> out;
        fetcher->start(std::move(p), [&out](FlightResult r) { out = std::move(r); });
        if (!QTest::qWaitFor([&out] { return out.has_value(); }, 60'000))
            qFatal("a flight was never called back");
        return std::move(*out);
    }
    FlightResult get(const QByteArray &path) { return fly(plan(path)); }

    FaultServer server;
    std::unique_ptr<QnamFetcher> fetcher;

private:
    FlightId m_last = 1000;
};

/// For QCOMPARE: "kind:detail", or "ok 200", or "to URL".
inline QByteArray said(const FlightResult &r)
{
    if (r.failure) {
        const QByteArray kind = failureKindName(r.failure.kind);
        return r.failure.detail.isEmpty() ? kind : QByteArray(kind + ':' + r.failure.detail);
    }
    return r.redirect ? QByteArray("to " + r.redirect->url.text)
                      : QByteArray("ok " + QByteArray::number(r.answer.status));
}

} // namespace muster
