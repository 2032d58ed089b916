// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/style/look.h"

#include <QApplication>
#include <QFontDatabase>

#include "ui/icons/icons.h"
#include "ui/palette/palette.h"
#include "ui/style/musterstyle.h"

// Resources of a static library are registered only when asked for, and not from inside a namespace.
static void initResources()
{
    Q_INIT_RESOURCE(muster);
}

namespace muster {

void applyLook(QApplication &app, std::optional<Theme> theme)
{
    initResources();
    const Theme wanted = theme.value_or(themeOf(QApplication::palette()));
    QFont font = QApplication::font();
    if (QFontDatabase::hasFamily(QStringLiteral("Noto Sans")))
        font.setFamily(QStringLiteral("Noto Sans"));
    if (font.pointSizeF() < 10)
        font.setPointSizeF(10);
    QApplication::setStyle(new MusterStyle);
    QApplication::setFont(font);
    QApplication::setPalette(paletteOf(wanted));
    app.setWindowIcon(icons::application());
}

} // namespace muster
