// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QVector>

namespace muster {

struct RawHeader
{
    QByteArray name;
    QByteArray value;
    bool operator==(const RawHeader &) const = default;
};

/// A whole answer as it is judged: by error rules, by fields, by a person. The body is decoded (gzip,
/// deflate) and within the size limit. A value.
struct Answer
{
    int status = 0;
    QByteArray url;             ///< that answered, secrets by name
    QVector<RawHeader> headers; ///< in the order they came
    QByteArray body;
    bool partial = false;          ///< `request.read` stopped it on purpose
    bool unverifiedLength = false; ///< ended by close: nothing says that it is whole
    bool isHead = false;           ///< no body was asked for: fields of the body count as missing

    /// The first value of the header, case-insensitively; null where there is none.
    QByteArray header(QByteArrayView name) const;
    QByteArray contentType() const { return header("Content-Type"); }
};

/// What refining made of an answer. `fields` is a JSON object in the order of the rules, digits of numbers as
/// they came, missing ones left out; one `records` entry for each record where the rules ask for records.
struct Refined
{
    QByteArray fields;
    QVector<QByteArray> records;
};

} // namespace muster
