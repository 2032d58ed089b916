// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

#include "core/store/desk.h"

namespace muster {

/// What an open does before anything else: puts jobs in flight back, ends POST and PUT of which nobody knows,
/// compares the ledger with the rows. Each step is one transaction and can be repeated after a crash in it.
/// Gives a sentence for each thing that it mended.
StoreResult<QStringList> recover(Desk &desk);

} // namespace muster
