// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/screenshot.h"

#include <QPixmap>
#include <QRegularExpression>
#include <utility>

#include "ui/mainwindow.h"

namespace muster {

Screenshot::Screenshot(MainWindow *window, QString file, QSize size, QObject *parent)
    : QObject(parent)
    , m_window(window)
    , m_file(std::move(file))
    , m_size(size)
{
    m_patience.setSingleShot(true);
    connect(&m_patience, &QTimer::timeout, this, [this] {
        finish(tr("The rows were not there after %1 s; no picture was written.").arg(patienceMs / 1000));
    });
    connect(window, &MainWindow::settled, this, [this] {
        if (std::exchange(m_settled, true) || !m_started)
            return;
        QTimer::singleShot(0, this, &Screenshot::shoot);
    });
}

QSize Screenshot::sizeFrom(const QString &text)
{
    static const QRegularExpression form(QStringLiteral("\\A([1-9]\\d{2,3})x([1-9]\\d{2,3})\\z"));
    const QRegularExpressionMatch match = form.match(text);
    return match.hasMatch() ? QSize(match.captured(1).toInt(), match.captured(2).toInt()) : QSize();
}

void Screenshot::start()
{
    m_started = true;
    m_window->resize(m_size);
    m_window->show();
    m_patience.start(patienceMs);
    if (m_settled) // resizing may show other rows: those that are here are enough
        QTimer::singleShot(0, this, &Screenshot::shoot);
}

void Screenshot::shoot()
{
    const QPixmap picture = m_window->grab();
    finish(picture.save(m_file, "PNG") ? QString() : tr("%1 cannot be written.").arg(m_file));
}

void Screenshot::finish(const QString &problem)
{
    m_patience.stop();
    if (!std::exchange(m_done, true))
        Q_EMIT finished(problem);
}

} // namespace muster
