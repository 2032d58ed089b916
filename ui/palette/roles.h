// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <QtGlobal>

namespace muster {

enum class Theme : quint8 { Light, Dark };

/// What a colour is for. Widgets name roles, never colours; palette.cpp is the one table of values.
enum class Role : quint8 {
    Window, ///< chrome: menu, toolbar, filters, docks, footer
    Base,   ///< content: tables, cards, fields, plots
    Alt,    ///< table headers
    Button,
    Hover, ///< hover, pressed
    Hair,  ///< hairlines, card borders: decoration only
    Edge,  ///< borders of what one can operate
    Track, ///< empty part of a bar
    Scroll,
    Text,
    Text2,
    Disabled,
    Accent,
    OnAccent,
    Selection,
    MessageGround,
    BindingGround,
    ErrorGround,
    InfoGround,
    // Fill paints bars and lines, Word paints glyph and word together.
    OkFill,
    BadFill,
    WaitFill,
    BlueFill,
    HeldFill,
    GreyFill,
    OkWord,
    BadWord,
    WaitWord,
    BlueWord,
    HeldWord,
    GreyWord,
};
inline constexpr std::size_t roleCount = 31;

} // namespace muster
