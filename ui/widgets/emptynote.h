// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;
class QPushButton;

namespace muster {

/// What stands where nothing is yet: what is empty, and the one next step. GUI thread.
class EmptyNote final : public QWidget
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(EmptyNote)

public:
    explicit EmptyNote(QWidget *parent = nullptr);
    /// An empty `button` hides it.
    void set(const QString &icon, const QString &fact, const QString &hint, const QString &button);
    QString fact() const;

Q_SIGNALS:
    void pressed();

private:
    void updateIcon();
    void changeEvent(QEvent *event) override;

    QString m_icon;
    QLabel *m_glyph = nullptr;
    QLabel *m_fact = nullptr;
    QLabel *m_hint = nullptr;
    QPushButton *m_button = nullptr;
};

} // namespace muster
