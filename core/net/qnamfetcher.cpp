// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/net/qnamfetcher.h"

#include <algorithm>
#include <QNetworkProxy>
#include <QThread>
#include <string_view>
#include <unordered_map>

#include "core/net/lanebook.h"
#include "core/net/mailbox.h"
#include "core/net/qnamworker.h"
#include "core/net/urlpolicy.h"

namespace muster {

namespace {

constexpr int lookupsAtOnce = 12; // of Qt's 20 threads (design.md 4)

int threadCount(int wanted)
{
    return wanted > 0 ? wanted : std::clamp(QThread::idealThreadCount() - 1, 1, 4);
}

/// The first secret of the request that may not go to its host.
std::optional<QByteArray> strayingSecret(const FlightPlan &plan, const QnamFetcher::SecretHosts &allowed)
{
    if (!allowed || !plan.request.hasSecrets())
        return std::nullopt;
    const QByteArray host = targetOf(plan.request.url.text).host;
    const auto stray = [&](const MaskedText &text) -> std::optional<QByteArray> {
        for (const MaskedText::Slot &slot : text.secretSlots)
            if (!allowed(slot.name, host))
                return slot.name;
        return std::nullopt;
    };
    if (auto name = stray(plan.request.url))
        return name;
    if (auto name = stray(plan.request.body))
        return name;
    for (const Header &h : plan.request.headers)
        if (auto name = stray(h.value); name && plan.withCredentials)
            return name;
    return std::nullopt;
}

} // namespace

struct QnamFetcher::Private
{
    struct Crew
    {
        std::unique_ptr<QThread> thread;
        QnamWorker *worker = nullptr; ///< lives on the thread, deleted by its end
        int flights = 0;
    };
    struct Out
    {
        Done done;
        std::size_t crew = 0;
    };

    std::vector<Crew> crews;
    std::unordered_map<FlightId, Out> out;
    Mailbox<FlightResult> home;
    std::shared_ptr<const SecretBook> secrets;
    SecretHosts allowed;

    std::size_t crewFor(const FlightPlan &plan) const;
    void callBack();
};

/// A host stays with one thread, for its warm connections; only one that may have more flights than a lane
/// holds goes to whoever has least to do.
std::size_t QnamFetcher::Private::crewFor(const FlightPlan &plan) const
{
    if (crews.size() == 1)
        return 0;
    if (plan.lanes > LaneBook::slots) {
        const auto least = std::min_element(
            crews.begin(), crews.end(), [](const Crew &a, const Crew &b) { return a.flights < b.flights; });
        return static_cast<std::size_t>(least - crews.begin());
    }
    const QByteArray &url = plan.request.url.text;
    const auto scheme = url.indexOf("://");
    const auto end = url.indexOf('/', scheme < 0 ? 0 : scheme + 3);
    const std::string_view origin(url.constData(), static_cast<std::size_t>(end < 0 ? url.size() : end));
    return std::hash<std::string_view>{}(origin) % crews.size();
}

void QnamFetcher::Private::callBack()
{
    for (FlightResult &result : home.takeAll()) {
        auto node = out.extract(result.id);
        if (!node)
            continue;
        if (node.mapped().crew < crews.size())
            --crews[node.mapped().crew].flights;
        node.mapped().done(std::move(result));
    }
}

QnamFetcher::QnamFetcher()
    : QnamFetcher(Options{})
{}

QnamFetcher::QnamFetcher(Options options, QObject *parent)
    : QObject(parent)
    , d(std::make_unique<Private>())
{
    QNetworkProxyFactory::setUseSystemConfiguration(false);
    QNetworkProxy::setApplicationProxy(QNetworkProxy::NoProxy);
    const int threads = threadCount(options.threads);
    const auto deliver = [this](std::vector<FlightResult> results) {
        if (d->home.put(std::move(results)))
            QMetaObject::invokeMethod(
                this, [this] { d->callBack(); }, Qt::QueuedConnection);
    };
    for (int i = 0; i < threads; ++i) {
        Private::Crew crew;
        crew.thread = std::make_unique<QThread>();
        crew.thread->setObjectName(u"fetch" % QString::number(i));
        crew.worker = new QnamWorker(deliver, std::max(1, lookupsAtOnce / threads), options.resolve,
                                     options.allowed ? options.allowed : isAllowedForReceived);
        crew.worker->moveToThread(crew.thread.get());
        connect(crew.thread.get(), &QThread::finished, crew.worker, &QObject::deleteLater);
        crew.thread->start();
        d->crews.push_back(std::move(crew));
    }
}

QnamFetcher::~QnamFetcher()
{
    for (const Private::Crew &crew : d->crews)
        crew.thread->quit();
    for (const Private::Crew &crew : d->crews)
        crew.thread->wait();
}

void QnamFetcher::setSecrets(std::shared_ptr<const SecretBook> secrets)
{
    d->secrets = std::move(secrets);
}

void QnamFetcher::setSecretHosts(SecretHosts allowed)
{
    d->allowed = std::move(allowed);
}

void QnamFetcher::start(FlightPlan plan, Done done)
{
    Q_ASSERT(!d->out.contains(plan.id));
    if (const auto name = strayingSecret(plan, d->allowed)) {
        FlightResult result;
        result.id = plan.id;
        result.answer.url = plan.request.url.text;
        result.failure = Failure{FailureKind::Internal, "secret", 0,
                                 u"the secret \"" % QString::fromUtf8(*name) % u"\" may not go to this host"};
        d->out[plan.id] = {std::move(done), d->crews.size()};
        if (d->home.put(std::move(result)))
            QMetaObject::invokeMethod(
                this, [this] { d->callBack(); }, Qt::QueuedConnection);
        return;
    }
    const std::size_t crew = d->crewFor(plan);
    ++d->crews[crew].flights;
    d->out[plan.id] = {std::move(done), crew};
    d->crews[crew].worker->order({false, std::move(plan), d->secrets});
}

void QnamFetcher::abort(FlightId id)
{
    const auto it = d->out.find(id);
    if (it == d->out.end() || it->second.crew >= d->crews.size())
        return;
    FlightOrder order;
    order.abort = true;
    order.plan.id = id;
    d->crews[it->second.crew].worker->order(std::move(order));
}

int QnamFetcher::inFlight() const
{
    return static_cast<int>(d->out.size());
}

} // namespace muster
