// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/palette/palette.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace muster {

namespace {

struct Pair
{
    QRgb light;
    QRgb dark;
};

constexpr std::array<Pair, roleCount> table{{
    {0xF3F4F6, 0x1E2227}, // Window
    {0xFFFFFF, 0x16191D}, // Base
    {0xF8F9FB, 0x1A1E23}, // Alt
    {0xFFFFFF, 0x262C33}, // Button
    {0xE8EBEF, 0x2A3037}, // Hover
    {0xDCE0E5, 0x343A42}, // Hair
    {0x7F8996, 0x6E7985}, // Edge
    {0xE3E7EC, 0x2C323A}, // Track
    {0xB9C1CB, 0x4A525C}, // Scroll
    {0x1B2430, 0xE6E9ED}, // Text
    {0x55606E, 0xA4AEBA}, // Text2
    {0x7F8996, 0x6E7985}, // Disabled
    {0x0068A8, 0x56B4E9}, // Accent
    {0xFFFFFF, 0x0B1A26}, // OnAccent
    {0xDCEAF6, 0x21394D}, // Selection
    {0xFFF6E3, 0x2F2817}, // MessageGround
    {0xFFF9EC, 0x272319}, // BindingGround
    {0xFDF0E8, 0x33221A}, // ErrorGround
    {0xEAF3FA, 0x19293A}, // InfoGround
    {0x00875F, 0x2DBE91}, // OkFill
    {0xB84300, 0xF08043}, // BadFill
    {0xC07F00, 0xE8A92E}, // WaitFill
    {0x0072B2, 0x56B4E9}, // BlueFill
    {0xBD6A9B, 0xE09BC3}, // HeldFill
    {0x56626F, 0x7E8B98}, // GreyFill
    {0x00704F, 0x3CCB9E}, // OkWord
    {0xB04600, 0xF6935C}, // BadWord
    {0x8A5A00, 0xEFB64A}, // WaitWord
    {0x0065A0, 0x6DBFEE}, // BlueWord
    {0x9A3F76, 0xE4A3C8}, // HeldWord
    {0x5A6573, 0xA4AEBA}, // GreyWord
}};

double linear(double channel)
{
    return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}

double luminance(const QColor &c)
{
    return 0.2126 * linear(c.redF()) + 0.7152 * linear(c.greenF()) + 0.0722 * linear(c.blueF());
}

} // namespace

QColor colourOf(Role role, Theme theme)
{
    const Pair &pair = table[static_cast<std::size_t>(role)];
    return QColor::fromRgb(theme == Theme::Light ? pair.light : pair.dark);
}

QPalette paletteOf(Theme theme)
{
    const Colours c(theme);
    QPalette p;
    p.setColor(QPalette::Window, c(Role::Window));
    p.setColor(QPalette::WindowText, c(Role::Text));
    p.setColor(QPalette::Base, c(Role::Base));
    p.setColor(QPalette::AlternateBase, c(Role::Alt));
    p.setColor(QPalette::Text, c(Role::Text));
    p.setColor(QPalette::PlaceholderText, c(Role::Text2));
    p.setColor(QPalette::Button, c(Role::Button));
    p.setColor(QPalette::ButtonText, c(Role::Text));
    p.setColor(QPalette::BrightText, c(Role::BadWord));
    p.setColor(QPalette::Highlight, c(Role::Selection));
    p.setColor(QPalette::HighlightedText, c(Role::Text));
    p.setColor(QPalette::Link, c(Role::Accent));
    p.setColor(QPalette::LinkVisited, c(Role::Accent));
    p.setColor(QPalette::ToolTipBase, c(Role::Base));
    p.setColor(QPalette::ToolTipText, c(Role::Text));
    p.setColor(QPalette::Light, c(Role::Base));
    p.setColor(QPalette::Midlight, c(Role::Hover));
    p.setColor(QPalette::Mid, c(Role::Hair));
    p.setColor(QPalette::Dark, c(Role::Edge));
    p.setColor(QPalette::Shadow, c(Role::Edge));
    for (const QPalette::ColorRole role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        p.setColor(QPalette::Disabled, role, c(Role::Disabled));
    return p;
}

Theme themeOf(const QPalette &palette)
{
    return palette.color(QPalette::Active, QPalette::Window).lightnessF() < 0.5 ? Theme::Dark : Theme::Light;
}

double contrastOf(const QColor &a, const QColor &b)
{
    const double la = luminance(a);
    const double lb = luminance(b);
    return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

} // namespace muster
