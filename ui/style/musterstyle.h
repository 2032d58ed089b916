// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QProxyStyle>

namespace muster {

/// Fusion without its gradients and bevels: flat grounds, hairlines, radius 4, the heights of look.md 3. All
/// colours come from the roles of the widget's palette; there are no style sheets. Owned by the application,
/// GUI thread.
///
/// Properties that widgets set: `muster.primary` (bool) on a push button fills it with the accent;
/// `muster.chrome` (bool) on a line edit or frame leaves its frame out.
class MusterStyle final : public QProxyStyle
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(MusterStyle)

public:
    MusterStyle();

    void drawPrimitive(PrimitiveElement element, const QStyleOption *option, QPainter *painter,
                       const QWidget *widget) const override;
    void drawControl(ControlElement element, const QStyleOption *option, QPainter *painter,
                     const QWidget *widget) const override;
    void drawComplexControl(ComplexControl control, const QStyleOptionComplex *option, QPainter *painter,
                            const QWidget *widget) const override;
    QRect subControlRect(ComplexControl control, const QStyleOptionComplex *option, SubControl sub,
                         const QWidget *widget) const override;
    int pixelMetric(PixelMetric metric, const QStyleOption *option, const QWidget *widget) const override;
    int styleHint(StyleHint hint, const QStyleOption *option, const QWidget *widget,
                  QStyleHintReturn *data) const override;
    QSize sizeFromContents(ContentsType type, const QStyleOption *option, const QSize &size,
                           const QWidget *widget) const override;
    QIcon standardIcon(StandardPixmap pixmap, const QStyleOption *option,
                       const QWidget *widget) const override;
    using QProxyStyle::polish;
    void polish(QWidget *widget) override;
};

} // namespace muster
