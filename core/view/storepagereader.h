// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "core/view/pagereader.h"

namespace muster {

/// Opens the project file read-only, on the thread that calls the factory (StoreReader works beside a
/// writer). The file need not exist before the factory is called.
PageReaderFactory storePageReaders(const QString &path);

} // namespace muster
