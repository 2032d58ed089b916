// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRectF>

class QPainter;

namespace muster {

class Colours;
struct GaugeRow;

/// Bars as the gauge has them; they keep the painter as they found it. In mirrored layouts bars fill from the
/// right.
namespace barpaint {

void row(QPainter &painter, const QRectF &rect, const GaugeRow &row, const Colours &colours, bool mirrored);

} // namespace barpaint

} // namespace muster
