// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QVector>
#include <utility>

#include "core/job/timings.h"

namespace muster::packing {

// Lists inside one column: each number as LEB128 (7 bits a byte, low first), each text as its length and its
// bytes. Unpacking a damaged value gives what is whole of it.

QByteArray pack(const QVector<QByteArray> &texts);
QVector<QByteArray> unpack(const QByteArray &packed);

/// Milliseconds by reason, in the order of WaitReason, zeros at the end left out.
QByteArray packWaits(const Waits &waits);
Waits unpackWaits(const QByteArray &packed);

QByteArray packHops(const QVector<std::pair<int, QByteArray>> &hops);
QVector<std::pair<int, QByteArray>> unpackHops(const QByteArray &packed);

} // namespace muster::packing
