// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>
#include <tl/expected.hpp>

#include "core/job/request.h"

namespace muster {

/// Brings a URL into the one form that is sent, compared and filed by (spec 2, "Normalising"): lower-case
/// scheme and host, punycode, no default port, dot segments removed, fragment dropped, escapes of unreserved
/// characters decoded, the others in upper case; query order, trailing slash and path case stay. What may not
/// stand in a URL is escaped as UTF-8, a lone % becomes %25; every escape that was given stays. Doing it
/// twice changes nothing. What two programs could read in two ways (backslash, login, control characters) is
/// refused.
///
/// A refusal is one sentence, "reason; mend", that repeats nothing of the URL but a character of its host. A
/// value, cheap to copy; any thread.
class UrlNormaliser final
{
public:
    static constexpr qsizetype maxLength = 1024 * 1024; ///< bytes of the normalised URL

    /// `scheme`: put before an address that has none.
    explicit UrlNormaliser(QByteArray scheme = QByteArrayLiteral("https"));

    tl::expected<QByteArray, QString> normalised(const QByteArray &url) const;
    /// The same with secrets in it: they stay as they are, and may stand in path and query only.
    tl::expected<MaskedText, QString> normalised(MaskedText url) const;

private:
    QByteArray m_scheme;
};

} // namespace muster
