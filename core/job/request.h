// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QVector>

namespace muster {

/// Text with secrets in it by name. `text` shows each secret as `{secret:NAME}` and can be printed, stored
/// and compared as it is; the fetcher alone puts the values in, at the places that `secretSlots` names, so
/// that a column value which merely looks like `{secret:NAME}` stays text.
struct MaskedText
{
    enum class Encoding { Percent, Json, Form, Raw };
    struct Slot
    {
        int at = 0;     ///< where `{secret:NAME}` begins in `text`
        int length = 0; ///< how long it is there
        QByteArray name;
        Encoding encoding = Encoding::Raw; ///< how the value is written at this place
        bool operator==(const Slot &) const = default;
    };

    QByteArray text;
    QVector<Slot> secretSlots; ///< in order of `at`, never overlapping

    bool hasSecrets() const { return !secretSlots.isEmpty(); }
    bool operator==(const MaskedText &) const = default;
};

struct Header
{
    QByteArray name;
    MaskedText value;
    bool operator==(const Header &) const = default;
};

/// One request, normalised and ready to send but for its secrets. A value: no thread, no owner.
struct Request
{
    QByteArray method = "GET"; ///< GET, HEAD, POST or PUT
    MaskedText url;            ///< absolute, normalised (spec 2), ASCII
    QVector<Header> headers;   ///< those of the template; User-Agent and the like are the fetcher's
    MaskedText body;

    bool hasSecrets() const;
    /// POST and PUT may not be sent twice unless the settings call them idempotent.
    bool isWrite() const { return method == "POST" || method == "PUT"; }
    bool operator==(const Request &) const = default;
};

/// The parts of a URL by which limits, hosts and policies decide. Empty `host`: no such URL.
struct Target
{
    QByteArray scheme; ///< http or https
    QByteArray host;   ///< lower case, punycode, no brackets, no trailing dot
    int port = 0;      ///< with the scheme's default filled in
    QByteArray path;   ///< from the first slash on, without the query
    bool operator==(const Target &) const = default;

    bool sameOrigin(const Target &o) const { return scheme == o.scheme && host == o.host && port == o.port; }
};

/// Splits a normalised absolute http(s) URL. Cheap: no QUrl, called once a request.
Target targetOf(const QByteArray &url);

} // namespace muster
