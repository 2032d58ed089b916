// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/net/qnamflight.h"

#include <algorithm>
#include <array>
#include <QSslError>

#include "core/net/qnamerrors.h"
#include "core/net/redirects.h"
#include "core/net/retryafter.h"
#include "core/net/secretfill.h"
#include "core/net/uploaddevice.h"

namespace muster {

namespace {

constexpr qint64 readBuffer = 256 * 1024;
// A redirect's own page is read so that its connection can be used again, up to here.
constexpr qint64 redirectPage = 64 * 1024;
// Reserving more on the word of a server would let 64 answers claim 640 MiB.
constexpr qint64 reserveAtMost = 64 * 1024;

qint32 msBetween(Mono from, Mono to)
{
    return static_cast<qint32>(std::chrono::duration_cast<Millis>(to - from).count());
}

// Headers in which a server could send one of our secrets back inside a URL.
bool holdsUrls(QByteArrayView name)
{
    return name.compare("Location", Qt::CaseInsensitive) == 0 ||
           name.compare("Link", Qt::CaseInsensitive) == 0 ||
           name.compare("Content-Location", Qt::CaseInsensitive) == 0 ||
           name.compare("Refresh", Qt::CaseInsensitive) == 0;
}

} // namespace

QnamFlight::QnamFlight(FlightPlan plan, std::shared_ptr<const SecretBook> secrets, FlightHost &host)
    : m_plan(std::move(plan))
    , m_secrets(std::move(secrets))
    , m_host(host)
    , m_start(host.now())
{
    m_result.id = m_plan.id;
    m_result.answer.url = m_plan.request.url.text;
    m_result.answer.isHead = m_plan.request.method == "HEAD";
    m_result.timings.startedAt = std::chrono::time_point_cast<Millis>(std::chrono::system_clock::now());
    setDeadline(m_start + m_plan.connectTimeout);
}

void QnamFlight::takeOff(QNetworkReply *reply, UploadDevice *upload, QByteArray url)
{
    m_reply = reply;
    m_upload = upload;
    m_url = std::move(url);
    m_blind = upload && upload->atEnd();
    if (m_blind)
        setDeadline(m_start + m_plan.connectTimeout + m_plan.firstByteTimeout);
    setParent(reply);
    reply->setReadBufferSize(readBuffer);
    connect(reply, &QNetworkReply::requestSent, this, &QnamFlight::onSent);
    connect(reply, &QNetworkReply::metaDataChanged, this, &QnamFlight::onHead);
    connect(reply, &QNetworkReply::readyRead, this, &QnamFlight::onBytes);
    connect(reply, &QNetworkReply::finished, this, &QnamFlight::onFinished);
    if (m_url.startsWith("https:"))
        connect(reply, &QNetworkReply::sslErrors, this, &QnamFlight::onTlsErrors);
}

void QnamFlight::setDeadline(Mono stageEnd)
{
    m_deadline = std::min(stageEnd, m_start + m_plan.totalTimeout);
    m_host.deadlineSet(m_deadline);
}

void QnamFlight::expire(Mono now)
{
    if (m_over)
        return;
    if (m_result.redirect)
        return land(); // all that counts of it is here
    if (now >= m_start + m_plan.totalTimeout)
        return fail(FailureKind::TotalTimeout);
    switch (m_stage) {
    case Stage::Connect:
        if (!m_reply)
            return fail(FailureKind::Dns, "timeout");
        return fail(m_blind ? FailureKind::FirstByteTimeout : FailureKind::ConnectTimeout);
    case Stage::FirstByte:
        return fail(FailureKind::FirstByteTimeout);
    case Stage::Body:
        return fail(FailureKind::Stalled);
    }
}

void QnamFlight::onSent()
{
    if (m_over)
        return;
    // Qt sends a request again by itself when its connection dies without an answer (network.md 7). Each of
    // them costs a token; one repeat is known of, none more may follow.
    if (++m_result.sends > 1)
        return fail(earlyFailure());
    m_sent = m_host.now();
    m_stage = Stage::FirstByte;
    setDeadline(m_sent + m_plan.firstByteTimeout);
}

void QnamFlight::onHead()
{
    if (m_over || m_hasHead)
        return;
    m_hasHead = true;
    m_head = m_host.now();
    m_stage = Stage::Body;
    if (m_result.sends == 0) { // without a body: its answer is the first sign that it left
        m_result.sends = 1;
        m_sent = m_start;
    }
    setDeadline(m_head + m_plan.silenceTimeout);
    if (!acceptHead())
        return;
    readHints();
    if (openRedirect() && !m_result.redirect)
        openBody();
}

bool QnamFlight::acceptHead()
{
    Answer &answer = m_result.answer;
    answer.status = m_reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
    const QList<QNetworkReply::RawHeaderPair> &pairs = m_reply->rawHeaderPairs();
    answer.headers.reserve(std::min<qsizetype>(pairs.size(), mostHeaders + 1));
    for (const auto &[name, value] : pairs) {
        if (answer.headers.size() > mostHeaders)
            break;
        const bool mayLeak = m_secrets && !m_secrets->empty() && holdsUrls(name);
        answer.headers.append({name, mayLeak ? maskSecrets(value, m_secrets.get()).text : value});
    }
    const auto framing = checkAnswerHead(answer.status, answer.headers, answer.isHead);
    if (!framing) {
        fail(framing.error());
        return false;
    }
    m_framing = *framing;
    return true;
}

void QnamFlight::readHints()
{
    const Answer &answer = m_result.answer;
    m_result.serverDate = answer.header("Date");
    m_result.retryAfter = answer.header("Retry-After");
    if (!m_result.retryAfter.isNull())
        m_result.retryAfterDelay =
            retryAfterDelay(m_result.retryAfter, m_result.serverDate,
                            std::chrono::time_point_cast<Millis>(std::chrono::system_clock::now()));
}

bool QnamFlight::openRedirect()
{
    if (!isRedirectStatus(m_result.answer.status))
        return true;
    const RedirectFrom from{m_url, m_plan.request.method,
                            m_plan.request.isWrite() && !m_plan.request.body.text.isEmpty()};
    auto redirect =
        resolveRedirect(from, m_result.answer.status, m_reply->rawHeader("Location"), m_secrets.get());
    if (!redirect) {
        fail(redirect.error());
        return false;
    }
    m_result.redirect = std::move(*redirect);
    return true;
}

bool QnamFlight::openBody()
{
    Answer &answer = m_result.answer;
    if (m_plan.readAtMost == 0 && m_framing.hasBody) {
        answer.partial = m_framing.length != 0;
        land();
        return false;
    }
    if (!m_framing.hasBody)
        return true;
    answer.unverifiedLength = m_framing.isClosed();
    const QByteArray encoding = answer.header("Content-Encoding");
    if (!BodyDecoder::isIdentity(encoding)) {
        m_decoder = BodyDecoder::forEncoding(encoding, m_plan.maxBody);
        if (!m_decoder)
            fail(FailureKind::Decode, "unsupported",
                 u"the encoding \"" % QString::fromLatin1(encoding.left(40)) % u'"');
        return m_decoder.has_value();
    }
    if (m_plan.readAtMost < 0 && m_framing.length > m_plan.maxBody) {
        fail(FailureKind::TooLarge, "",
             QString::number(m_framing.length) % u" of " % QString::number(m_plan.maxBody) % u" bytes");
        return false;
    }
    if (m_framing.repeated && m_framing.length == 0) {
        land(); // Qt would wait for the close
        return false;
    }
    if (m_framing.length > 0)
        answer.body.reserve(std::min(m_framing.length, reserveAtMost));
    return true;
}

void QnamFlight::onBytes()
{
    if (m_over || !m_hasHead)
        return;
    setDeadline(m_host.now() + m_plan.silenceTimeout);
    if (!drain())
        return;
    if (isStopped()) {
        m_result.answer.partial = true;
        land();
    } else if (m_framing.repeated && m_result.received == m_framing.length) {
        judge();
    }
}

bool QnamFlight::drain()
{
    std::array<char, 64 * 1024> buffer;
    while (!m_over && m_reply->bytesAvailable() > 0) {
        const qint64 n = m_reply->read(buffer.data(), static_cast<qint64>(buffer.size()));
        if (n <= 0)
            break;
        const qint64 own = m_framing.repeated ? std::min(n, m_framing.length - m_result.received) : n;
        m_result.received += own;
        if (!take(QByteArrayView(buffer.data(), own)))
            return false;
        if (isStopped())
            return true;
    }
    return !m_over;
}

bool QnamFlight::take(QByteArrayView piece)
{
    if (m_result.redirect) {
        if (m_result.received > redirectPage)
            land();
        return !m_over;
    }
    if (!m_framing.hasBody)
        return true;
    QByteArray &body = m_result.answer.body;
    if (m_decoder) {
        if (Failure failure = m_decoder->feed(piece, body, m_plan.readAtMost)) {
            fail(std::move(failure));
            return false;
        }
        return true;
    }
    if (m_plan.readAtMost >= 0) {
        const qint64 room = m_plan.readAtMost - body.size();
        m_cut = piece.size() > room;
        body += piece.first(std::min<qint64>(piece.size(), room));
        return true;
    }
    if (body.size() + piece.size() > m_plan.maxBody) {
        fail(FailureKind::TooLarge, "",
             u"more than the " % QString::number(m_plan.maxBody) % u" bytes allowed");
        return false;
    }
    body += piece;
    return true;
}

/// `request.read` has what it wants and more was to come.
bool QnamFlight::isStopped() const
{
    if (m_plan.readAtMost < 0 || m_result.redirect || m_result.answer.body.size() < m_plan.readAtMost)
        return false;
    return m_cut || m_decoder.has_value() || m_framing.length != m_result.received;
}

void QnamFlight::onFinished()
{
    if (m_over)
        return;
    if (m_hasHead && !drain())
        return;
    judge();
}

void QnamFlight::judge()
{
    if (!m_hasHead) {
        m_result.failure = earlyFailure();
        return land(m_result.failure.kind == FailureKind::Dns);
    }
    if (m_result.redirect)
        return land();
    if (isStopped()) {
        m_result.answer.partial = m_cut || (m_decoder && m_decoder->finish());
        return land();
    }
    if (Failure failure = transportFailure())
        return fail(std::move(failure));
    const bool counted = m_framing.hasBody && m_framing.length >= 0;
    if (counted && m_result.received != m_framing.length)
        return fail(FailureKind::Truncated, "",
                    QString::number(m_result.received) % u" of " % QString::number(m_framing.length) %
                        u" bytes");
    if (m_decoder)
        if (Failure failure = m_decoder->finish())
            return fail(std::move(failure));
    land();
}

Failure QnamFlight::transportFailure() const
{
    if (!cutsAnswer(m_reply->error()))
        return {};
    QString note;
    if (m_framing.length >= 0)
        note = QString::number(m_result.received) % u" of " % QString::number(m_framing.length) % u" bytes";
    return Failure{FailureKind::Truncated, {}, m_result.answer.status, note};
}

Failure QnamFlight::earlyFailure() const
{
    const bool out = m_result.sends > 0 || (m_upload && m_upload->wasAsked());
    Failure failure{FailureKind::ClosedEarly, {}, 0, {}}; // whatever became of a second connection
    if (!out)
        failure = failureWithoutAnswer(m_reply->error(), m_tlsDetail, m_blind);
    if (failure.kind == FailureKind::ClosedEarly && m_plan.request.isWrite() && (out || m_blind))
        failure.detail = "send_uncertain";
    return failure;
}

bool QnamFlight::mayBeOut() const
{
    if (m_result.sends > 0 || (m_upload && m_upload->wasAsked()))
        return true;
    const FailureKind kind = m_result.failure.kind;
    const bool noWay = kind == FailureKind::Connect || kind == FailureKind::Dns || kind == FailureKind::Tls ||
                       kind == FailureKind::ConnectTimeout;
    return m_blind && !noWay;
}

void QnamFlight::onTlsErrors(const QList<QSslError> &errors)
{
    m_tlsDetail = tlsDetail(errors);
}

void QnamFlight::fail(FailureKind kind, const char *detail, QString note)
{
    fail(Failure{kind, detail, m_result.answer.status, std::move(note)});
}

void QnamFlight::fail(Failure failure)
{
    if (m_over)
        return;
    failure.code = m_result.answer.status;
    m_result.failure = std::move(failure);
    land();
}

void QnamFlight::land(bool nameUnknown)
{
    if (m_over)
        return;
    m_over = true; // abort() emits finished() before it returns
    const Mono now = m_host.now();
    m_result.maySent = mayBeOut();
    if (m_result.maySent && m_result.sends == 0) { // not told apart, so it counts as out
        m_result.sends = 1;
        m_sent = m_start;
    }
    Timings &t = m_result.timings;
    t.totalMs = msBetween(m_start, now);
    t.connectMs = m_result.sends > 0 ? msBetween(m_start, m_sent) : t.totalMs;
    if (m_result.sends > 0)
        t.firstByteMs = msBetween(m_sent, m_hasHead ? m_head : now);
    if (m_hasHead)
        t.bodyMs = msBetween(m_head, now);
    if (m_result.failure)
        m_result.redirect.reset();
    if (m_reply) {
        if (!m_reply->isFinished())
            m_reply->abort();
        m_reply->deleteLater();
    } else {
        deleteLater();
    }
    m_host.landed(*this, nameUnknown);
}

} // namespace muster
