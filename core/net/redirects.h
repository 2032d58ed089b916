// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <tl/expected.hpp>

#include "core/job/failure.h"
#include "core/net/fetcher.h"
#include "core/settings/secrets.h"

namespace muster {

/// What was sent, as far as a redirect depends on it. `url` has its secrets filled in: never kept.
struct RedirectFrom
{
    QByteArray url;
    QByteArray method;
    bool hasBody = false;
};

/// 301, 302, 303, 307 and 308.
bool isRedirectStatus(int status);

/// Where an answer leads (spec 5, fetch standard), or why it may not be followed: kind redirect, detail
/// invalid, scheme, downgrade, secret (a secret's value on its way to another origin) or body (it would be
/// sent again to another origin). `location` is raw, null where it is missing. Loops, counts and addresses
/// are judged elsewhere. Pure.
tl::expected<Redirect, Failure> resolveRedirect(const RedirectFrom &from, int status,
                                                const QByteArray &location, const SecretBook *book);

} // namespace muster
