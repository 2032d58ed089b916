// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/net/qnamworker.h"

#include <algorithm>
#include <QNetworkProxyFactory>

#include "core/net/uploaddevice.h"
#include "core/net/urlpolicy.h"

namespace muster {

namespace {

/// Makes Qt read plain HTTP from a buffered socket; with NoProxy it makes one system call for each byte of
/// the headers (network.md 0). DefaultProxy resolves to the application's proxy, which is NoProxy: direct.
class DirectBuffered final : public QNetworkProxyFactory
{
public:
    QList<QNetworkProxy> queryProxy(const QNetworkProxyQuery &) override
    {
        return {QNetworkProxy(QNetworkProxy::DefaultProxy)};
    }
};

/// Scheme, host and port of a normalised URL as one key.
std::string_view originOf(const QByteArray &url)
{
    const qsizetype scheme = url.indexOf("://");
    qsizetype end = scheme < 0 ? url.size() : scheme + 3;
    while (end < url.size() && url[end] != '/' && url[end] != '?')
        ++end;
    return {url.constData(), static_cast<std::size_t>(end)};
}

QByteArray hostOf(std::string_view origin)
{
    return targetOf(QByteArray(origin.data(), static_cast<qsizetype>(origin.size()))).host;
}

} // namespace

QnamWorker::QnamWorker(Deliver deliver, int lookupsAtOnce, AddressBook::Resolve resolve, Allowed allowed)
    : m_deliver(std::move(deliver))
    , m_addresses(lookupsAtOnce, std::move(resolve), this)
    , m_allowed(std::move(allowed))
    , m_timer(this)
{
    m_timer.setSingleShot(true);
    m_timer.setTimerType(Qt::PreciseTimer);
    connect(&m_timer, &QTimer::timeout, this, &QnamWorker::lookAtDeadlines);
}

QnamWorker::~QnamWorker()
{
    // Flights with a reply belong to it and go with their manager.
    for (const auto &[id, flight] : m_flights)
        if (!flight->parent())
            delete flight;
}

void QnamWorker::order(FlightOrder order)
{
    if (m_orders.put(std::move(order)))
        QMetaObject::invokeMethod(this, &QnamWorker::takeOrders, Qt::QueuedConnection);
}

void QnamWorker::takeOrders()
{
    for (FlightOrder &order : m_orders.takeAll()) {
        if (!order.abort) {
            depart(std::move(order));
        } else if (const auto it = m_flights.find(order.plan.id); it != m_flights.end()) {
            it->second->cancel();
        }
    }
}

void QnamWorker::depart(FlightOrder order)
{
    auto *flight = new QnamFlight(std::move(order.plan), std::move(order.secrets), *this);
    m_flights.emplace(flight->id(), flight);
    const FlightPlan &plan = flight->plan();
    if (plan.received)
        return departReceived(*flight, targetOf(plan.request.url.text));
    if (!m_addresses.isEmpty() && m_addresses.isKnownMissing(targetOf(plan.request.url.text).host, now()))
        return flight->fail(FailureKind::Dns, "nxdomain");
    departDirect(*flight);
}

void QnamWorker::departDirect(QnamFlight &flight)
{
    auto wire = makeWireRequest(flight.plan(), flight.secrets());
    if (!wire)
        return flight.fail(std::move(wire.error()));
    send(flight, std::move(*wire), std::string(originOf(flight.plan().request.url.text)), Kind::Direct);
}

void QnamWorker::departReceived(QnamFlight &flight, const Target &target)
{
    const FlightPlan &plan = flight.plan();
    if (isBadPort(target.port))
        return flight.fail(FailureKind::BlockedAddress, "",
                           u"port " % QString::number(target.port) % u" speaks another protocol");
    if (plan.privateAllowed)
        return departDirect(flight);
    if (const auto address = literalAddress(target.host))
        return departPinned(plan.id, target, {AddressBook::Outcome::Found, {*address}});
    m_addresses.lookUp(target.host, now(), [this, id = plan.id, target](const AddressBook::Entry &entry) {
        departPinned(id, target, entry);
    });
}

void QnamWorker::departPinned(FlightId id, const Target &target, const AddressBook::Entry &entry)
{
    const auto it = m_flights.find(id);
    if (it == m_flights.end())
        return; // cancelled or out of time meanwhile
    QnamFlight &flight = *it->second;
    if (entry.outcome != AddressBook::Outcome::Found)
        return flight.fail(FailureKind::Dns,
                           entry.outcome == AddressBook::Outcome::Missing ? "nxdomain" : "servfail");
    if (!std::all_of(entry.addresses.begin(), entry.addresses.end(), m_allowed))
        return flight.fail(FailureKind::BlockedAddress, "",
                           QStringLiteral("it is an address of this machine or of a private network"));
    auto wire = makeWireRequest(flight.plan(), flight.secrets());
    if (!wire)
        return flight.fail(std::move(wire.error()));
    const QHostAddress &address = entry.addresses.first();
    pinTo(*wire, target, address);
    std::string key(originOf(flight.plan().request.url.text));
    key += ' ';
    key += address.toString().toStdString();
    send(flight, std::move(*wire), std::move(key), Kind::Pinned);
}

void QnamWorker::send(QnamFlight &flight, WireRequest wire, std::string host, Kind kind)
{
    LaneBook &book = kind == Kind::Direct ? m_directLanes : m_pinnedLanes;
    const int lane = book.acquire(host);
    LanePlace place{lane, {}};
    if (kind == Kind::Direct && lane > 0) {
        const bool https = host.starts_with("https:");
        place = lanePlace(https, https ? hostOf(host) : QByteArray(), lane);
    }
    if (!place.name.isEmpty())
        wire.request.setPeerVerifyName(place.name);
    flight.place = {std::move(host), lane, kind == Kind::Pinned};

    QNetworkAccessManager &nam = manager(kind, place.manager);
    const Request &request = flight.plan().request;
    if (!request.isWrite()) {
        QNetworkReply *reply = request.method == "HEAD" ? nam.head(wire.request) : nam.get(wire.request);
        return flight.takeOff(reply, nullptr, std::move(wire.url));
    }
    auto *upload = new UploadDevice(std::move(wire.body));
    QNetworkReply *reply =
        request.method == "POST" ? nam.post(wire.request, upload) : nam.put(wire.request, upload);
    upload->setParent(reply);
    flight.takeOff(reply, upload, std::move(wire.url));
}

QNetworkAccessManager &QnamWorker::manager(Kind kind, int index)
{
    std::vector<QNetworkAccessManager *> &all = kind == Kind::Direct ? m_direct : m_pinned;
    while (all.size() <= static_cast<std::size_t>(index)) {
        auto *nam = new QNetworkAccessManager(this);
        nam->setProxyFactory(new DirectBuffered);
        all.push_back(nam);
    }
    return *all[static_cast<std::size_t>(index)];
}

Mono QnamWorker::now() const
{
    return Mono(std::chrono::duration_cast<Nanos>(std::chrono::steady_clock::now().time_since_epoch()));
}

void QnamWorker::landed(QnamFlight &flight, bool nameUnknown)
{
    m_flights.erase(flight.id());
    if (flight.place.lane >= 0) {
        LaneBook &book = flight.place.pinned ? m_pinnedLanes : m_directLanes;
        book.release(flight.place.host, flight.place.lane);
    }
    if (nameUnknown)
        explainMissingName(flight.takeResult(), targetOf(flight.plan().request.url.text).host);
    else
        give(flight.takeResult());
}

/// Qt has one error for a name that does not exist and for a resolver that does not answer. The first is
/// final, the second must be tried again.
void QnamWorker::explainMissingName(FlightResult result, const QByteArray &host)
{
    auto held = std::make_shared<FlightResult>(std::move(result));
    m_addresses.lookUp(host, now(), [this, held](const AddressBook::Entry &entry) {
        held->failure.detail = entry.outcome == AddressBook::Outcome::Missing ? "nxdomain" : "servfail";
        give(std::move(*held));
    });
}

void QnamWorker::give(FlightResult result)
{
    m_results.push_back(std::move(result));
    if (m_results.size() == 1)
        QMetaObject::invokeMethod(this, &QnamWorker::deliverBatch, Qt::QueuedConnection);
}

void QnamWorker::deliverBatch()
{
    std::vector<FlightResult> batch;
    batch.swap(m_results);
    m_deliver(std::move(batch));
}

void QnamWorker::deadlineSet(Mono deadline)
{
    if (deadline < m_armed)
        arm(deadline);
}

void QnamWorker::arm(Mono deadline)
{
    m_armed = deadline;
    const auto wait = std::chrono::ceil<Millis>(deadline - now());
    m_timer.start(std::max(wait, Millis(0)));
}

void QnamWorker::lookAtDeadlines()
{
    const Mono at = now();
    m_armed = monoNever;
    std::vector<QnamFlight *> due;
    Mono next = monoNever;
    for (const auto &[id, flight] : m_flights) {
        if (flight->deadline() <= at)
            due.push_back(flight);
        else
            next = std::min(next, flight->deadline());
    }
    for (QnamFlight *flight : due)
        flight->expire(at); // each lands only itself
    if (next < m_armed)
        arm(next);
}

} // namespace muster
