// SPDX-License-Identifier: GPL-3.0-or-later
#include <array>
#include <QCoreApplication>

#include "ui/text/words.h"

namespace muster::words {

namespace {

struct Texts
{
    const char *phrase;
    const char *meaning;
};

constexpr std::array<Texts, failureKindCount> table{{
    {"None", "Nothing failed."},
    {"Name not found", "The host's name leads nowhere. Check the spelling in the list."},
    {"No connection", "The host is there but nothing listens, or a firewall refuses."},
    {"Connecting took too long", "Nothing answered in time. The host may be down or far away."},
    {"Closed early", "The connection ended before the answer was whole."},
    {"Secure connection", "The certificate or the handshake is not right."},
    {"Proxy", "The proxy could not be reached or refused."},
    {"No first byte", "The request went out and no answer began in time."},
    {"Stalled", "The answer began and then nothing more came."},
    {"Took too long", "The whole try was longer than it may be."},
    {"Cut short", "Fewer bytes came than were announced."},
    {"Not understood", "The answer breaks the rules of HTTP."},
    {"Not decodable", "The answer's compression is damaged or unknown."},
    {"Too large", "The answer is longer than request.maxBodyMiB allows."},
    {"Redirect", "Redirected in a circle, too often, or to where it may not go."},
    {"Address not allowed", "The host's address is private and not in the list."},
    {"Told to wait", "The host refused ten times. Its limit is lower than the one set."},
    {"Client error 4xx", "The host does not accept this request. A retry seldom helps."},
    {"Server error 5xx", "The host failed while it answered. A later retry may help."},
    {"Unexpected status", "A status that request.accept does not list."},
    {"Error rule", "An error rule found its words in the answer."},
    {"Field missing", "A field that must be there was not found in the answer."},
    {"Forbidden by robots.txt", "The site asks programs to leave this page alone."},
    {"Suspected crash", "Muster ended several times while this row was in flight."},
    {"Cancelled", "Stopped before it was answered."},
    {"Internal", "A fault of Muster itself. The log says more."},
}};

} // namespace

QString of(FailureKind kind)
{
    return QCoreApplication::translate("muster::words", table[static_cast<std::size_t>(kind)].phrase);
}

QString meaning(FailureKind kind)
{
    return QCoreApplication::translate("muster::words", table[static_cast<std::size_t>(kind)].meaning);
}

} // namespace muster::words
