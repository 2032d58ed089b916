// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <QObject>

#include "core/net/addressbook.h"
#include "core/net/fetcher.h"
#include "core/settings/secrets.h"

namespace muster {

/// The Fetcher over QNetworkAccessManager: own fetch threads, values in and out by queued batches. Every
/// flight gets a connection slot of its own (lanes), so nothing queues in Qt and 64 flights to one host are
/// 64 at the server. Lives on the engine thread; destroying it ends its threads, drops what is in flight and
/// calls nobody back. Sets the application's proxy to none: only one such object makes sense in a process.
class QnamFetcher final : public QObject, public Fetcher
{
    Q_OBJECT

public:
    /// May the secret called `name` go to `host`?
    using SecretHosts = std::function<bool(const QByteArray &name, const QByteArray &host)>;
    struct Options
    {
        int threads = 0;                   ///< 0: clamp(cores - 1, 1, 4)
        AddressBook::Resolve resolve = {}; ///< the system's resolver where empty
        std::function<bool(const QHostAddress &)> allowed =
            {}; ///< addresses of received URLs; empty: public ones
    };

    QnamFetcher();
    explicit QnamFetcher(Options options, QObject *parent = nullptr);
    ~QnamFetcher() override;
    Q_DISABLE_COPY_MOVE(QnamFetcher)

    /// In force for every flight started after this call.
    void setSecrets(std::shared_ptr<const SecretBook> secrets);
    void setSecretHosts(SecretHosts allowed);

    void start(FlightPlan plan, Done done) override;
    void abort(FlightId id) override;
    int inFlight() const override;

private:
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace muster
