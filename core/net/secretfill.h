// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <tl/expected.hpp>

#include "core/job/request.h"
#include "core/settings/secrets.h"

namespace muster {

/// Writes the secrets into a text, each as its place wants it. The error is the name of a secret that the
/// book does not have. Pure. The result must be sent, never kept.
tl::expected<QByteArray, QByteArray> fillSecrets(const MaskedText &text, const SecretBook *book);

/// The reverse for a URL that was received: every value of the book with at least six characters, plain or
/// percent-encoded, becomes `{secret:NAME}` with its slot (spec 9). Longer values first.
MaskedText maskSecrets(const QByteArray &url, const SecretBook *book);

} // namespace muster
