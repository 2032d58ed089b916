// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/icons/icons.h"

#include <cmath>
#include <QFile>
#include <QGuiApplication>
#include <QIconEngine>
#include <QPainter>
#include <QPixmapCache>
#include <QSvgRenderer>

#include "ui/palette/palette.h"

namespace muster::icons {

namespace {

QByteArray svgOf(const QString &name, const QColor &colour)
{
    QFile file(QStringLiteral(":/icons/%1.svg").arg(name));
    if (!file.open(QIODevice::ReadOnly)) {
        qWarning("no such icon: %s", qPrintable(name));
        return {};
    }
    QByteArray svg = file.readAll();
    svg.replace("currentColor", colour.name().toLatin1());
    return svg;
}

/// One of the own icons as an engine, so that a change of theme needs no new QIcon.
class Engine final : public QIconEngine
{
public:
    Engine(QString name, Role role)
        : m_name(std::move(name))
        , m_role(role)
    {}

    void paint(QPainter *painter, const QRect &rect, QIcon::Mode mode, QIcon::State) override
    {
        icons::paint(painter, m_name, colour(mode), rect);
    }
    QPixmap pixmap(const QSize &size, QIcon::Mode mode, QIcon::State) override
    {
        // The ratio is in the size already (QIcon multiplies it before it asks).
        return icons::pixmap(m_name, colour(mode), std::min(size.width(), size.height()), 1.0);
    }
    QIconEngine *clone() const override { return new Engine(*this); }
    QString key() const override { return QStringLiteral("muster"); }

private:
    QColor colour(QIcon::Mode mode) const
    {
        return Colours(QGuiApplication::palette())(mode == QIcon::Disabled ? Role::Disabled : m_role);
    }

    QString m_name;
    Role m_role;
};

} // namespace

QPixmap pixmap(const QString &name, const QColor &colour, int size, qreal ratio)
{
    const int pixels = int(std::lround(size * ratio));
    const QString key = QStringLiteral("muster/%1/%2/%3").arg(name, colour.name()).arg(pixels);
    QPixmap pixmap;
    if (!QPixmapCache::find(key, &pixmap)) {
        pixmap = QPixmap(pixels, pixels);
        pixmap.fill(Qt::transparent);
        QSvgRenderer renderer(svgOf(name, colour));
        QPainter painter(&pixmap);
        renderer.render(&painter);
        painter.end();
        QPixmapCache::insert(key, pixmap);
    }
    pixmap.setDevicePixelRatio(ratio);
    return pixmap;
}

void paint(QPainter *painter, const QString &name, const QColor &colour, const QRectF &rect)
{
    const int size = int(std::min(rect.width(), rect.height()));
    const QPixmap image = pixmap(name, colour, size, painter->device()->devicePixelRatioF());
    const QPointF at(rect.center().x() - size / 2.0, rect.center().y() - size / 2.0);
    painter->drawPixmap(QPointF(std::round(at.x()), std::round(at.y())), image);
}

QIcon icon(const QString &name, Role role)
{
    return QIcon(new Engine(name, role));
}

QIcon application()
{
    return QIcon(QStringLiteral(":/icons/muster.svg"));
}

} // namespace muster::icons
