// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QSize>
#include <QString>
#include <QTimer>

namespace muster {

class MainWindow;

/// `--screenshot FILE.png`: shows the window at a size, waits until its table shows what there is, paints it
/// into the file and says how it went. No nested event loop; works offscreen. Lives as long as the window.
class Screenshot final : public QObject
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(Screenshot)

public:
    Screenshot(MainWindow *window, QString file, QSize size, QObject *parent = nullptr);
    /// The table may settle before or after this; `finished` comes once.
    void start();
    /// "1280x800"; an invalid size where the text is none.
    static QSize sizeFrom(const QString &text);
    static constexpr int patienceMs = 15'000;

Q_SIGNALS:
    /// Empty `problem`: the picture is there.
    void finished(const QString &problem);

private:
    void shoot();
    void finish(const QString &problem);

    MainWindow *m_window = nullptr;
    QString m_file;
    QSize m_size;
    QTimer m_patience;
    bool m_settled = false;
    bool m_started = false;
    bool m_done = false;
};

} // namespace muster
