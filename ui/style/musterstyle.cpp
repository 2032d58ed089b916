// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/style/musterstyle.h"

#include <algorithm>
#include <QAbstractScrollArea>
#include <QLineEdit>
#include <QPainter>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QStyleOption>
#include <QToolBar>
#include <QToolButton>

#include "ui/icons/icons.h"
#include "ui/palette/palette.h"
#include "ui/style/stylepaint.h"
#include "ui/style/type.h"

namespace muster {

MusterStyle::MusterStyle()
    : QProxyStyle(QStringLiteral("Fusion"))
{}

void MusterStyle::polish(QWidget *widget)
{
    QProxyStyle::polish(widget);
    if (qobject_cast<QPushButton *>(widget) || qobject_cast<QToolButton *>(widget))
        widget->setAttribute(Qt::WA_Hover);
}

void MusterStyle::drawPrimitive(PrimitiveElement element, const QStyleOption *option, QPainter *painter,
                                const QWidget *widget) const
{
    const Colours colours(option->palette);
    switch (element) {
    case PE_PanelButtonCommand:
        return stylepaint::pushButton(*option, *painter, colours,
                                      widget && widget->property("muster.primary").toBool());
    case PE_PanelButtonTool:
        return stylepaint::toolButton(*option, *painter, colours);
    case PE_PanelLineEdit:
        return stylepaint::field(*option, *painter, colours,
                                 widget && widget->property("muster.chrome").toBool());
    case PE_FrameLineEdit:
        return;
    case PE_Frame:
        if (widget && widget->property("muster.chrome").toBool())
            return;
        return stylepaint::frame(*option, *painter, colours);
    case PE_FrameFocusRect:
        return stylepaint::focusRing(option->rect, *painter, colours);
    case PE_PanelItemViewRow:
        return;
    case PE_PanelItemViewItem:
        return stylepaint::itemGround(*option, *painter, colours);
    case PE_FrameTabBarBase:
    case PE_FrameStatusBarItem:
    case PE_PanelStatusBar:
        return;
    case PE_PanelMenuBar:
    case PE_FrameDockWidget:
        return;
    case PE_IndicatorToolBarSeparator: {
        const QRect r = option->rect;
        const int inset = r.height() / 4;
        painter->fillRect(QRect(r.center().x(), r.top() + inset, 1, r.height() - 2 * inset),
                          colours(Role::Hair));
        return;
    }
    case PE_IndicatorDockWidgetResizeHandle:
        painter->fillRect(option->rect, colours(Role::Hair));
        return;
    default:
        QProxyStyle::drawPrimitive(element, option, painter, widget);
    }
}

void MusterStyle::drawControl(ControlElement element, const QStyleOption *option, QPainter *painter,
                              const QWidget *widget) const
{
    const Colours colours(option->palette);
    switch (element) {
    case CE_HeaderSection:
        return stylepaint::headerSection(*option, *painter, colours);
    case CE_HeaderLabel:
        if (const auto *header = qstyleoption_cast<const QStyleOptionHeader *>(option))
            return stylepaint::headerLabel(*header, *painter, colours);
        break;
    case CE_HeaderEmptyArea:
        return stylepaint::headerSection(*option, *painter, colours);
    case CE_TabBarTabShape:
        if (const auto *tab = qstyleoption_cast<const QStyleOptionTab *>(option))
            return stylepaint::tab(*tab, *painter, colours);
        break;
    case CE_TabBarTabLabel:
        if (const auto *tab = qstyleoption_cast<const QStyleOptionTab *>(option)) {
            QStyleOptionTab copy = *tab;
            copy.state &= ~State_HasFocus; // the ring is the shape's
            if (!(copy.state & State_Selected))
                copy.palette.setColor(QPalette::WindowText, colours(Role::Text2));
            return QProxyStyle::drawControl(element, &copy, painter, widget);
        }
        break;
    case CE_DockWidgetTitle:
        if (const auto *dock = qstyleoption_cast<const QStyleOptionDockWidget *>(option))
            return stylepaint::dockTitle(*dock, *painter, colours, type::scaled(widget->font(), 12));
        break;
    case CE_Splitter:
        painter->fillRect(option->rect, colours(Role::Hair));
        return;
    case CE_ToolBar:
    case CE_MenuBarEmptyArea:
        painter->fillRect(option->rect, colours(Role::Window));
        return;
    case CE_MenuBarItem:
        painter->fillRect(option->rect, colours(Role::Window));
        if (const auto *item = qstyleoption_cast<const QStyleOptionMenuItem *>(option))
            return stylepaint::menuBarItem(*item, *painter, colours, *proxy());
        break;
    case CE_PushButtonLabel:
        if (const auto *button = qstyleoption_cast<const QStyleOptionButton *>(option)) {
            QStyleOptionButton copy = *button;
            copy.state &= ~(State_Sunken | State_On); // the label does not jump
            if (widget && widget->property("muster.primary").toBool() && (copy.state & State_Enabled))
                copy.palette.setColor(QPalette::ButtonText, colours(Role::OnAccent));
            return QProxyStyle::drawControl(element, &copy, painter, widget);
        }
        break;
    default:
        break;
    }
    QProxyStyle::drawControl(element, option, painter, widget);
}

void MusterStyle::drawComplexControl(ComplexControl control, const QStyleOptionComplex *option,
                                     QPainter *painter, const QWidget *widget) const
{
    if (control == CC_ScrollBar)
        if (const auto *slider = qstyleoption_cast<const QStyleOptionSlider *>(option)) {
            const Colours colours(option->palette);
            // The bar stands on the ground of what it scrolls.
            const QWidget *container = widget ? widget->parentWidget() : nullptr;
            const auto *area =
                qobject_cast<const QAbstractScrollArea *>(container ? container->parentWidget() : nullptr);
            const bool onBase = area && area->viewport()->backgroundRole() == QPalette::Base;
            painter->fillRect(option->rect, colours(onBase ? Role::Base : Role::Window));
            return stylepaint::scrollThumb(
                *slider, proxy()->subControlRect(CC_ScrollBar, option, SC_ScrollBarSlider, widget), *painter,
                colours);
        }
    QProxyStyle::drawComplexControl(control, option, painter, widget);
}

QRect MusterStyle::subControlRect(ComplexControl control, const QStyleOptionComplex *option, SubControl sub,
                                  const QWidget *widget) const
{
    const auto *bar =
        control == CC_ScrollBar ? qstyleoption_cast<const QStyleOptionSlider *>(option) : nullptr;
    if (!bar)
        return QProxyStyle::subControlRect(control, option, sub, widget);
    // No arrow buttons: the groove is the whole bar.
    const bool across = bar->orientation == Qt::Horizontal;
    const QRect whole = bar->rect;
    const int length = across ? whole.width() : whole.height();
    const qint64 range = qint64(bar->maximum) - bar->minimum;
    const int least = std::min(length, 32);
    const int thumb =
        range <= 0 ? length
                   : std::clamp(int(qint64(length) * bar->pageStep / (range + bar->pageStep)), least, length);
    const int at = sliderPositionFromValue(bar->minimum, bar->maximum, bar->sliderPosition, length - thumb,
                                           bar->upsideDown);
    const auto part = [&](int from, int size) {
        return across ? QRect(whole.left() + from, whole.top(), size, whole.height())
                      : QRect(whole.left(), whole.top() + from, whole.width(), size);
    };
    switch (sub) {
    case SC_ScrollBarSlider:
        return visualRect(bar->direction, whole, part(at, thumb));
    case SC_ScrollBarGroove:
        return whole;
    case SC_ScrollBarSubPage:
        return visualRect(bar->direction, whole, part(0, at));
    case SC_ScrollBarAddPage:
        return visualRect(bar->direction, whole, part(at + thumb, length - at - thumb));
    default:
        return {};
    }
}

int MusterStyle::pixelMetric(PixelMetric metric, const QStyleOption *option, const QWidget *widget) const
{
    switch (metric) {
    case PM_ScrollBarExtent:
        return 10;
    case PM_ScrollBarSliderMin:
        return 32;
    case PM_DefaultFrameWidth:
        if (qobject_cast<const QPlainTextEdit *>(widget))
            return 4; // room for the rounding
        return widget && widget->property("muster.chrome").toBool() ? 0 : 1;
    case PM_DockWidgetSeparatorExtent:
    case PM_SplitterWidth:
    case PM_DockWidgetFrameWidth:
        return metric == PM_DockWidgetFrameWidth ? 0 : 1;
    case PM_DockWidgetTitleMargin:
        return 6;
    case PM_ToolBarFrameWidth:
    case PM_ToolBarItemMargin:
        return widget && widget->property("muster.chrome").toBool() ? 0 : 3;
    case PM_ToolBarItemSpacing:
        return 2;
    case PM_ToolBarSeparatorExtent:
        return 17;
    case PM_ToolBarIconSize:
    case PM_SmallIconSize:
    case PM_ButtonIconSize:
    case PM_TabBarIconSize:
        return 16;
    case PM_MenuBarItemSpacing:
    case PM_MenuBarPanelWidth:
    case PM_TabBarBaseOverlap:
    case PM_TabBarTabShiftVertical:
    case PM_TabBarTabShiftHorizontal:
    case PM_ButtonShiftHorizontal:
    case PM_ButtonShiftVertical:
        return 0;
    case PM_TabBarTabHSpace:
        return 24;
    case PM_FocusFrameHMargin:
        return 3;
    default:
        return QProxyStyle::pixelMetric(metric, option, widget);
    }
}

int MusterStyle::styleHint(StyleHint hint, const QStyleOption *option, const QWidget *widget,
                           QStyleHintReturn *data) const
{
    switch (hint) {
    case SH_ItemView_ActivateItemOnSingleClick:
    case SH_EtchDisabledText:
    case SH_DitherDisabledText:
    case SH_ItemView_ShowDecorationSelected:
        return hint == SH_ItemView_ShowDecorationSelected;
    case SH_ScrollView_FrameOnlyAroundContents:
        return 0;
    case SH_DialogButtonBox_ButtonsHaveIcons:
        return 0;
    case SH_TabBar_Alignment:
        return Qt::AlignLeft;
    case SH_UnderlineShortcut:
        return QProxyStyle::styleHint(hint, option, widget, data);
    default:
        return QProxyStyle::styleHint(hint, option, widget, data);
    }
}

QSize MusterStyle::sizeFromContents(ContentsType kind, const QStyleOption *option, const QSize &size,
                                    const QWidget *widget) const
{
    QSize result = QProxyStyle::sizeFromContents(kind, option, size, widget);
    const auto tall = [widget](int pixels) { return widget ? type::scaled(widget->font(), pixels) : pixels; };
    switch (kind) {
    case CT_PushButton:
        result.setHeight(tall(28));
        result.setWidth(std::max(result.width() + 8, tall(80)));
        break;
    case CT_LineEdit:
        result.setHeight(tall(28));
        break;
    case CT_ToolButton:
        result.setHeight(std::max(size.height(), tall(30)));
        result.setWidth(result.width() + 4);
        break;
    case CT_TabBarTab:
        result.setHeight(tall(34));
        break;
    case CT_HeaderSection:
        result.setHeight(tall(26));
        break;
    case CT_MenuBarItem:
        result.setHeight(tall(28));
        result.setWidth(size.width() + 21);
        break;
    default:
        break;
    }
    return result;
}

QIcon MusterStyle::standardIcon(StandardPixmap pixmap, const QStyleOption *option,
                                const QWidget *widget) const
{
    switch (pixmap) {
    case SP_TitleBarCloseButton:
    case SP_LineEditClearButton:
        return icons::icon(QStringLiteral("close"), Role::Text2);
    case SP_TitleBarNormalButton:
        return icons::icon(QStringLiteral("float"), Role::Text2);
    case SP_ToolBarHorizontalExtensionButton:
    case SP_ToolBarVerticalExtensionButton:
        return icons::icon(QStringLiteral("more"), Role::Text2);
    default:
        return QProxyStyle::standardIcon(pixmap, option, widget);
    }
}

} // namespace muster
