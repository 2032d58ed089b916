// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QWidget>

#include "core/job/snapshot.h"
#include "ui/palette/roles.h"

class QLabel;
class QToolButton;

namespace muster {

enum class MessageKind : quint8 { Info, Warning, Problem };

/// One line above the content: a bold fact, then why, then what is not affected. It tells by itself of a host
/// that is not open while rows wait for it; a message of the program stays before that until it is closed.
/// Never modal. GUI thread.
class MessageBar final : public QWidget
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(MessageBar)

public:
    explicit MessageBar(QWidget *parent = nullptr);
    void showMessage(MessageKind kind, const QString &fact, const QString &rest = {});
    void apply(const Snapshot &snapshot);
    void dismiss();
    bool isShown() const { return m_shown; }
    QString text() const { return m_fact + u' ' + m_rest; }

Q_SIGNALS:
    /// Whoever holds the bar shows or hides its place.
    void shownChanged(bool shown);

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    void put(const QString &glyph, Role word, Role ground, const QString &fact, const QString &rest);
    void refresh();
    void setShown(bool shown);

    QLabel *m_glyph = nullptr;
    QLabel *m_text = nullptr;
    QToolButton *m_close = nullptr;
    QString m_icon;
    QString m_fact;
    QString m_rest;
    Role m_word = Role::Text;
    Role m_ground = Role::MessageGround;
    QByteArray m_about;     ///< what the snapshot's message is about
    QByteArray m_dismissed; ///< a person closed it: not shown again
    bool m_own = false;     ///< a message of the program is shown
    bool m_shown = false;
};

} // namespace muster
