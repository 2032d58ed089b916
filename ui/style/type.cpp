// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/style/type.h"

#include <cmath>
#include <QStringList>

namespace muster::type {

namespace {

QFont times(QFont font, double factor)
{
    if (font.pointSizeF() > 0)
        font.setPointSizeF(font.pointSizeF() * factor);
    else
        font.setPixelSize(int(std::lround(font.pixelSize() * factor)));
    return font;
}

} // namespace

QFont bold(const QFont &base)
{
    QFont font = base;
    font.setBold(true);
    return font;
}

QFont small(const QFont &base)
{
    return times(base, 0.9);
}

QFont caption(const QFont &base)
{
    return times(base, 0.825);
}

QFont title(const QFont &base)
{
    return bold(times(base, 1.2));
}

QFont display(const QFont &base)
{
    return bold(times(base, 1.8));
}

QFont mono(const QFont &base)
{
    QFont font = small(base);
    font.setFamilies({QStringLiteral("Noto Sans Mono"), QStringLiteral("monospace")});
    font.setStyleHint(QFont::Monospace);
    return font;
}

int scaled(const QFont &base, int pixels)
{
    // Noto Sans at 10 pt is 18 high; other fonts and sizes scale the same lengths.
    const double factor = QFontMetrics(base).height() / 18.0;
    return int(std::lround(pixels * std::max(0.75, factor)));
}

} // namespace muster::type
