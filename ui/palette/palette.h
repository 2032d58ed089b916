// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QPalette>

#include "ui/palette/roles.h"

namespace muster {

/// The colour of a role. State colours come from Okabe-Ito, darkened or lightened for contrast.
QColor colourOf(Role role, Theme theme);

/// The Qt palette that is made of the roles; the style and every plain widget work from it.
QPalette paletteOf(Theme theme);

/// Which of the two a widget is painted in: told by its palette, so that nothing global says it.
Theme themeOf(const QPalette &palette);

/// The roles as a widget sees them: `const Colours c(palette());`. A value.
class Colours final
{
public:
    explicit Colours(const QPalette &palette)
        : m_theme(themeOf(palette))
    {}
    explicit Colours(Theme theme)
        : m_theme(theme)
    {}
    Theme theme() const { return m_theme; }
    QColor operator()(Role role) const { return colourOf(role, m_theme); }

private:
    Theme m_theme;
};

/// Contrast of two colours by WCAG 2 (relative luminance), 1 to 21.
double contrastOf(const QColor &a, const QColor &b);

} // namespace muster
