// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <QNetworkReply>
#include <QObject>
#include <string>

#include "core/net/answercheck.h"
#include "core/net/bodydecoder.h"
#include "core/net/fetcher.h"
#include "core/settings/secrets.h"

namespace muster {

class QnamFlight;
class UploadDevice;

/// What a flight asks of its worker.
class FlightHost
{
public:
    FlightHost() = default;
    virtual ~FlightHost() = default;
    Q_DISABLE_COPY_MOVE(FlightHost)

    /// The monotonic clock of this adapter.
    virtual Mono now() const = 0;
    /// The flight's deadline() may be earlier than it was.
    virtual void deadlineSet(Mono deadline) = 0;
    /// Over: the result may be taken; its name was not found in the DNS when `nameUnknown`.
    virtual void landed(QnamFlight &flight, bool nameUnknown) = 0;
};

/// One request in the air: watches its reply, counts what really left, keeps the four timers of its hop,
/// reads and decodes the body as it comes, and says how it ended. Lives on a fetch thread; owned by its
/// worker until it has a reply, then by the reply.
class QnamFlight final : public QObject
{
public:
    struct Place ///< the slot it holds, for the worker's books
    {
        std::string host;
        int lane = -1;
        bool pinned = false;
    };

    QnamFlight(FlightPlan plan, std::shared_ptr<const SecretBook> secrets, FlightHost &host);

    const FlightPlan &plan() const { return m_plan; }
    const SecretBook *secrets() const { return m_secrets.get(); }
    FlightId id() const { return m_plan.id; }
    Mono deadline() const { return m_deadline; }
    FlightResult takeResult() { return std::move(m_result); }

    /// The reply is out; `url` is what was asked for, secrets filled in.
    void takeOff(QNetworkReply *reply, UploadDevice *upload, QByteArray url);
    /// `now` is at or after deadline().
    void expire(Mono now);
    void cancel() { fail(FailureKind::Cancelled); }
    /// Ends it with a failure; the first end counts.
    void fail(FailureKind kind, const char *detail = "", QString note = {});
    void fail(Failure failure);

    Place place;

private:
    enum class Stage { Connect, FirstByte, Body };

    void onSent();
    void onHead();
    void onBytes();
    void onFinished();
    void onTlsErrors(const QList<QSslError> &errors);
    bool acceptHead();
    void readHints();
    bool openRedirect();
    bool openBody();
    bool drain();
    bool take(QByteArrayView piece);
    bool isStopped() const;
    bool mayBeOut() const;
    void judge();
    Failure transportFailure() const;
    Failure earlyFailure() const;
    void setDeadline(Mono stageEnd);
    void land(bool nameUnknown = false);

    FlightPlan m_plan;
    std::shared_ptr<const SecretBook> m_secrets;
    FlightHost &m_host;
    FlightResult m_result;
    QNetworkReply *m_reply = nullptr;
    UploadDevice *m_upload = nullptr;
    QByteArray m_url;
    Framing m_framing;
    std::optional<BodyDecoder> m_decoder;
    QByteArray m_tlsDetail;
    Mono m_start{};
    Mono m_sent{};
    Mono m_head{};
    Mono m_deadline = monoNever;
    Stage m_stage = Stage::Connect;
    bool m_hasHead = false;
    bool m_over = false;
    bool m_cut = false;   ///< more came than `request.read` wants
    bool m_blind = false; ///< Qt does not tell when a POST without a body leaves
};

} // namespace muster
