// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QFontMetrics>

namespace muster {

/// The sizes of text, all from the person's base font (13 px at 10 pt): two weights, five sizes. `base` is
/// usually the widget's own font.
namespace type {

QFont bold(const QFont &base);
QFont small(const QFont &base);   ///< 12: labels, headers, units, sentences
QFont caption(const QFont &base); ///< 11: plot axes, footer labels, quota notes; never less
QFont title(const QFont &base);   ///< 16 bold
QFont display(const QFont &base); ///< 24 bold
QFont mono(const QFont &base);    ///< Noto Sans Mono 12

/// A length of look.md, in pixels at 10 pt, for this font: everything grows with the text.
int scaled(const QFont &base, int pixels);

} // namespace type

} // namespace muster
