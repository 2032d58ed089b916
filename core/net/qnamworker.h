// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <QNetworkAccessManager>
#include <QObject>
#include <QTimer>
#include <unordered_map>
#include <vector>

#include "core/net/addressbook.h"
#include "core/net/fetcher.h"
#include "core/net/lanebook.h"
#include "core/net/mailbox.h"
#include "core/net/qnamflight.h"
#include "core/net/wirerequest.h"
#include "core/settings/secrets.h"

namespace muster {

/// What the engine tells a fetch thread.
struct FlightOrder
{
    bool abort = false; ///< of `plan.id`
    FlightPlan plan;
    std::shared_ptr<const SecretBook> secrets;
};

/// One fetch thread's half of the fetcher: managers, lanes, flights, and the one timer for all their
/// deadlines (it rings for the earliest and looks at all, so that a flight costs no timer of its own). Lives
/// on its thread; order() may be called from the engine's.
class QnamWorker final : public QObject, private FlightHost
{
    Q_OBJECT

public:
    using Deliver = std::function<void(std::vector<FlightResult>)>;

    using Allowed = std::function<bool(const QHostAddress &)>;

    /// `deliver` is called on the worker's thread, once a batch. `resolve` as in AddressBook; `allowed`
    /// judges the addresses of received URLs.
    QnamWorker(Deliver deliver, int lookupsAtOnce, AddressBook::Resolve resolve, Allowed allowed);
    ~QnamWorker() override;

    void order(FlightOrder order);

private:
    enum class Kind { Direct, Pinned };

    Mono now() const override;
    void deadlineSet(Mono deadline) override;
    void landed(QnamFlight &flight, bool nameUnknown) override;

    void takeOrders();
    void depart(FlightOrder order);
    void departDirect(QnamFlight &flight);
    void departReceived(QnamFlight &flight, const Target &target);
    void departPinned(FlightId id, const Target &target, const AddressBook::Entry &entry);
    void send(QnamFlight &flight, WireRequest wire, std::string host, Kind kind);
    QNetworkAccessManager &manager(Kind kind, int index);
    void explainMissingName(FlightResult result, const QByteArray &host);
    void lookAtDeadlines();
    void arm(Mono deadline);
    void give(FlightResult result);
    void deliverBatch();

    Deliver m_deliver;
    Mailbox<FlightOrder> m_orders;
    std::unordered_map<FlightId, QnamFlight *> m_flights;
    std::vector<QNetworkAccessManager *> m_direct; ///< children
    std::vector<QNetworkAccessManager *> m_pinned; ///< for checked addresses, never mixed with the others
    LaneBook m_directLanes;
    LaneBook m_pinnedLanes;
    AddressBook m_addresses;
    Allowed m_allowed;
    std::vector<FlightResult> m_results;
    QTimer m_timer;
    Mono m_armed = monoNever;
};

} // namespace muster
